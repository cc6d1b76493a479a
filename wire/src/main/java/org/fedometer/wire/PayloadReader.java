package org.fedometer.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Reads a payload and checks every length before it allocates. Leaves the position of the caller's
 * buffer. One thread at a time.
 */
public final class PayloadReader {
  private final byte[] bytes;
  private final int end;
  private int position;

  /** Reads from the payload's position to its limit; the payload must not change meanwhile. */
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

  /**
   * @throws MalformedFrameException if bytes are left
   */
  public void expectEnd() throws MalformedFrameException {
    if (position < end) {
      throw new MalformedFrameException(
          "The payload has " + Counted.of(remaining(), "byte") + " too many");
    }
  }

  /** Reads one byte, 0 to 255. */
  public int fixed8() throws MalformedFrameException {
    need(1);
    return bytes[position++] & 0xFF;
  }

  /** Reads four bytes, big-endian. */
  public int fixed32() throws MalformedFrameException {
    return fixed8() << 24 | fixed8() << 16 | fixed8() << 8 | fixed8();
  }

  /** Reads eight bytes, big-endian. */
  public long fixed64() throws MalformedFrameException {
    return (long) fixed32() << 32 | fixed32() & 0xFFFFFFFFL;
  }

  /** Reads eight bytes, big-endian: the bits of any double, including NaNs. */
  public double fixedDouble() throws MalformedFrameException {
    return Double.longBitsToDouble(fixed64());
  }

  /** Reads sixteen bytes, big-endian. */
  public UUID uuid() throws MalformedFrameException {
    long high = fixed64();
    return new UUID(high, fixed64());
  }

  /** Reads one byte: 1 is true, 0 is false, all else is malformed. */
  public boolean flag() throws MalformedFrameException {
    int value = fixed8();
    if (value > 1) {
      throw new MalformedFrameException("A flag must be 0 or 1, not " + value);
    }
    return value == 1;
  }

  /**
   * Reads seven bits a byte, least significant first, in at most ten bytes. Unsigned: a negative
   * result is 2^63 or more.
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

  /** Reads a varint in which 0, 1, 2, 3 stand for 0, -1, 1, -2. */
  public long zigzag() throws MalformedFrameException {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  /** Reads a varint between 0 and {@link Integer#MAX_VALUE}. */
  public int varintInt(String what) throws MalformedFrameException {
    long value = varint();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new MalformedFrameException(what + " is out of range: " + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  /**
   * Reads a count of items that need at least {@code minBytesEach} bytes each of the remaining
   * bytes.
   */
  public int count(String what, int minBytesEach) throws MalformedFrameException {
    int count = varintInt(what);
    if ((long) count * minBytesEach > remaining()) {
      throw new MalformedFrameException(
          "A payload with " + remaining() + " bytes left cannot hold " + count + " " + what);
    }
    return count;
  }

  /**
   * Reads UTF-8 text after its length in bytes, a varint.
   *
   * @throws MalformedFrameException if it is longer than {@code maxUtf8Bytes} or not UTF-8
   */
  public String string(String what, int maxUtf8Bytes) throws MalformedFrameException {
    byte[] encoded = bytes(what, maxUtf8Bytes);
    String text = encoded.length == 0 ? "" : new String(encoded, StandardCharsets.UTF_8);
    // Malformed bytes become U+FFFD, which is longer: encoded again, the text could exceed the
    // limit.
    if (text.indexOf('\uFFFD') >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), encoded)) {
      throw new MalformedFrameException(what + " is not UTF-8");
    }
    return text;
  }

  /**
   * Reads bytes after their count, a varint, into a new array.
   *
   * @throws MalformedFrameException if there are more than {@code maxBytes}
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
