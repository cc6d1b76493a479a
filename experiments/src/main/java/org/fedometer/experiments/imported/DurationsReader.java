package org.fedometer.experiments.imported;

import java.io.IOException;
import org.fedometer.wire.RequestEncoder;

/**
 * Reads durations, one a line, after an index or without one: {@code 36.2}, {@code 17 36.2}, {@code
 * 17;36.2}. Lines that begin with {@code #}, {@code %} or {@code //} are comments; the first line
 * may name the columns. One use, one thread.
 */
final class DurationsReader implements MeasurementReader {
  private static final int MOST_FIELDS = 2;

  private static final long NONE = -1;

  private final ImportChoices choices;
  private final RecordReader records;
  private final Notebook notebook;

  private final int[] starts = new int[MOST_FIELDS];
  private final int[] ends = new int[MOST_FIELDS];

  /** Fields of a line; 0 before the first. */
  private int fields;

  private boolean headerRead;
  private boolean indexByComma;
  private long lastIndex = -1;

  DurationsReader(ImportChoices choices, RecordReader records, Notebook notebook) {
    this.choices = choices;
    this.records = records;
    this.notebook = notebook;
  }

  @Override
  public void read(MeasurementSink sink) throws IOException {
    AddedTimes times = new AddedTimes(choices, notebook);
    notebook.assume(
        "Durations are taken for those of successful ingests, in "
            + choices.unit().id()
            + ", as the import was told or by default.");
    notebook.workers(1);
    long number = 0;
    while (records.next()) {
      if (records.isBlank()) {
        continue;
      }
      if (records.startsWith("#") || records.startsWith("%") || records.startsWith("//")) {
        notebook.passOver(records.line(), "comments");
        continue;
      }
      long nanos = durationOfLine();
      if (nanos >= 0) {
        sink.measured(
            number++,
            RequestEncoder.INGEST,
            0,
            times.startOf(nanos, records.line()),
            nanos,
            200,
            "");
      }
    }
  }

  /** Below 0 of a line that has none; what is wrong with it is noted then. */
  private long durationOfLine() {
    int count = split();
    if (count == 0) {
      return headerOrBad(records.shown() + " is neither a duration nor an index and a duration");
    }
    int last = count - 1;
    long nanos =
        Numbers.durationNanos(records.bytes(), starts[last], ends[last], choices.unit().nanos());
    if (nanos < 0) {
      return headerOrBad(
          Numbers.why(nanos, records.shown(starts[last], ends[last]), choices.unit()));
    }
    if (fields != 0 && fields != count) {
      return bad(
          "it has "
              + (count == 1 ? "no index" : "an index")
              + ", and the lines before it have "
              + (count == 1 ? "one" : "none"));
    }
    if (count == MOST_FIELDS && !isIndexGood()) {
      return NONE;
    }
    fields = count;
    return nanos;
  }

  private boolean isIndexGood() {
    long index = Numbers.whole(records.bytes(), starts[0], ends[0]);
    if (index < 0) {
      headerOrBad(records.shown(starts[0], ends[0]) + " is no index, which is a whole number");
      return false;
    }
    if (indexByComma && index <= lastIndex) {
      bad(
          "the index "
              + index
              + " comes after "
              + lastIndex
              + "; if the comma is a decimal one, write points instead");
      return false;
    }
    lastIndex = index;
    return true;
  }

  /** The first line may say what the columns are. */
  private long headerOrBad(String why) {
    if (fields == 0 && !headerRead && notebook.badLines() == 0 && beginsWithWord()) {
      headerRead = true;
      notebook.passOver(records.line(), "line that names columns");
      return NONE;
    }
    return bad(why);
  }

  private boolean beginsWithWord() {
    int at = records.from();
    while (at < records.to() && (isBlank(records.bytes()[at]) || records.bytes()[at] == '"')) {
      at++;
    }
    if (records.startsWith("NaN") || records.startsWith("Inf") || records.startsWith("nan")) {
      return false;
    }
    return at < records.to()
        && (records.bytes()[at] < 0 || Character.isLetter(records.bytes()[at]));
  }

  private long bad(String why) {
    notebook.bad(records.line(), why);
    return NONE;
  }

  /** How many fields there are, 1 or 2; 0 where there are others, or empty ones. */
  private int split() {
    byte[] bytes = records.bytes();
    int count = 0;
    int at = afterBlanks(records.from());
    indexByComma = false;
    while (true) {
      int begin = at;
      while (at < records.to() && !isBlank(bytes[at]) && !isMark(bytes[at])) {
        at++;
      }
      if (at == begin || count == MOST_FIELDS) {
        return 0;
      }
      starts[count] = begin;
      ends[count++] = at;
      at = afterBlanks(at);
      if (at == records.to()) {
        return count;
      }
      if (isMark(bytes[at])) {
        indexByComma = bytes[at] == ',';
        at = afterBlanks(at + 1);
      }
    }
  }

  private int afterBlanks(int from) {
    int at = from;
    while (at < records.to() && isBlank(records.bytes()[at])) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte c) {
    return c == ' ' || c == '\t';
  }

  private static boolean isMark(byte c) {
    return c == ',' || c == ';';
  }
}
