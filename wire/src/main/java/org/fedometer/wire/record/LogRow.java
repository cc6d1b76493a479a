package org.fedometer.wire.record;

/**
 * A log line of a frame. {@link LogDecoder} reuses the instance: a consumer reads it at once, on
 * the decoding thread, and neither keeps nor changes it.
 */
public final class LogRow {
  /** {@code System.nanoTime()} when it was logged. */
  public long atNanos;

  public LogLevel level;

  /** Request during which it was logged, 0 if none. */
  public long traceId;

  public String logger;

  public String thread;

  /** Formatted message, without date and level. */
  public String message;

  /** Stack trace of the logged exception, empty if none. */
  public String thrown;

  /** A JSON object with the line's context, empty if none. */
  public String context;

  LogRow() {}
}
