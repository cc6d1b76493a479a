package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * Names for the numbers in other frames: the payload of {@code FrameType.STAGES} and {@code
 * FrameType.THREADS}. A source sends a number's name before the number. Later dictionaries add
 * entries to earlier ones. Numbers belong to the source. Not thread-safe.
 */
public final class Dictionary {
  /** Longer names are truncated. */
  public static final int MAX_NAME_BYTES = 1024;

  private final Map<Integer, String> entries = new LinkedHashMap<>();

  /**
   * @param id 0 and up; small numbers are short on the wire
   * @param name truncated to {@link #MAX_NAME_BYTES}
   */
  public Dictionary put(int id, String name) {
    if (id < 0) {
      throw new IllegalArgumentException("A dictionary's number must be 0 or more, not " + id);
    }
    entries.put(id, name);
    return this;
  }

  /** Returns an unmodifiable view in insertion order. */
  public Map<Integer, String> entries() {
    return Collections.unmodifiableMap(entries);
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.varint(entries.size());
    for (Map.Entry<Integer, String> entry : entries.entrySet()) {
      out.varint(entry.getKey());
      out.truncatedString(entry.getValue(), MAX_NAME_BYTES);
    }
    return out.toByteArray();
  }

  /**
   * For a repeated number the last name applies.
   *
   * @throws MalformedFrameException also for trailing bytes, for a number that {@link #put} would
   *     reject, and for a name that {@code encode} would truncate
   */
  public static Dictionary decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    Dictionary dictionary = new Dictionary();
    int count = in.count("names", 2);
    for (int i = 0; i < count; i++) {
      int id = in.varintInt("A number of a dictionary");
      dictionary.put(id, in.string("A name", MAX_NAME_BYTES));
    }
    in.expectEnd();
    return dictionary;
  }
}
