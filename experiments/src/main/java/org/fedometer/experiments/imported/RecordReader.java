package org.fedometer.experiments.imported;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.fedometer.wire.SafeLine;

/**
 * Cuts bytes into records: lines, or what lies between line feeds outside quotes. A record is a
 * stretch of a buffer that is good until the next one is asked for. However hostile what is read
 * is, no more than the longest record is held. Not thread-safe.
 */
final class RecordReader {
  /** What a line of measurements may have; hundreds of times what any has. */
  static final int MAX_LINE_BYTES = 64 * 1024;

  /** JMeter quotes messages of servers, which may be pages. */
  static final int MAX_QUOTED_BYTES = 1024 * 1024;

  private static final int SHOWN_BYTES = 60;
  private static final int BUFFER_BYTES = 128 * 1024;

  private final InputStream in;
  private boolean quotes;
  private int maxBytes;
  private byte[] buffer = new byte[BUFFER_BYTES];

  /** What has been read ends here. */
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

  /** The stream is read to its end; it stays open. */
  static RecordReader ofLines(InputStream in) {
    return new RecordReader(in, false, MAX_LINE_BYTES);
  }

  /** A line feed between quotation marks is part of a record. */
  static RecordReader quoted(InputStream in) {
    return new RecordReader(in, true, MAX_QUOTED_BYTES);
  }

  /** From the next record on, a line feed between quotation marks is part of a record. */
  void respectQuotes() {
    quotes = true;
    maxBytes = MAX_QUOTED_BYTES;
  }

  /**
   * Goes to the next record that is not blank; false when there is none. Its line end is no part of
   * it.
   *
   * @throws UnreadableMeasurementsException it is longer than any, or the text is no UTF-8
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
                + ": this is no such file");
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

  /** Looks at the first bytes, which tell what a text is not. */
  private void begin() throws IOException {
    while (limit < buffer.length && fill()) {
      // A pipe gives less than is asked for.
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
            "it begins with NUL bytes: it is no text, or one in UTF-16");
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

  /** Reads on behind what the present record has so far, which may move. */
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

  /** Holds the record between {@link #from} and {@link #to}; not to be written to. */
  byte[] bytes() {
    return buffer;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** In which line the record begins, from 1. */
  long line() {
    return line;
  }

  /** How many lines of the file it goes over. */
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

  /** The whole record; what is no UTF-8 in it becomes U+FFFD. */
  String text() {
    return new String(buffer, from, to - from, StandardCharsets.UTF_8);
  }

  /** For a message: in quotation marks, cut, and with nothing in it that steers a terminal. */
  String shown(int begin, int end) {
    int length = Math.min(SHOWN_BYTES, end - begin);
    String text = new String(buffer, begin, length, StandardCharsets.UTF_8);
    return "\"" + SafeLine.of(text) + (length < end - begin ? "..." : "") + "\"";
  }

  String shown() {
    return shown(from, to);
  }
}
