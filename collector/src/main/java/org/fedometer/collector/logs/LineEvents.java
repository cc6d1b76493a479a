package org.fedometer.collector.logs;

import java.nio.charset.StandardCharsets;

/** Each line is a message; its level is the first one that it names, else INFO. One thread. */
final class LineEvents implements LogStream.EventReader {
  @Override
  public boolean read(byte[] bytes, int from, int to, LogEvent into) {
    into.message = line(bytes, from, to);
    into.level = Levels.inLine(into.message);
    return true;
  }

  /** Without what ends it. Bytes that are no UTF-8 become U+FFFD. */
  static String line(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && LineCutter.isEnd(bytes[end - 1])) {
      end--;
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }
}
