package org.fedometer.wire.record;

import org.fedometer.wire.MalformedFrameException;

/** Severity of a log line, with its code on the wire. */
public enum LogLevel {
  TRACE(1),
  DEBUG(2),
  INFO(3),
  WARN(4),
  ERROR(5),
  FATAL(6);

  private static final LogLevel[] BY_CODE = values();

  private final int code;

  LogLevel(int code) {
    this.code = code;
  }

  /** Returns the code, 1 to 6. */
  public int code() {
    return code;
  }

  static LogLevel ofCode(int code) throws MalformedFrameException {
    if (code < 1 || code > BY_CODE.length) {
      throw new MalformedFrameException("A level must be a number from 1 to 6, not " + code);
    }
    return BY_CODE[code - 1];
  }
}
