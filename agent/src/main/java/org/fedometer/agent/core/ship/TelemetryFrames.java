package org.fedometer.agent.core.ship;

import java.util.HashMap;
import java.util.Map;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.session.MetricDictionary;

/**
 * Packs readings and collections into frames, with the name of each metric sent before its number
 * is used. Any thread. Frames that the client has no room for are dropped, and counted by the
 * client; readings that do not get as far as that are counted here.
 */
public final class TelemetryFrames implements TelemetrySink {

  /** Nobody has so many; a fault must not fill memory with names. */
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
        // Values without names could not be read; the names come again.
        readings = new TelemetryEncoder();
        dropped += values;
        return;
      }
      unsentNames = new MetricDictionary();
    }
    offer(FrameType.TELEMETRY, readings.finish(), values);
  }

  /** A frame that the client throws back, for want of memory, is counted nowhere else. */
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
