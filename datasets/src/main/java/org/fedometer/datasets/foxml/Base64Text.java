package org.fedometer.datasets.foxml;

import java.util.Arrays;

/**
 * Decodes base64 in pieces, as strictly as Fedora's schema: only white space may be anywhere,
 * groups are complete and unused bits are zero. For one text and one thread.
 */
final class Base64Text {

  private static final byte INVALID = -1;
  private static final byte SPACE = -2;
  private static final byte PADDING = -3;
  private static final byte[] MEANING = meaning();

  private int bits;
  private int digits;
  private int padding;
  private boolean ended;
  private boolean empty = true;

  private static byte[] meaning() {
    byte[] meaning = new byte[128];
    Arrays.fill(meaning, INVALID);
    String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < digits.length(); i++) {
      meaning[digits.charAt(i)] = (byte) i;
    }
    for (char space : " \t\r\n".toCharArray()) {
      meaning[space] = SPACE;
    }
    meaning['='] = PADDING;
    return meaning;
  }

  /** Returns the largest number of bytes from a piece of so many characters. */
  static int maxBytes(int characters) {
    return characters / 4 * 3 + 3;
  }

  /**
   * @param out the target, at least {@link #maxBytes} long, written from its start
   * @return the number of bytes in {@code out}
   * @throws UnusableFoxmlException if this is not base64
   */
  int decode(char[] text, int from, int length, byte[] out) throws UnusableFoxmlException {
    int written = 0;
    empty &= length == 0;
    for (int i = from; i < from + length; i++) {
      char c = text[i];
      int meaning = c < 128 ? MEANING[c] : INVALID;
      if (meaning >= 0 && !ended && padding == 0) {
        bits = bits << 6 | meaning;
        if (++digits == 4) {
          out[written++] = (byte) (bits >> 16);
          out[written++] = (byte) (bits >> 8);
          out[written++] = (byte) bits;
          digits = 0;
          bits = 0;
        }
      } else if (meaning == PADDING && !ended && digits >= 2) {
        if (digits + ++padding == 4) {
          written += last(out, written);
        }
      } else if (meaning != SPACE) {
        throw new UnusableFoxmlException(
            "is not base64: it has a misplaced character %s".formatted(named(c)));
      }
    }
    return written;
  }

  private int last(byte[] out, int at) throws UnusableFoxmlException {
    ended = true;
    int unused = digits == 2 ? 4 : 2;
    if ((bits & (1 << unused) - 1) != 0) {
      throw new UnusableFoxmlException("is not base64: its unused bits are not zero");
    }
    if (digits == 2) {
      out[at] = (byte) (bits >> 4);
      return 1;
    }
    out[at] = (byte) (bits >> 10);
    out[at + 1] = (byte) (bits >> 2);
    return 2;
  }

  /**
   * @throws UnusableFoxmlException if the text is incomplete
   */
  void end() throws UnusableFoxmlException {
    if (digits != 0 && !ended) {
      throw new UnusableFoxmlException("is not base64: it ends within a group of four characters");
    }
  }

  /** Returns whether there was no character at all, not even white space. */
  boolean isEmpty() {
    return empty;
  }

  private static String named(char c) {
    return c > 0x20 && c < 0x7F ? "'" + c + "'" : "U+%04X".formatted((int) c);
  }
}
