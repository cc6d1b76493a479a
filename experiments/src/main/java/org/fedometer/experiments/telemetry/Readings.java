package org.fedometer.experiments.telemetry;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.session.MetricDictionary;

/**
 * Collects values by metric and encodes them as frames; each metric's name precedes its number. Not
 * thread-safe.
 */
final class Readings {

  /** Accepts frames, in order. */
  interface Target {
    void frame(FrameType type, byte[] payload) throws IOException;
  }

  private final Map<String, Integer> numbers = new HashMap<>();
  private final TelemetryEncoder encoder = new TelemetryEncoder();
  private MetricDictionary unsentNames = new MetricDictionary();

  /**
   * @param atNanos reading of {@code System.nanoTime()}
   * @param unit as in OpenTelemetry; that of the metric's first value applies
   */
  void add(long atNanos, String metric, String unit, double value) {
    Integer number = numbers.get(metric);
    if (number == null) {
      number = numbers.size();
      numbers.put(metric, number);
      unsentNames.put(number, metric, unit);
    }
    encoder.add(atNanos, number, value);
  }

  /**
   * Sends what was added since the last call.
   *
   * @throws IOException if the target failed; values are lost, their names are sent again
   */
  void send(Target target) throws IOException {
    if (encoder.count() == 0) {
      return;
    }
    byte[] values = encoder.finish();
    if (!unsentNames.entries().isEmpty()) {
      target.frame(FrameType.METRICS, unsentNames.encode());
      unsentNames = new MetricDictionary();
    }
    target.frame(FrameType.TELEMETRY, values);
  }
}
