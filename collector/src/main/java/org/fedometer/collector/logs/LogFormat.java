package org.fedometer.collector.logs;

/** What a connection's bytes are, as far as its first ones tell. */
public enum LogFormat {
  /** Objects, one after the other, with any white space or NUL between them, or nothing. */
  JSON,
  /** The same in an array, or what comes of one behind its head: {@code complete="true"}. */
  JSON_ARRAY,
  /** Log4j2's XmlLayout. */
  XML,
  /** RFC 5424, each event ended by a newline. */
  SYSLOG_LINES,
  /** RFC 5424, the length before each event. */
  SYSLOG_COUNTED,
  LINES;

  EventCutter cutter() {
    return switch (this) {
      case JSON, JSON_ARRAY -> new JsonCutter();
      case XML -> new XmlCutter();
      case SYSLOG_COUNTED -> new CountedCutter();
      case SYSLOG_LINES, LINES -> new LineCutter();
    };
  }

  /** Whether an event may end where the connection ends. */
  boolean endsWithTheConnection() {
    return this == SYSLOG_LINES || this == LINES;
  }
}
