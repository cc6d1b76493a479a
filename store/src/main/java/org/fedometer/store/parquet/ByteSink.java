package org.fedometer.store.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing byte buffer, little-endian as in Parquet. One thread. */
final class ByteSink {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int size;

  ByteSink(int capacity) {
    bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Returns its bytes, valid until the next addition. */
  ByteBuffer asBuffer() {
    return ByteBuffer.wrap(bytes, 0, size);
  }

  void put8(int value) {
    need(1);
    bytes[size++] = (byte) value;
  }

  void set8(int index, int value) {
    bytes[index] = (byte) value;
  }

  void put32(int value) {
    need(4);
    INT.set(bytes, size, value);
    size += 4;
  }

  void put64(long value) {
    need(8);
    LONG.set(bytes, size, value);
    size += 8;
  }

  void put(byte[] source) {
    need(source.length);
    System.arraycopy(source, 0, bytes, size, source.length);
    size += source.length;
  }

  void put(long[] values, int count) {
    need(count * Long.BYTES);
    for (int i = 0; i < count; i++) {
      LONG.set(bytes, size + i * Long.BYTES, values[i]);
    }
    size += count * Long.BYTES;
  }

  void put(int[] values, int count) {
    need(count * Integer.BYTES);
    for (int i = 0; i < count; i++) {
      INT.set(bytes, size + i * Integer.BYTES, values[i]);
    }
    size += count * Integer.BYTES;
  }

  void varint(long value) {
    need(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  void zigzag(long value) {
    varint(value << 1 ^ value >> 63);
  }

  /**
   * Packs the low bits of numbers, lowest first; pads the last byte with zeros.
   *
   * @param width 0 to 64; the numbers have no higher bits
   */
  void pack(long[] numbers, int count, int width) {
    if (width == 0) {
      return;
    }
    int packed = (int) (((long) count * width + 7) / 8);
    // Writes whole words, which may extend up to seven bytes behind the end.
    need(packed + 8);
    int at = size;
    long word = 0;
    int filled = 0;
    for (int i = 0; i < count; i++) {
      long number = numbers[i];
      word |= number << filled;
      filled += width;
      if (filled >= 64) {
        LONG.set(bytes, at, word);
        at += 8;
        filled -= 64;
        word = filled == 0 ? 0 : number >>> (width - filled);
      }
    }
    if (filled > 0) {
      LONG.set(bytes, at, word);
    }
    size += packed;
  }

  /** Packs shorter numbers as {@link #pack(long[], int, int)} does. */
  void pack(int[] numbers, int from, int count, int width) {
    int packed = (int) (((long) count * width + 7) / 8);
    need(packed + 8);
    int at = size;
    long word = 0;
    int filled = 0;
    for (int i = from; i < from + count; i++) {
      long number = numbers[i];
      word |= number << filled;
      filled += width;
      if (filled >= 64) {
        LONG.set(bytes, at, word);
        at += 8;
        filled -= 64;
        word = filled == 0 ? 0 : number >>> (width - filled);
      }
    }
    if (filled > 0) {
      LONG.set(bytes, at, word);
    }
    size += packed;
  }

  private void need(int count) {
    if (bytes.length - size < count) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, count)));
    }
  }
}
