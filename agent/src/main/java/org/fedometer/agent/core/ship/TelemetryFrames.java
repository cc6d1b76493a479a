package org.fedometer.agent.core.ship;

import java.util.HashMap;
import java.util.Map;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.session.MetricDictionary;

/**
 * Packs readings and collections into frames; sends the name of each metric before its number. Any
 * thread. The client drops and counts frames that it has no space for; readings lost before that
 * are counted here.
 */
public final class TelemetryFrames implements TelemetrySink {

  /** Far above any real number; a fault must not fill memory with names. */
  private static final int MAX_METRICS = 1_000;

  private static final int FRAME_BYTES = 64 * 1024;

  private final CollectorClient client;
  private final Map<String, Integer> numbers = new HashMap<>();
  private TelemetryEncoder readings = new TelemetryEncoder();
  private final GcEncoder collections = new GcEncoder();
  private MetricDictionary unsentNames = new MetricDictionary();
  private long dropped;

  public TelemetryFrames(CollectorClient client) {
    this.client = client;
  }

  @Override
  public synchronized void value(long atNanos, String metric, String unit, double value) {
    Integer number = numbers.get(metric);
    if (number == null) {
      if (numbers.size() == MAX_METRICS) {
        dropped++;
        return;
      }
      number = numbers.size();
      unsentNames.put(number, metric, unit);
      numbers.put(metric, number);
    }
    boolean packed = false;
    try {
      readings.add(atNanos, number, value);
      packed = true;
    } finally {
      if (!packed) {
        dropped++;
      }
    }
    if (readings.sizeBytes() >= FRAME_BYTES) {
      flush();
    }
  }

  @Override
  public synchronized void pause(
      String collector,
      String action,
      String cause,
      long startNanos,
      long durationNanos,
      long heapBeforeBytes,
      long heapAfterBytes) {
    boolean packed = false;
    try {
      collections.add(
          collector, action, cause, startNanos, durationNanos, heapBeforeBytes, heapAfterBytes);
      packed = true;
    } finally {
      if (!packed) {
        dropped++;
      }
    }
    if (collections.sizeBytes() >= FRAME_BYTES) {
      flush();
    }
  }

  @Override
  public synchronized void flush() {
    int pauses = collections.count();
    if (pauses > 0) {
      offer(FrameType.GC, collections.finish(), pauses);
    }
    int values = readings.count();
    if (values == 0) {
      return;
    }
    if (!unsentNames.entries().isEmpty()) {
      if (!client.offer(FrameType.METRICS, unsentNames.encode())) {
        // Values without names are unreadable; the names are sent again.
        readings = new TelemetryEncoder();
        dropped += values;
        return;
      }
      unsentNames = new MetricDictionary();
    }
    offer(FrameType.TELEMETRY, readings.finish(), values);
  }

  /** Counts a frame that the client rejects for lack of memory, which no other counter includes. */
  private void offer(FrameType type, byte[] payload, int count) {
    boolean offered = false;
    try {
      client.offer(type, payload);
      offered = true;
    } finally {
      if (!offered) {
        dropped += count;
      }
    }
  }

  @Override
  public synchronized long droppedSinceLastCall() {
    long count = dropped;
    dropped = 0;
    return count;
  }
}
