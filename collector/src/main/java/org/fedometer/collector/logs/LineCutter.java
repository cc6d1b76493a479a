package org.fedometer.collector.logs;

/** Splits lines at newline or NUL; skips empty ones. */
final class LineCutter implements EventCutter {
  @Override
  public int skip(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isEnd(bytes[at])) {
      at++;
    }
    return at;
  }

  @Override
  public int end(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n' || bytes[i] == 0) {
        return i + 1;
      }
    }
    return -1;
  }

  static boolean isEnd(byte last) {
    return last == '\n' || last == '\r' || last == 0;
  }
}
