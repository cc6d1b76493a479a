package org.fedometer.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Builds a payload in a buffer that grows up to a limit. One thread at a time. */
public final class PayloadWriter {
  private static final int MAX_VARINT_BYTES = 10;

  private final int maxBytes;
  private byte[] bytes;
  private int size;

  /**
   * @param initialBytes initial capacity
   * @param maxBytes limit; writing beyond it throws an {@link IllegalStateException}
   */
  public PayloadWriter(int initialBytes, int maxBytes) {
    this.bytes = new byte[initialBytes];
    this.maxBytes = maxBytes;
  }

  /** Creates a writer with the limit of a frame's payload. */
  public PayloadWriter() {
    this(256, Frame.MAX_PAYLOAD_BYTES);
  }

  public int size() {
    return size;
  }

  /** Starts another payload in the same memory. */
  public void reset() {
    size = 0;
  }

  /** Discards everything written after this size; allocates nothing. */
  public void truncateTo(int sizeBefore) {
    size = sizeBefore;
  }

  /** Returns a copy of the bytes written so far. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** Returns a payload that starts with the number of its entries. */
  public static byte[] counted(int count, PayloadWriter entries) {
    PayloadWriter head = new PayloadWriter(MAX_VARINT_BYTES, MAX_VARINT_BYTES);
    head.varint(count);
    byte[] payload = Arrays.copyOf(head.bytes, head.size + entries.size);
    System.arraycopy(entries.bytes, 0, payload, head.size, entries.size);
    return payload;
  }

  /** Writes one byte: the lowest eight bits of the value. */
  public void fixed8(int value) {
    ensureCapacity(1);
    bytes[size++] = (byte) value;
  }

  /** Writes four bytes, big-endian. */
  public void fixed32(int value) {
    ensureCapacity(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  /** Writes eight bytes, big-endian. */
  public void fixed64(long value) {
    fixed32((int) (value >>> 32));
    fixed32((int) value);
  }

  /** Writes the bits of any value, including those of a NaN. */
  public void fixedDouble(double value) {
    fixed64(Double.doubleToRawLongBits(value));
  }

  /** Writes sixteen bytes, big-endian. */
  public void uuid(UUID value) {
    fixed64(value.getMostSignificantBits());
    fixed64(value.getLeastSignificantBits());
  }

  /** Writes one byte, 1 for true and 0 for false. */
  public void flag(boolean value) {
    fixed8(value ? 1 : 0);
  }

  /**
   * Writes seven bits a byte, least significant first, unsigned: a negative number needs ten bytes.
   */
  public void varint(long value) {
    ensureCapacity(MAX_VARINT_BYTES);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /**
   * Writes a varint in which small negative numbers are short too (0, -1, 1, -2 become 0, 1, 2, 3).
   */
  public void zigzag(long value) {
    varint(value << 1 ^ value >> 63);
  }

  /**
   * @throws IllegalArgumentException if the value is longer than {@code maxUtf8Bytes}
   */
  public void string(String what, String value, int maxUtf8Bytes) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    if (encoded.length > maxUtf8Bytes) {
      throw new IllegalArgumentException(
          what + " has " + encoded.length + " bytes in UTF-8, at most " + maxUtf8Bytes + " fit");
    }
    varint(encoded.length);
    raw(encoded);
  }

  /** Truncates the value to {@code maxUtf8Bytes} at a character boundary. */
  public void truncatedString(String value, int maxUtf8Bytes) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    int length = encoded.length;
    if (length > maxUtf8Bytes) {
      length = maxUtf8Bytes;
      while (length > 0 && (encoded[length] & 0xC0) == 0x80) {
        length--;
      }
    }
    varint(length);
    ensureCapacity(length);
    System.arraycopy(encoded, 0, bytes, size, length);
    size += length;
  }

  /** Writes the bytes without their count. */
  public void raw(byte[] value) {
    ensureCapacity(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  /** Appends another writer's bytes without their count. */
  public void append(PayloadWriter other) {
    ensureCapacity(other.size);
    System.arraycopy(other.bytes, 0, bytes, size, other.size);
    size += other.size;
  }

  /**
   * Reserves memory for this many more bytes.
   *
   * @throws IllegalStateException if that exceeds the limit
   */
  public void ensureCapacity(int more) {
    int needed = size + more;
    if (needed <= bytes.length) {
      return;
    }
    if (needed > maxBytes) {
      throw new IllegalStateException(
          "A payload holds at most " + maxBytes + " bytes: finish this one and begin another");
    }
    bytes = Arrays.copyOf(bytes, Math.min(maxBytes, Math.max(needed, bytes.length * 2)));
  }
}
