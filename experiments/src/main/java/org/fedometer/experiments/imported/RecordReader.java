package org.fedometer.experiments.imported;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.fedometer.wire.SafeLine;

/**
 * Splits bytes into records: lines, or text between line feeds outside quotes. A record is a range
 * of a buffer, valid until the next one is read. For any input, at most the longest record is held.
 * Not thread-safe.
 */
final class RecordReader {
  /** Hundreds of times the length of any real line. */
  static final int MAX_LINE_BYTES = 64 * 1024;

  /** JMeter quotes server messages, which may be pages. */
  static final int MAX_QUOTED_BYTES = 1024 * 1024;

  private static final int SHOWN_BYTES = 60;
  private static final int BUFFER_BYTES = 128 * 1024;

  private final InputStream in;
  private boolean quotes;
  private int maxBytes;
  private byte[] buffer = new byte[BUFFER_BYTES];

  /** End of the bytes read. */
  private int limit;

  private int from;
  private int to;

  private int next;

  private long line;
  private long lines;
  private long nextLine = 1;
  private boolean begun;

  private RecordReader(InputStream in, boolean quotes, int maxBytes) {
    this.in = in;
    this.quotes = quotes;
    this.maxBytes = maxBytes;
  }

  /**
   * @param in read to its end; stays open
   */
  static RecordReader ofLines(InputStream in) {
    return new RecordReader(in, false, MAX_LINE_BYTES);
  }

  /** Returns a reader in which a line feed between quotation marks is part of a record. */
  static RecordReader quoted(InputStream in) {
    return new RecordReader(in, true, MAX_QUOTED_BYTES);
  }

  /** From the next record on, treats a line feed between quotation marks as part of a record. */
  void respectQuotes() {
    quotes = true;
    maxBytes = MAX_QUOTED_BYTES;
  }

  /**
   * Advances to the next record that is not blank, without its line end; false if there is none.
   *
   * @throws UnreadableMeasurementsException if it is too long, or the text is not UTF-8
   */
  boolean next() throws IOException {
    boolean any;
    do {
      any = nextOfAll();
    } while (any && isBlank());
    return any;
  }

  private boolean nextOfAll() throws IOException {
    if (!begun) {
      begun = true;
      begin();
    }
    from = next;
    line = nextLine;
    boolean inQuotes = false;
    int at = from;
    while (true) {
      if (at == limit) {
        int length = at - from;
        boolean more = fill();
        at = from + length;
        if (!more) {
          return endsAt(at, at, length > 0);
        }
      }
      byte c = buffer[at];
      if (c == '\n') {
        nextLine++;
        if (!inQuotes) {
          return endsAt(at, at + 1, true);
        }
      } else if (c == '"' && quotes) {
        inQuotes = !inQuotes;
      }
      at++;
      if (at - from > maxBytes) {
        throw new UnreadableMeasurementsException(
            "line "
                + line
                + " is longer than "
                + maxBytes
                + " bytes"
                + (inQuotes ? ", or a quotation mark in it is not closed" : "")
                + ": the file has another format");
      }
    }
  }

  private boolean endsAt(int end, int following, boolean any) {
    boolean linesEnd = following > end || end == from || buffer[end - 1] == '\n';
    lines = nextLine - line + (linesEnd ? 0 : 1);
    to = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
    next = following;
    return any;
  }

  /** Checks the first bytes for other encodings. */
  private void begin() throws IOException {
    while (limit < buffer.length && fill()) {
      // A pipe returns less than requested.
    }
    if (startsWith(0xFF, 0xFE) || startsWith(0xFE, 0xFF)) {
      throw new UnreadableMeasurementsException(
          "it is UTF-16: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)");
    }
    if (startsWith(0xEF, 0xBB, 0xBF)) {
      next = 3;
    }
    for (int i = 0; i < Math.min(limit, SHOWN_BYTES); i++) {
      if (buffer[i] == 0) {
        throw new UnreadableMeasurementsException(
            "it begins with NUL bytes: it is not text, or is UTF-16");
      }
    }
  }

  private boolean startsWith(int... bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (i >= limit || (buffer[i] & 0xFF) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  /** Reads more after the current record, which may move. */
  private boolean fill() throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, limit - from);
      limit -= from;
      from = 0;
    }
    if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int count = in.read(buffer, limit, buffer.length - limit);
    limit += Math.max(0, count);
    return count > 0;
  }

  /** Returns the buffer with the record between {@link #from} and {@link #to}; read-only. */
  byte[] bytes() {
    return buffer;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** Returns the line in which the record begins, from 1. */
  long line() {
    return line;
  }

  /** Returns the number of the record's lines. */
  long lines() {
    return lines;
  }

  private boolean isBlank() {
    for (int i = from; i < to; i++) {
      if (buffer[i] != ' ' && buffer[i] != '\t') {
        return false;
      }
    }
    return true;
  }

  boolean startsWith(String ascii) {
    if (to - from < ascii.length()) {
      return false;
    }
    for (int i = 0; i < ascii.length(); i++) {
      if (buffer[from + i] != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the whole record; invalid UTF-8 becomes U+FFFD. */
  String text() {
    return new String(buffer, from, to - from, StandardCharsets.UTF_8);
  }

  /** Returns text for a message: quoted, truncated, and without terminal control characters. */
  String shown(int begin, int end) {
    int length = Math.min(SHOWN_BYTES, end - begin);
    String text = new String(buffer, begin, length, StandardCharsets.UTF_8);
    return "\"" + SafeLine.of(text) + (length < end - begin ? "..." : "") + "\"";
  }

  String shown() {
    return shown(from, to);
  }
}
