package org.fedometer.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Reads a payload with every length checked before anything is allocated for it. The caller's
 * buffer keeps its position. One thread at a time.
 */
public final class PayloadReader {
  private final byte[] bytes;
  private final int end;
  private int position;

  /** Reads the payload from its position to its limit; it must not change meanwhile. */
  public PayloadReader(ByteBuffer payload) {
    if (payload.hasArray()) {
      bytes = payload.array();
      position = payload.arrayOffset() + payload.position();
    } else {
      bytes = new byte[payload.remaining()];
      payload.duplicate().get(bytes);
    }
    end = position + payload.remaining();
  }

  public int remaining() {
    return end - position;
  }

  /** Refuses a payload that has bytes left. */
  public void expectEnd() throws MalformedFrameException {
    if (position < end) {
      throw new MalformedFrameException(
          Counted.of(remaining(), "byte") + " too many in the payload");
    }
  }

  /** One byte, 0 to 255. */
  public int fixed8() throws MalformedFrameException {
    need(1);
    return bytes[position++] & 0xFF;
  }

  /** Four bytes, big-endian. */
  public int fixed32() throws MalformedFrameException {
    return fixed8() << 24 | fixed8() << 16 | fixed8() << 8 | fixed8();
  }

  /** Eight bytes, big-endian. */
  public long fixed64() throws MalformedFrameException {
    return (long) fixed32() << 32 | fixed32() & 0xFFFFFFFFL;
  }

  /** Eight bytes, big-endian: the bits of any double, NaNs included. */
  public double fixedDouble() throws MalformedFrameException {
    return Double.longBitsToDouble(fixed64());
  }

  /** Sixteen bytes, big-endian. */
  public UUID uuid() throws MalformedFrameException {
    long high = fixed64();
    return new UUID(high, fixed64());
  }

  /** One byte: 1 is true, 0 is false, all else is refused. */
  public boolean flag() throws MalformedFrameException {
    int value = fixed8();
    if (value > 1) {
      throw new MalformedFrameException("A flag is 0 or 1, not " + value);
    }
    return value == 1;
  }

  /**
   * Seven bits a byte, least significant first, in at most ten bytes; unsigned: what comes out
   * negative is 2^63 or more.
   */
  public long varint() throws MalformedFrameException {
    if (position < end && bytes[position] >= 0) {
      return bytes[position++];
    }
    return longVarint();
  }

  private long longVarint() throws MalformedFrameException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      need(1);
      byte next = bytes[position++];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        if (shift == 63 && next > 1) {
          break;
        }
        return value;
      }
    }
    throw new MalformedFrameException("A varint has more than 64 bits");
  }

  /** A varint of which 0, 1, 2, 3 stand for 0, -1, 1, -2. */
  public long zigzag() throws MalformedFrameException {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  /** A varint that must lie between 0 and {@link Integer#MAX_VALUE}. */
  public int varintInt(String what) throws MalformedFrameException {
    long value = varint();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new MalformedFrameException(what + " is out of range: " + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  /** A count of things that take at least {@code minBytesEach} bytes each of what is left. */
  public int count(String what, int minBytesEach) throws MalformedFrameException {
    int count = varintInt(what);
    if ((long) count * minBytesEach > remaining()) {
      throw new MalformedFrameException(
          "A payload with " + remaining() + " bytes left cannot hold " + count + " " + what);
    }
    return count;
  }

  /**
   * Text in UTF-8 behind its length in bytes, a varint; refused if it is longer than {@code
   * maxUtf8Bytes}, or malformed.
   */
  public String string(String what, int maxUtf8Bytes) throws MalformedFrameException {
    byte[] encoded = bytes(what, maxUtf8Bytes);
    String text = encoded.length == 0 ? "" : new String(encoded, StandardCharsets.UTF_8);
    // Malformed bytes become U+FFFD, which is longer: written again, the text could be too long.
    if (text.indexOf('\uFFFD') >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), encoded)) {
      throw new MalformedFrameException(what + " is not UTF-8");
    }
    return text;
  }

  /**
   * A copy of bytes that stand behind their number, a varint; more than {@code maxBytes} are
   * refused.
   */
  public byte[] bytes(String what, int maxBytes) throws MalformedFrameException {
    int length = varintInt("The length of " + what);
    if (length > maxBytes) {
      throw new MalformedFrameException(
          what + " has " + length + " bytes, at most " + maxBytes + " are allowed");
    }
    need(length);
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  private void need(int count) throws MalformedFrameException {
    if (end - position < count) {
      throw new MalformedFrameException("The payload ends too early");
    }
  }
}
