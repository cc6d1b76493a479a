package org.fedometer.collector.logs;

/** Format of a connection's bytes, as detected from the first ones. */
public enum LogFormat {
  /** Consecutive objects, optionally separated by white space or NUL. */
  JSON,
  /** Objects in an array, possibly without its start: {@code complete="true"}. */
  JSON_ARRAY,
  /** Log4j2's XmlLayout. */
  XML,
  /** RFC 5424, newline after each event. */
  SYSLOG_LINES,
  /** RFC 5424, length before each event. */
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

  /** Returns whether the connection's end may end an event. */
  boolean endsWithTheConnection() {
    return this == SYSLOG_LINES || this == LINES;
  }
}
