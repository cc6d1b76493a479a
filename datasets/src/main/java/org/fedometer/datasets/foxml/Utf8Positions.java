package org.fedometer.datasets.foxml;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A UTF-8 file during parsing that finds the byte position of a parser's character. Only the
 * parser's possible read-ahead is in memory. For one thread.
 */
final class Utf8Positions extends FilterInputStream {

  /** More than the parser and its decoder buffer together: 4,000 characters and 8,192 bytes. */
  private static final int AHEAD_BYTES = 1 << 16;

  private byte[] held = new byte[2 * AHEAD_BYTES];
  private int at;
  private int end;
  private long bytes;
  private long characters;
  private long ampersands;

  Utf8Positions(InputStream in) {
    super(in);
  }

  /**
   * @param from the offset of its first byte
   * @param ampersands the number of ampersands before it
   */
  record Position(long from, long ampersands) {}

  /**
   * Returns the position of a character, counted in UTF-16 units after the byte order mark; null if
   * it was read too long ago. Characters must be requested in ascending order.
   */
  Position of(long character) {
    if (character < characters) {
      return null;
    }
    while (at < end && (characters < character || isWithin(held[at]))) {
      pass();
    }
    return characters == character ? new Position(bytes, ampersands) : null;
  }

  private static boolean isWithin(byte next) {
    return (next & 0xC0) == 0x80;
  }

  private void pass() {
    int next = held[at++] & 0xFF;
    boolean isMark = bytes == 0 && next == 0xEF && at + 1 < end && startsWithMark();
    if (isMark) {
      at += 2;
      bytes += 3;
      return;
    }
    bytes++;
    if (!isWithin((byte) next)) {
      characters += next >= 0xF0 ? 2 : 1;
      ampersands += next == '&' ? 1 : 0;
    }
  }

  /** Does the same as {@link #pass} for many bytes other than the file's first. */
  private void passTo(int until) {
    int passedCharacters = 0;
    int passedAmpersands = 0;
    for (int i = at; i < until; i++) {
      byte next = held[i];
      if (!isWithin(next)) {
        passedCharacters += (next & 0xFF) >= 0xF0 ? 2 : 1;
        passedAmpersands += next == '&' ? 1 : 0;
      }
    }
    bytes += Math.max(0, until - at);
    at = Math.max(at, until);
    characters += passedCharacters;
    ampersands += passedAmpersands;
  }

  private boolean startsWithMark() {
    return (held[at] & 0xFF) == 0xBB && (held[at + 1] & 0xFF) == 0xBF;
  }

  private void hold(byte[] from, int offset, int length) {
    if (end - at > AHEAD_BYTES) {
      pass();
      passTo(end - AHEAD_BYTES);
    }
    if (end + length > held.length) {
      byte[] rest = Arrays.copyOfRange(held, at, end);
      if (rest.length + length > held.length) {
        held = new byte[rest.length + length];
      }
      System.arraycopy(rest, 0, held, 0, rest.length);
      at = 0;
      end = rest.length;
    }
    System.arraycopy(from, offset, held, end, length);
    end += length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] out, int from, int length) throws IOException {
    int count = in.read(out, from, length);
    if (count > 0) {
      hold(out, from, count);
    }
    return count;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
