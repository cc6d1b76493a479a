package org.fedometer.collector.logs;

/** Splits syslog frames by their length prefix (RFC 6587, octet counting). */
final class CountedCutter implements EventCutter {
  private static final int UNKNOWN = -1;

  private int length;
  private int left = UNKNOWN;

  @Override
  public int skip(byte[] bytes, int from, int to) {
    return new LineCutter().skip(bytes, from, to);
  }

  @Override
  public int end(byte[] bytes, int from, int to) throws LogRefusedException {
    int at = from;
    while (at < to && left == UNKNOWN) {
      byte next = bytes[at];
      if (next >= '0' && next <= '9') {
        length = length * 10 + next - '0';
        if (length > LogStream.MAX_EVENT_BYTES) {
          throw LogStream.tooLong();
        }
      } else if (next == ' ' && length > 0) {
        left = length;
      } else {
        throw new LogRefusedException(
            "a syslog event must begin with its length in octets, not with the byte "
                + (next & 0xFF));
      }
      at++;
    }
    if (left == UNKNOWN) {
      return -1;
    }
    if (left > to - at) {
      left -= to - at;
      return -1;
    }
    int end = at + left;
    left = UNKNOWN;
    length = 0;
    return end;
  }
}
