package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * Names and units for the numbers in {@code FrameType.TELEMETRY}: the payload of {@code
 * FrameType.METRICS}. A source sends a number's name before the number. Later dictionaries add
 * entries to earlier ones. Numbers belong to the source. Not thread-safe.
 */
public final class MetricDictionary {
  /** Longer names and units are truncated. */
  public static final int MAX_TEXT_BYTES = 1024;

  private final Map<Integer, Metric> entries = new LinkedHashMap<>();

  /**
   * @param id 0 and up; small numbers are short on the wire
   * @param name such as {@code jvm.heap.used}, truncated to {@link #MAX_TEXT_BYTES}
   * @param unit such as {@code bytes}, empty for a bare number, truncated to {@link
   *     #MAX_TEXT_BYTES}
   */
  public MetricDictionary put(int id, String name, String unit) {
    if (id < 0) {
      throw new IllegalArgumentException("A dictionary's number must be 0 or more, not " + id);
    }
    entries.put(id, new Metric(name, unit));
    return this;
  }

  /** Returns an unmodifiable view in insertion order. */
  public Map<Integer, Metric> entries() {
    return Collections.unmodifiableMap(entries);
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.varint(entries.size());
    for (Map.Entry<Integer, Metric> entry : entries.entrySet()) {
      out.varint(entry.getKey());
      out.truncatedString(entry.getValue().name, MAX_TEXT_BYTES);
      out.truncatedString(entry.getValue().unit, MAX_TEXT_BYTES);
    }
    return out.toByteArray();
  }

  /**
   * For a repeated number the last name and unit apply.
   *
   * @throws MalformedFrameException also for trailing bytes, for a number that {@link #put} would
   *     reject, and for a text that {@code encode} would truncate
   */
  public static MetricDictionary decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    MetricDictionary dictionary = new MetricDictionary();
    int count = in.count("metrics", 3);
    for (int i = 0; i < count; i++) {
      int id = in.varintInt("A metric's number");
      String name = in.string("A metric's name", MAX_TEXT_BYTES);
      dictionary.put(id, name, in.string("A unit", MAX_TEXT_BYTES));
    }
    in.expectEnd();
    return dictionary;
  }

  /** A value that is read periodically. Immutable. */
  public static final class Metric {
    private final String name;
    private final String unit;

    Metric(String name, String unit) {
      this.name = name;
      this.unit = unit;
    }

    public String name() {
      return name;
    }

    public String unit() {
      return unit;
    }
  }
}
