package org.fedometer.wire.record;

/** Takes the values of a frame, one after the other, on the decoding thread. */
@FunctionalInterface
public interface TelemetryConsumer {
  /**
   * @param atNanos {@code System.nanoTime()} when it was read
   * @param metricId number of the metric in the source's {@code MetricDictionary}
   * @param value in the metric's unit
   */
  void value(long atNanos, int metricId, double value);
}
