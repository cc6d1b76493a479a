package org.fedometer.wire.record;

/** Accepts the values of a frame one by one, on the decoding thread. */
@FunctionalInterface
public interface TelemetryConsumer {
  /**
   * @param atNanos {@code System.nanoTime()} of the reading
   * @param metricId number of the metric in the source's {@code MetricDictionary}
   * @param value in the metric's unit
   */
  void value(long atNanos, int metricId, double value);
}
