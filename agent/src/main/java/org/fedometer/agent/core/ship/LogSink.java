package org.fedometer.agent.core.ship;

import org.fedometer.wire.record.LogLevel;

/** Accepts log lines for sending; drainer's thread, never blocks. */
public interface LogSink {

  /**
   * Accepts one line, unless it throws.
   *
   * @param atNanos reading of {@code System.nanoTime()}
   * @param traceId the line's request, 0 if none
   * @param thrown stack trace, empty if none
   */
  void log(
      long atNanos,
      LogLevel level,
      long traceId,
      String logger,
      String thread,
      String message,
      String thrown);

  void flush();
}
