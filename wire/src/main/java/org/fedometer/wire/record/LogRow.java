package org.fedometer.wire.record;

/**
 * A log line of a frame. {@link LogDecoder} fills one again and again: a consumer reads it at once,
 * on the decoding thread; it neither keeps nor changes it.
 */
public final class LogRow {
  /** {@code System.nanoTime()} when it was logged. */
  public long atNanos;

  public LogLevel level;

  /** Request during which it was logged, 0 if none. */
  public long traceId;

  public String logger;

  public String thread;

  /** As formatted, without date and level. */
  public String message;

  /** Stack trace of the exception that was logged with it, empty if none. */
  public String thrown;

  /** A JSON object of what else was known when it was logged, empty if nothing. */
  public String context;

  LogRow() {}
}
