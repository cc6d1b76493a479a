package org.fedometer.collector.receive;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.fedometer.collector.logs.LogFormat;

/**
 * Detects a connection's protocol by its first bytes. Undecided until they suffice; more bytes
 * never change a verdict. Stateless.
 */
final class FirstBytes {
  /** Enough to decide; longer white space or a longer first line is text. */
  static final int MAX_BYTES = 8 * 1024;

  private static final int TLS_HANDSHAKE = 0x16;

  /** Number of printable bytes that make text; a complete line also does. */
  private static final int TEXT_BYTES = 8;

  private static final int MAX_COUNT_DIGITS = 7;
  private static final int MAX_PRIORITY_DIGITS = 3;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private static final String UTF_16 =
      "logs in UTF-16 are not supported: set charset=\"UTF-8\" at the layout";

  private static final List<String> HTTP_METHODS =
      List.of(
          "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PRI");

  /** Starts of pickled dictionaries in protocols 1 to 5; the Python handler uses protocol 1. */
  private static final byte[][] PICKLES = {
    {'}', 'q', 0, '('},
    {(byte) 0x80, 2, '}', 'q'},
    {(byte) 0x80, 3, '}', 'q'},
    {(byte) 0x80, 4, (byte) 0x95},
    {(byte) 0x80, 5, (byte) 0x95}
  };

  private static final Verdict UNDECIDED = new Undecided();
  private static final Verdict WIRE = new Wire();
  private static final Verdict LINES = new Logs(LogFormat.LINES);
  private static final Verdict SYSLOG_LINES = new Logs(LogFormat.SYSLOG_LINES);
  private static final Verdict SYSLOG_COUNTED = new Logs(LogFormat.SYSLOG_COUNTED);
  private static final Verdict XML = new Logs(LogFormat.XML);

  private final byte[] bytes;
  private final int end;

  sealed interface Verdict {}

  record Undecided() implements Verdict {}

  /** Fedometer's frames, or data that the frame decoder will refuse. */
  record Wire() implements Verdict {}

  record Logs(LogFormat format) implements Verdict {}

  /** Unsupported data; a sentence names the remedy. */
  record Refused(String reason) implements Verdict {}

  private FirstBytes(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  static Verdict detect(byte[] bytes, int length) {
    if (length == 0) {
      return UNDECIDED;
    }
    Verdict verdict = new FirstBytes(bytes, Math.min(length, MAX_BYTES)).detect();
    // Otherwise a word after all that white space could stay undecided forever.
    return verdict instanceof Undecided && length >= MAX_BYTES ? LINES : verdict;
  }

  private Verdict detect() {
    int first = bytes[0] & 0xFF;
    switch (first) {
      case 0xEF -> {
        return afterByteOrderMark();
      }
      case 0xFE -> {
        return utf16If(0xFF);
      }
      case 0xFF -> {
        return utf16If(0xFE);
      }
      // A frame starts with its length, below 16 MiB.
      case 0 -> {
        return pickleOrWire();
      }
      case TLS_HANDSHAKE -> {
        return WIRE;
      }
      case 0x1F -> {
        return gelfIf(0x8B, "GELF, compressed by GZIP");
      }
      case 0x1E -> {
        return gelfIf(0x0F, "GELF in chunks");
      }
      case 0xAC -> {
        return ifSecond(
            0xED,
            "Java serialisation is not supported: replace Log4j2's SerializedLayout by"
                + " JsonTemplateLayout, and Logback's or Log4j 1's SocketAppender by an appender"
                + " that sends JSON lines");
      }
      default -> {
        return first == 'x' ? zlibOrText() : detectText(0);
      }
    }
  }

  /** Detects a pickle: its length is followed by a dictionary, with or without the protocol. */
  private Verdict pickleOrWire() {
    if (end > 1 && bytes[1] != 0) {
      return WIRE; // no log record is that long
    }
    boolean undecided = false;
    for (byte[] begin : PICKLES) {
      int same = 0;
      while (same < begin.length && 4 + same < end && bytes[4 + same] == begin[same]) {
        same++;
      }
      if (same == begin.length) {
        return new Refused(
            "Python's pickles are not supported: replace logging's SocketHandler by a"
                + " SysLogHandler or a handler that sends JSON lines");
      }
      undecided |= 4 + same >= end;
    }
    return undecided ? UNDECIDED : WIRE;
  }

  /** Detects UTF-16; otherwise the byte is a letter of Latin-1. */
  private Verdict utf16If(int second) {
    if (end < 2) {
      return UNDECIDED;
    }
    return (bytes[1] & 0xFF) == second ? new Refused(UTF_16) : text();
  }

  /** Skips UTF-8's byte order mark, which decides nothing. */
  private Verdict afterByteOrderMark() {
    for (int i = 1; i < BYTE_ORDER_MARK.length; i++) {
      if (i == end) {
        return UNDECIDED;
      }
      if (bytes[i] != BYTE_ORDER_MARK[i]) {
        return text();
      }
    }
    return end == BYTE_ORDER_MARK.length ? UNDECIDED : detectText(BYTE_ORDER_MARK.length);
  }

  private Verdict gelfIf(int second, String what) {
    return ifSecond(
        second,
        what
            + ", is not supported: set compressionType=\"OFF\" includeNullDelimiter=\"true\" at the"
            + " GelfLayout");
  }

  private Verdict ifSecond(int second, String reason) {
    if (end < 2) {
      return UNDECIDED;
    }
    return (bytes[1] & 0xFF) == second ? new Refused(reason) : noText();
  }

  private Verdict zlibOrText() {
    if (end < 2) {
      return UNDECIDED;
    }
    return switch (bytes[1] & 0xFF) {
      case 0x01, 0x5E, 0x9C, 0xDA -> gelfIf(bytes[1] & 0xFF, "GELF, compressed by ZLIB");
      default -> text();
    };
  }

  /** Skips white space; the next byte decides. */
  private Verdict detectText(int from) {
    int at = from;
    while (at < end && isSpace(bytes[at])) {
      at++;
    }
    if (at == end) {
      return end < MAX_BYTES ? UNDECIDED : LINES;
    }
    byte first = bytes[at];
    if (first == '{') {
      return new Logs(LogFormat.JSON);
    }
    if (first == '[') {
      return array(at + 1);
    }
    if (first == ',') {
      return restOfArray(at + 1);
    }
    if (first == '<') {
      return markup(at + 1);
    }
    if (isDigit(first)) {
      return counted(at);
    }
    return httpOrText(at);
  }

  /**
   * Detects an array. Its start arrives with the appender's start, its first event perhaps much
   * later.
   */
  private Verdict array(int from) {
    for (int i = from; i < end; i++) {
      if (bytes[i] == '{' || bytes[i] == '\n' || bytes[i] == '\r') {
        return new Logs(LogFormat.JSON_ARRAY);
      }
      if (bytes[i] != ' ' && bytes[i] != '\t') {
        return text();
      }
    }
    return end < MAX_BYTES ? UNDECIDED : LINES;
  }

  /** Detects the rest of an array: a reconnecting appender does not repeat the array's start. */
  private Verdict restOfArray(int from) {
    int at = from;
    while (at < end && isSpace(bytes[at])) {
      at++;
    }
    if (at == end) {
      return UNDECIDED;
    }
    return bytes[at] == '{' ? new Logs(LogFormat.JSON_ARRAY) : text();
  }

  private Verdict markup(int from) {
    int at = from;
    while (at < end && at - from < MAX_PRIORITY_DIGITS && isDigit(bytes[at])) {
      at++;
    }
    if (at == end) {
      return UNDECIDED;
    }
    if (at > from) {
      return bytes[at] == '>' ? SYSLOG_LINES : text();
    }
    if (bytes[at] == '!') {
      return XML;
    }
    for (String begin : List.of("?xml", "Event")) {
      int same = sameAs(begin, at);
      if (same == begin.length()) {
        return begin.startsWith("?") ? XML : event(at + same);
      }
      if (at + same == end) {
        return UNDECIDED;
      }
    }
    return text();
  }

  private Verdict event(int from) {
    int at = from < end && bytes[from] == 's' ? from + 1 : from;
    if (at == end) {
      return UNDECIDED;
    }
    return isSpace(bytes[at]) || bytes[at] == '>' || bytes[at] == '/' ? XML : text();
  }

  private Verdict counted(int from) {
    int at = from;
    while (at < end && at - from < MAX_COUNT_DIGITS && isDigit(bytes[at])) {
      at++;
    }
    for (byte expected : new byte[] {' ', '<'}) {
      if (at == end) {
        return UNDECIDED;
      }
      if (bytes[at] != expected) {
        return text();
      }
      at++;
    }
    if (at == end) {
      return UNDECIDED;
    }
    return isDigit(bytes[at]) ? SYSLOG_COUNTED : text();
  }

  private Verdict httpOrText(int from) {
    for (String method : HTTP_METHODS) {
      int same = sameAs(method + " ", from);
      if (same > method.length()) {
        return http(from);
      }
      if (from + same == end) {
        return UNDECIDED;
      }
    }
    return text();
  }

  /** Detects HTTP; a log line may start with such a word, too. */
  private Verdict http(int from) {
    int line = from;
    while (line < end && bytes[line] != '\n') {
      line++;
    }
    if (line == end) {
      return end < MAX_BYTES ? UNDECIDED : LINES;
    }
    String text = new String(bytes, from, line - from, StandardCharsets.ISO_8859_1).strip();
    return text.matches("[A-Z]+ \\S+ HTTP/\\d(\\.\\d)?")
        ? new Refused("HTTP requests are not answered on this port")
        : text();
  }

  private Verdict text() {
    for (int i = 0; i < end; i++) {
      if (i == TEXT_BYTES || i > 0 && bytes[i] == '\n') {
        return LINES;
      }
      if (!isOfText(bytes[i])) {
        return noText();
      }
    }
    return end < TEXT_BYTES ? UNDECIDED : LINES;
  }

  private static Verdict noText() {
    return new Refused("it sends neither Fedometer frames nor log events of a supported layout");
  }

  /**
   * Returns whether the byte is text, in UTF-8 or Latin-1; includes the escape of terminal colors.
   */
  private static boolean isOfText(byte next) {
    int value = next & 0xFF;
    return value >= ' ' && value != 0x7F || isSpace(next) || value == 0x1B;
  }

  /** Returns the number of received bytes from there that match the expected text. */
  private int sameAs(String expected, int from) {
    int same = 0;
    while (same < expected.length()
        && from + same < end
        && bytes[from + same] == expected.charAt(same)) {
      same++;
    }
    return same;
  }

  private static boolean isSpace(byte next) {
    return next == ' ' || next == '\t' || next == '\r' || next == '\n';
  }

  private static boolean isDigit(byte next) {
    return next >= '0' && next <= '9';
  }
}
