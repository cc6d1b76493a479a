package org.fedometer.experiments.imported;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fedometer.wire.Counted;

/** What came up while a file was read: counts, and the first of each kind. Not thread-safe. */
final class ImportNotes {
  private final Map<String, SkippedLines> skipped = new LinkedHashMap<>();
  private final Set<String> remarks = new LinkedHashSet<>();
  private long badLines;
  private String firstBad = "";
  private int workers;
  private boolean timesAdded;

  /** Lines that hold no measurement, and need not. */
  private static final class SkippedLines {
    private final long firstLine;
    private final String singular;
    private long count;

    private SkippedLines(long firstLine, String one) {
      this.firstLine = firstLine;
      this.singular = one;
    }
  }

  /**
   * The present record is broken, and with it all lines that it goes over: an open quotation mark
   * may have swallowed thousands.
   */
  void bad(RecordReader records, String why) {
    long lines = records.lines();
    if (badLines == 0) {
      firstBad =
          "line "
              + records.line()
              + ": "
              + why
              + (lines > 1 ? ", in a record that goes over " + lines + " lines" : "");
    }
    badLines += lines;
  }

  /** A line is no measurement, but one of few kinds, named in the singular and in the plural. */
  void skip(long line, String singular, String plural) {
    skipped.computeIfAbsent(plural, any -> new SkippedLines(line, singular)).count++;
  }

  /** Something that the file does not say and that was assumed, a sentence; once. */
  void assume(String message) {
    remarks.add(message);
  }

  /** How many workers sent requests; 0 where that is not known. */
  void workers(int count) {
    workers = count;
  }

  /** Times of requests are those of their durations, added up. */
  void addTimes() {
    timesAdded = true;
  }

  boolean timesAdded() {
    return timesAdded;
  }

  int workers() {
    return workers;
  }

  long badLines() {
    return badLines;
  }

  /** With its line; empty if there is none. */
  String firstBad() {
    return firstBad;
  }

  /** What was assumed and what was left out, a sentence each. */
  List<String> messages() {
    List<String> messages = new ArrayList<>(remarks);
    skipped.forEach(
        (many, lines) ->
            messages.add(
                "Passed over: "
                    + Counted.of(lines.count, lines.singular, many)
                    + ", the first in line "
                    + lines.firstLine
                    + "."));
    if (badLines > 0) {
      messages.add(
          Counted.of(badLines, "line was broken and is", "lines were broken and are")
              + " left out, the first: "
              + firstBad
              + ".");
    }
    return messages;
  }
}
