package org.fedometer.collector.logs;

import java.nio.charset.StandardCharsets;

/** Reads each line as a message, with the first level that it contains, else INFO. One thread. */
final class LineEvents implements LogStream.EventReader {
  @Override
  public boolean read(byte[] bytes, int from, int to, LogEvent into) {
    into.message = line(bytes, from, to);
    into.level = Levels.inLine(into.message);
    return true;
  }

  /** Returns the line without its end. Invalid UTF-8 becomes U+FFFD. */
  static String line(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && LineCutter.isEnd(bytes[end - 1])) {
      end--;
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }
}
