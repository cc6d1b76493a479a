package org.fedometer.agent.core.telemetry;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.agent.core.ship.TelemetrySink;

/** Keeps what is read in memory. Any thread. */
final class RecordingSink implements TelemetrySink {

  record Pause(String collector, String cause, long startNanos, long durationNanos, long before) {}

  final Map<String, Double> values = new ConcurrentHashMap<>();
  final List<Pause> pauses = new CopyOnWriteArrayList<>();

  double last(String metric) {
    return values.get(metric);
  }

  @Override
  public void value(long atNanos, String metric, String unit, double value) {
    values.put(metric, value);
  }

  @Override
  public void pause(
      String collector,
      String action,
      String cause,
      long startNanos,
      long durationNanos,
      long heapBeforeBytes,
      long heapAfterBytes) {
    pauses.add(new Pause(collector, cause, startNanos, durationNanos, heapBeforeBytes));
  }

  @Override
  public void flush() {
    // Nothing waits.
  }

  @Override
  public long droppedSinceLastCall() {
    return 0;
  }
}
