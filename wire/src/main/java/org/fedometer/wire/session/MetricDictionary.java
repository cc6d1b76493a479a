package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * Names and units for the numbers that {@code FrameType.TELEMETRY} uses: the payload of {@code
 * FrameType.METRICS}. A source sends a number's name before the number; it may send more
 * dictionaries later, whose entries are added to what is known. Numbers belong to the source. Not
 * thread-safe.
 */
public final class MetricDictionary {
  /** Longer names and units are cut. */
  public static final int MAX_TEXT_BYTES = 1024;

  private final Map<Integer, Metric> entries = new LinkedHashMap<>();

  /**
   * @param id 0 and up; small numbers are short on the wire
   * @param name such as {@code jvm.heap.used}, cut at {@link #MAX_TEXT_BYTES}
   * @param unit such as {@code bytes}, empty for a bare number, cut at {@link #MAX_TEXT_BYTES}
   */
  public MetricDictionary put(int id, String name, String unit) {
    if (id < 0) {
      throw new IllegalArgumentException("A dictionary's numbers start at 0, not at " + id);
    }
    entries.put(id, new Metric(name, unit));
    return this;
  }

  /** In the order in which they were put; a view that cannot be changed. */
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
   * Of a number that comes twice the last name and unit count.
   *
   * @throws MalformedFrameException also for bytes too many, and for a number that {@link #put}
   *     would refuse, and a text that {@code encode} would have cut
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

  /** Something that is read again and again. Immutable. */
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
