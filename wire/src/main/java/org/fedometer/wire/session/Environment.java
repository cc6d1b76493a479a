package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * A source's host, process and settings: the payload of {@code FrameType.ENVIRONMENT}. A source may
 * send more later; for a repeated name the newest value applies. Not thread-safe.
 */
public final class Environment {
  /** Longer names are truncated. */
  public static final int MAX_NAME_BYTES = 255;

  /** Longer values are truncated. */
  public static final int MAX_VALUE_BYTES = 4096;

  private final Map<String, String> entries = new LinkedHashMap<>();

  /**
   * @param name such as {@code host.cpu.model}, truncated to {@link #MAX_NAME_BYTES}
   * @param value truncated to {@link #MAX_VALUE_BYTES}
   */
  public Environment put(String name, String value) {
    entries.put(name, value);
    return this;
  }

  /** Returns an unmodifiable view in insertion order. */
  public Map<String, String> entries() {
    return Collections.unmodifiableMap(entries);
  }

  /**
   * @throws IllegalStateException if this exceeds a frame: send several
   */
  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.varint(entries.size());
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      out.truncatedString(entry.getKey(), MAX_NAME_BYTES);
      out.truncatedString(entry.getValue(), MAX_VALUE_BYTES);
    }
    return out.toByteArray();
  }

  /**
   * For a repeated name the last value applies.
   *
   * @throws MalformedFrameException also for trailing bytes, and for a name or a value that {@code
   *     encode} would truncate
   */
  public static Environment decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    Environment environment = new Environment();
    int count = in.count("names", 2);
    for (int i = 0; i < count; i++) {
      String name = in.string("A name", MAX_NAME_BYTES);
      environment.put(name, in.string("A value", MAX_VALUE_BYTES));
    }
    in.expectEnd();
    return environment;
  }
}
