package org.fedometer.wire.record;

import org.fedometer.wire.MalformedFrameException;

/** How grave a line of a log is, with the number that stands for it on the wire. */
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

  /** 1 to 6. */
  public int code() {
    return code;
  }

  static LogLevel ofCode(int code) throws MalformedFrameException {
    if (code < 1 || code > BY_CODE.length) {
      throw new MalformedFrameException("A level is a number from 1 to 6, not " + code);
    }
    return BY_CODE[code - 1];
  }
}
