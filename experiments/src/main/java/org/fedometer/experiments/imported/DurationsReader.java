package org.fedometer.experiments.imported;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.fedometer.wire.record.RequestEncoder;

/**
 * Reads durations, one per line, with or without an index: {@code 36.2}, {@code 17 36.2}, {@code
 * 17;36.2}. Lines that begin with {@code #}, {@code %} or {@code //} are comments; the first line
 * may name the columns. One use, one thread.
 */
final class DurationsReader implements MeasurementReader {
  private static final int MAX_FIELDS = 2;

  private static final long NONE = -1;

  /** A number with commas between groups of three digits. */
  private static final Pattern THOUSANDS =
      Pattern.compile("(?<![0-9.])[0-9]{1,3}(,[0-9]{3})+(\\.[0-9]*)?(?![0-9,])");

  /** In lower case. */
  private static final Set<String> NO_NUMBERS =
      Set.of(
          "nan",
          "inf",
          "infinity",
          "null",
          "nil",
          "none",
          "na",
          "n/a",
          "undefined",
          "true",
          "false",
          "error",
          "failed",
          "failure",
          "timeout");

  private final ImportChoices choices;
  private final RecordReader records;
  private final ImportNotes notebook;

  private final int[] starts = new int[MAX_FIELDS];
  private final int[] ends = new int[MAX_FIELDS];

  /** Number of fields per line; 0 before the first. */
  private int fields;

  private boolean headerRead;
  private boolean indexByComma;

  /** True for an unsplittable line with an index and a number with a comma. */
  private boolean decimalComma;

  private long lastIndex = -1;

  private long indexesByComma;

  DurationsReader(ImportChoices choices, RecordReader records, ImportNotes notebook) {
    this.choices = choices;
    this.records = records;
    this.notebook = notebook;
  }

  @Override
  public void read(Requests requests) throws IOException {
    AddedTimes times = new AddedTimes(choices, notebook);
    notebook.assume(
        "Durations are assumed to be those of successful ingests, in "
            + choices.unit().id()
            + ", as given or by default.");
    notebook.workers(1);
    while (records.next()) {
      if (records.startsWith("#") || records.startsWith("%") || records.startsWith("//")) {
        notebook.skip(records.line(), "comment", "comments");
        continue;
      }
      long nanos = durationOfLine();
      if (nanos >= 0) {
        requests.add(RequestEncoder.INGEST, times.startOf(nanos, records.line()), nanos, true, "");
      }
    }
    if (indexesByComma == 1) {
      throw new UnreadableMeasurementsException(
          "the only measurement has a comma, which may end an index or start a fraction:"
              + " write a point for a fraction, a semicolon after an index");
    }
  }

  /** Returns a negative value for a line without a duration, and notes the fault. */
  private long durationOfLine() {
    int count = split();
    if (count == 0) {
      if (decimalComma) {
        throw decimalComma(records.shown() + " has one after its index");
      }
      return headerOrBad(records.shown() + " is neither a duration nor an index and a duration");
    }
    int last = count - 1;
    long nanos =
        Numbers.durationNanos(records.bytes(), starts[last], ends[last], choices.unit().nanos());
    if (nanos < 0) {
      return headerOrBad(
          Numbers.why(nanos, records.shown(starts[last], ends[last]), choices.unit()));
    }
    if (fields == 1 && count == MAX_FIELDS && indexByComma) {
      throw decimalComma(records.shown() + " has one, and the lines before it have no index");
    }
    if (fields != 0 && fields != count) {
      return bad(
          "it has "
              + (count == 1 ? "no index" : "an index")
              + ", and the lines before it have "
              + (count == 1 ? "one" : "none"));
    }
    if (count == MAX_FIELDS && !isIndexGood()) {
      return NONE;
    }
    fields = count;
    return nanos;
  }

  private boolean isIndexGood() {
    long index = Numbers.whole(records.bytes(), starts[0], ends[0]);
    if (index < 0) {
      headerOrBad(records.shown(starts[0], ends[0]) + " is not an index, a whole number");
      return false;
    }
    if (indexByComma) {
      if (index <= lastIndex) {
        throw decimalComma("the index " + index + " comes after " + lastIndex);
      }
      indexesByComma++;
      notebook.assume("The numbers before a comma are taken as an index, as they increase.");
    }
    lastIndex = index;
    return true;
  }

  /** Fails the file: other lines would be wrong, too, and skipped ones would not be random. */
  private UnreadableMeasurementsException decimalComma(String why) {
    return new UnreadableMeasurementsException(
        "line " + records.line() + ": " + why + ": " + advice(records.text()));
  }

  private static String advice(String line) {
    if (line.indexOf('.') < 0) {
      return "commas seem to be decimal commas; write points instead";
    }
    return THOUSANDS.matcher(line).find()
        ? "commas seem to separate thousands; leave them out"
        : "the numbers before the comma do not increase as an index does; write a"
            + " semicolon after an index, or leave that column out";
  }

  private long headerOrBad(String why) {
    if (fields == 0 && !headerRead && notebook.badLines() == 0 && beginsWithWord()) {
      headerRead = true;
      notebook.skip(records.line(), "line that names columns", "lines that name columns");
      return NONE;
    }
    return bad(why);
  }

  private boolean beginsWithWord() {
    int at = records.from();
    while (at < records.to() && (isBlank(records.bytes()[at]) || records.bytes()[at] == '"')) {
      at++;
    }
    return at < records.to()
        && (records.bytes()[at] < 0 || Character.isLetter(records.bytes()[at]))
        && !standsForNoNumber();
  }

  /** Returns whether all words of the line are usual substitutes for a missing number. */
  private boolean standsForNoNumber() {
    return Arrays.stream(records.text().toLowerCase(Locale.ROOT).split("[\\s,;\"]+"))
        .filter(word -> !word.isEmpty() && !Character.isDigit(word.charAt(0)))
        .allMatch(NO_NUMBERS::contains);
  }

  private long bad(String why) {
    notebook.bad(records, why);
    return NONE;
  }

  /** Returns the number of fields, 1 or 2; 0 for any other number, or empty fields. */
  private int split() {
    byte[] bytes = records.bytes();
    int count = 0;
    int at = afterBlanks(records.from());
    boolean afterComma = false;
    indexByComma = false;
    decimalComma = false;
    while (true) {
      int begin = at;
      while (at < records.to() && !isBlank(bytes[at]) && !isMark(bytes[at])) {
        at++;
      }
      if (at == begin || count == MAX_FIELDS) {
        decimalComma = at > begin && afterComma && !indexByComma && areWhole();
        return 0;
      }
      starts[count] = begin;
      ends[count++] = at;
      at = afterBlanks(at);
      if (at == records.to()) {
        return count;
      }
      afterComma = bytes[at] == ',';
      indexByComma |= afterComma && count == 1;
      if (isMark(bytes[at])) {
        at = afterBlanks(at + 1);
      }
    }
  }

  private boolean areWhole() {
    return Numbers.whole(records.bytes(), starts[0], ends[0]) >= 0
        && Numbers.whole(records.bytes(), starts[1], ends[1]) >= 0;
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
