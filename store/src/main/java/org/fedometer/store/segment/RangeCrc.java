package org.fedometer.store.segment;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Computes the CRC-32 of any range of a buffer at a cost independent of the range: from the CRC-32
 * of all bytes before its end and of all before its start. One thread.
 */
final class RangeCrc {
  /** CRC-32 as in zlib, the lowest bit standing for the highest power. */
  private static final int POLYNOMIAL = 0xEDB88320;

  private static final int ONE = 1 << 31;
  private static final int X = 1 << 30;
  private static final int STEP = 256;
  private static final int[] POWERS_OF_TWO = powersOfTwo();

  private final ByteBuffer bytes;

  /** CRCs of the bytes before each multiple of a step. */
  private final int[] before;

  /** Factors of a CRC-32 for so many more bytes. */
  private final int[] shifts = new int[STEP + 1];

  RangeCrc(ByteBuffer bytes) {
    this.bytes = bytes;
    for (int i = 0; i <= STEP; i++) {
      shifts[i] = shift(i);
    }
    before = new int[bytes.limit() / STEP + 1];
    for (int i = 1; i < before.length; i++) {
      before[i] = multiply(shifts[STEP], before[i - 1]) ^ direct((i - 1) * STEP, STEP);
    }
  }

  /** Returns the same value as {@link CRC32}. */
  int of(int begin, int length) {
    if (length <= 2 * STEP) {
      return direct(begin, length);
    }
    return upTo(begin + length) ^ multiply(shift(length), upTo(begin));
  }

  private int upTo(int end) {
    int rest = end % STEP;
    return multiply(shifts[rest], before[end / STEP]) ^ direct(end - rest, rest);
  }

  private int direct(int begin, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes.slice(begin, length));
    return (int) crc.getValue();
  }

  // ---- polynomials over GF(2), modulo that of CRC-32 ----

  /** Returns x to the power of eight per byte. */
  private static int shift(int bytes) {
    int result = ONE;
    for (int bit = 0; bytes >> bit != 0; bit++) {
      if ((bytes >> bit & 1) != 0) {
        result = multiply(POWERS_OF_TWO[bit + 3], result);
      }
    }
    return result;
  }

  /** Returns x to the powers of 1, 2, 4, 8, ... */
  private static int[] powersOfTwo() {
    int[] powers = new int[Integer.SIZE + 3];
    powers[0] = X;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = multiply(powers[i - 1], powers[i - 1]);
    }
    return powers;
  }

  private static int multiply(int a, int b) {
    int product = 0;
    int multiple = b;
    for (int rest = a; rest != 0; rest <<= 1) {
      if (rest < 0) {
        product ^= multiple;
      }
      multiple = multiple >>> 1 ^ ((multiple & 1) == 0 ? 0 : POLYNOMIAL);
    }
    return product;
  }
}
