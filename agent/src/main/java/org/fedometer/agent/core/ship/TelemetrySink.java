package org.fedometer.agent.core.ship;

/** Accepts the agent's readings besides samples for sending; any thread, never blocks. */
public interface TelemetrySink {

  /**
   * Accepts one reading of a gauge or counter.
   *
   * @param atNanos reading of {@code System.nanoTime()}; values with the same time form one reading
   * @param unit as in OpenTelemetry; that of the metric's first value applies
   */
  void value(long atNanos, String metric, String unit, double value);

  /**
   * Accepts a stop of all threads for a garbage collection.
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

  /** Returns the values and stops since the last call that were lost before they became a frame. */
  long droppedSinceLastCall();
}
