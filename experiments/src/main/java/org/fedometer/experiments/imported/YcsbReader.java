package org.fedometer.experiments.imported;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Reads YCSB's {@code measurementtype=raw} or {@code hdrhistogram+raw}, from a file or its standard
 * output. {@code READ,1577934245123,812} is a request, with its end in milliseconds since 1970 and
 * its duration in microseconds. A failed request has {@code READ-FAILED}, or {@code READ-} and a
 * status. One use, one thread.
 *
 * <p>Source: {@code OneMeasurementRaw}, {@code Measurements}, {@code DBWrapper} and {@code Status}
 * of YCSB 0.18.
 */
final class YcsbReader implements MeasurementReader {
  /** Suffixes that no operation's name has. */
  private static final Set<String> FAILURES =
      Set.of(
          "FAILED",
          "ERROR",
          "TIMEOUT",
          "NOT_FOUND",
          "NOT_IMPLEMENTED",
          "UNEXPECTED_STATE",
          "BAD_REQUEST",
          "FORBIDDEN",
          "SERVICE_UNAVAILABLE");

  /**
   * With {@code measurement.interval=both}: the same requests, measured from their intended start.
   */
  private static final String AGAIN = "Intended-";

  private static final String OF_BOTH = "Raw";

  private final RecordReader records;
  private final ImportNotes notebook;
  private final Labels labels;
  private final NameTable names = new NameTable(Labels.MAX_LABELS);
  private final Name[] known = new Name[Labels.MAX_LABELS];

  /** Meaning of a name in the first column; the operation is null for duplicate requests. */
  private record Name(String operation, String failure) {}

  YcsbReader(ImportChoices choices, RecordReader records, ImportNotes notebook) {
    this.records = records;
    this.notebook = notebook;
    this.labels = new Labels(choices.ingestLabel());
  }

  @Override
  public void read(Requests requests) throws IOException {
    notebook.assume(
        "YCSB writes the end of a request, in whole milliseconds: its start is the end less"
            + " the duration. It does not write the thread that sent it.");
    boolean summaries = false;
    while (records.next()) {
      byte[] bytes = records.bytes();
      int first = comma(records.from());
      if (!isName(records.from(), first) || first == records.to()) {
        summaries |= records.startsWith("[");
        skip();
        continue;
      }
      int second = comma(first + 1);
      long endMillis = Numbers.whole(bytes, first + 1, second);
      if (endMillis < 0 && !looksCut(first + 1)) {
        skip();
        continue;
      }
      if (second == records.to() || endMillis < 0) {
        bad(records.shown() + " is not OPERATION,TIME,LATENCY");
      } else if (!Numbers.isTime(endMillis)) {
        bad(endMillis + " is not a time in milliseconds since 1970");
      } else {
        measured(requests, first, second, endMillis);
      }
    }
    if (requests.count() == 0 && summaries && notebook.badLines() == 0) {
      throw new UnreadableMeasurementsException(ForeignFormat.ycsbSummary());
    }
  }

  private void measured(Requests requests, int first, int second, long endMillis)
      throws IOException {
    long nanos =
        Numbers.durationNanos(records.bytes(), second + 1, records.to(), DurationUnit.US.nanos());
    if (nanos < 0) {
      bad(Numbers.why(nanos, records.shown(second + 1, records.to()), DurationUnit.US));
      return;
    }
    Name name = name(records.from(), first);
    if (name.operation() == null) {
      notebook.skip(
          records.line(),
          "measurement from an intended start, a duplicate of its request",
          "measurements from intended starts, duplicates of their requests");
      return;
    }
    requests.add(
        name.operation(),
        Numbers.epochNanos(endMillis) - nanos,
        nanos,
        name.failure().isEmpty(),
        name.failure());
  }

  private Name name(int from, int to) {
    int number = names.numberOf(records.bytes(), from, to);
    if (number >= 0 && known[number] != null) {
      return known[number];
    }
    String text = new String(records.bytes(), from, to - from, StandardCharsets.US_ASCII);
    int plain = OF_BOTH.length();
    if (text.startsWith(OF_BOTH)
        && text.length() > plain
        && Character.isUpperCase(text.charAt(plain))) {
      text = text.substring(plain);
    }
    int dash = text.lastIndexOf('-');
    String failure =
        dash > 0 && FAILURES.contains(text.substring(dash + 1)) ? text.substring(dash + 1) : "";
    String label = failure.isEmpty() ? text : text.substring(0, dash);
    Name name =
        new Name(text.startsWith(AGAIN) ? null : labels.operation(label, records.line()), failure);
    if (number >= 0) {
      known[number] = name;
    }
    return name;
  }

  /** Skips summaries, progress, and output of a binding. */
  private void skip() {
    if (records.startsWith("[")) {
      notebook.skip(records.line(), "line of summaries", "lines of summaries");
    } else {
      notebook.skip(
          records.line(), "line that is not a measurement", "lines that are not measurements");
    }
  }

  private void bad(String why) {
    notebook.bad(records, why);
  }

  /** Returns whether it is an operation's name, which unlike a sentence has no blanks. */
  private boolean isName(int from, int to) {
    byte[] bytes = records.bytes();
    if (from == to || !Character.isLetter(bytes[from])) {
      return false;
    }
    for (int i = from; i < to; i++) {
      int c = bytes[i];
      if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9')
          && c != '-'
          && c != '_') {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a time, and so a measurement, seems to begin here. */
  private boolean looksCut(int from) {
    return from == records.to()
        || records.bytes()[from] == '-'
        || records.bytes()[from] >= '0' && records.bytes()[from] <= '9';
  }

  private int comma(int from) {
    for (int i = from; i < records.to(); i++) {
      if (records.bytes()[i] == ',') {
        return i;
      }
    }
    return records.to();
  }
}
