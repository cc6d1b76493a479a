package org.fedometer.wire.record;

/** Takes the log lines of a frame, one after the other, on the decoding thread. */
@FunctionalInterface
public interface LogConsumer {
  /**
   * @param atNanos {@code System.nanoTime()} when it was logged
   * @param level how grave it is
   * @param traceId request during which it was logged, 0 if none
   * @param logger name of the logger
   * @param thread name of the thread that logged it
   * @param message as formatted, without date and level
   * @param thrown stack trace of the exception that was logged with it, empty if none
   * @param context a JSON object of what else was known when it was logged, empty if nothing
   */
  void log(
      long atNanos,
      LogLevel level,
      long traceId,
      String logger,
      String thread,
      String message,
      String thrown,
      String context);
}
