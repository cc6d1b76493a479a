package org.fedometer.agent.core.ship;

import org.fedometer.wire.record.LogLevel;

/** Takes lines of logs, to send them on; the drainer's thread, which waits for nothing. */
public interface LogSink {

  /**
   * One line; not taken where that throws.
   *
   * @param atNanos reading of {@code System.nanoTime()}
   * @param traceId of the request that it belongs to, 0 if none
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
