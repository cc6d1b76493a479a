package org.fedometer.agent.core.ship;

/** Takes what the agent reads besides samples, to send it on; any thread, waits for nothing. */
public interface TelemetrySink {

  /**
   * One reading of a gauge or counter.
   *
   * @param atNanos reading of {@code System.nanoTime()}; values of one time go together
   * @param unit as in OpenTelemetry; that of the metric's first value counts
   */
  void value(long atNanos, String metric, String unit, double value);

  /**
   * A stop of all threads for a garbage collection.
   *
   * @param startNanos on the clock of {@code System.nanoTime()}
   */
  void pause(
      String collector,
      String action,
      String cause,
      long startNanos,
      long durationNanos,
      long heapBeforeBytes,
      long heapAfterBytes);

  void flush();

  /** Values and stops that were lost before they were handed over, since this was asked last. */
  long droppedSinceLastCall();
}
