package org.fedometer.experiments.imported;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields of one record of delimited values in JMeter's format. A field with a delimiter, line
 * feed or quotation mark is quoted, with inner quotation marks doubled. Valid until the record's
 * buffer changes. Not thread-safe.
 */
final class Fields {
  /** Hundreds of times the fields of any real record. */
  private static final int MAX_FIELDS = 4096;

  private byte[] bytes = {};
  private int[] starts = new int[32];
  private int[] ends = new int[32];
  private int count;

  private String problem = "";

  /**
   * Returns whether the record has the expected number of fields; if not, {@link #problem} explains
   * it.
   */
  boolean split(RecordReader records, byte delimiter, int expected) {
    if (!split(records.bytes(), records.from(), records.to(), delimiter)) {
      return false;
    }
    problem = "it has " + count + " fields where the first line has " + expected;
    return count == expected;
  }

  /** Returns whether the range could be split; if not, {@link #problem} explains it. */
  boolean split(byte[] of, int from, int to, byte delimiter) {
    bytes = of;
    count = 0;
    int at = from;
    while (true) {
      boolean quoted = at < to && bytes[at] == '"';
      int begin = quoted ? at + 1 : at;
      int end = quoted ? closingQuote(begin, to) : plainEnd(begin, to, delimiter);
      if (end < 0) {
        return false;
      }
      if (count == MAX_FIELDS) {
        problem = "it has more than " + MAX_FIELDS + " fields";
        return false;
      }
      add(begin, end);
      at = quoted ? end + 1 : end;
      if (at == to) {
        return true;
      }
      if (bytes[at] != delimiter) {
        problem = "something follows the quotation mark that closes field " + count;
        return false;
      }
      at++;
    }
  }

  private int plainEnd(int from, int to, byte delimiter) {
    int at = from;
    while (at < to && bytes[at] != delimiter) {
      if (bytes[at] == '"') {
        problem = "field " + (count + 1) + " has a quotation mark inside its text";
        return -1;
      }
      at++;
    }
    return at;
  }

  private int closingQuote(int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == '"') {
        if (at + 1 == to || bytes[at + 1] != '"') {
          return at;
        }
        at++;
      }
    }
    problem = "the quotation mark of field " + (count + 1) + " is not closed";
    return -1;
  }

  private void add(int begin, int end) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    starts[count] = begin;
    ends[count++] = end;
  }

  String problem() {
    return problem;
  }

  int count() {
    return count;
  }

  int start(int field) {
    return starts[field];
  }

  int end(int field) {
    return ends[field];
  }

  boolean isEmpty(int field) {
    return starts[field] == ends[field];
  }

  boolean isIgnoringCase(int field, String lowerCase) {
    if (ends[field] - starts[field] != lowerCase.length()) {
      return false;
    }
    for (int i = 0; i < lowerCase.length(); i++) {
      int c = bytes[starts[field] + i];
      if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != lowerCase.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a field as text; invalid UTF-8 becomes U+FFFD. */
  String text(int field) {
    return new String(bytes, starts[field], ends[field] - starts[field], StandardCharsets.UTF_8)
        .replace("\"\"", "\"");
  }
}
