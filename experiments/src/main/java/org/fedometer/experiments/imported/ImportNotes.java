package org.fedometer.experiments.imported;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fedometer.wire.Counted;

/** Findings while reading a file: counts, and the first of each kind. Not thread-safe. */
final class ImportNotes {
  private final Map<String, SkippedLines> skipped = new LinkedHashMap<>();
  private final Set<String> remarks = new LinkedHashSet<>();
  private long badLines;
  private String firstBad = "";
  private int workers;
  private boolean timesAdded;

  /** Lines without a measurement. */
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
   * Notes that the current record is invalid, with all of its lines: an open quotation mark may
   * swallow thousands.
   */
  void bad(RecordReader records, String why) {
    long lines = records.lines();
    if (badLines == 0) {
      firstBad =
          "line "
              + records.line()
              + ": "
              + why
              + (lines > 1 ? ", in a record of " + lines + " lines" : "");
    }
    badLines += lines;
  }

  /** Notes a line without a measurement, by its kind in the singular and in the plural. */
  void skip(long line, String singular, String plural) {
    skipped.computeIfAbsent(plural, any -> new SkippedLines(line, singular)).count++;
  }

  /** Notes an assumption, a sentence, once. */
  void assume(String message) {
    remarks.add(message);
  }

  /** Sets the number of workers that sent requests; 0 if unknown. */
  void workers(int count) {
    workers = count;
  }

  /** Notes that times of requests are sums of durations. */
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

  /** Returns the first invalid line; empty if there is none. */
  String firstBad() {
    return firstBad;
  }

  /** Returns assumptions and omissions, a sentence each. */
  List<String> messages() {
    List<String> messages = new ArrayList<>(remarks);
    skipped.forEach(
        (many, lines) ->
            messages.add(
                "Skipped: "
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
