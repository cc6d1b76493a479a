package org.fedometer.datasets.content;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Compresses black and white rows by ITU-T T.6 (CCITT Group 4), which is compression 4 in TIFF and
 * {@code /CCITTFaxDecode} with {@code /K -1} in PDF. Implemented here because the pool of page
 * strips is created at every start. PDFBox takes six times as long, and the JDK's TIFF writer needs
 * AWT. One instance for one image, used by one thread.
 */
final class Group4Encoder {

  private static final int MAX_RUN_LENGTH = 2560 + 63;
  private static final int PASS = code("0001");
  private static final int HORIZONTAL = code("001");

  /** Codes by the offset of the change to the left or right of the one above: -3 to 3. */
  private static final int[] VERTICAL = {
    code("0000010"),
    code("000010"),
    code("010"),
    code("1"),
    code("011"),
    code("000011"),
    code("0000011")
  };

  private static final int END_OF_BLOCK = code("000000000001");

  /** Lengths 0 to 63, then 64, 128 ... 2560, as in tables 2 and 3 of ITU-T T.4. */
  private static final String[] WHITE_RUNS =
      """
      00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011
      110100 110101 101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000
      0101011 0010011 0100100 0011000 00000010 00000011 00011010 00011011 00010010
      00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011
      00101100 00101101 00000100 00000101 00001010 00001011 01010010 01010011 01010100
      01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011
      00110010 00110011 00110100
      """
          .split("\\s+");

  private static final String[] WHITE_MAKE_UP =
      """
      11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111
      011001100 011001101 011010010 011010011 011010100 011010101 011010110 011010111
      011011000 011011001 011011010 011011011 010011000 010011001 010011010 011000
      010011011 00000001000 00000001100 00000001101 000000010010 000000010011 000000010100
      000000010101 000000010110 000000010111 000000011100 000000011101 000000011110
      000000011111
      """
          .split("\\s+");

  private static final String[] BLACK_RUNS =
      """
      0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111
      00000100 00000111 000011000 0000010111 0000011000 0000001000 00001100111 00001101000
      00001101100 00000110111 00000101000 00000010111 00000011000 000011001010
      000011001011 000011001100 000011001101 000001101000 000001101001 000001101010
      000001101011 000011010010 000011010011 000011010100 000011010101 000011010110
      000011010111 000001101100 000001101101 000011011010 000011011011 000001010100
      000001010101 000001010110 000001010111 000001100100 000001100101 000001010010
      000001010011 000000100100 000000110111 000000111000 000000100111 000000101000
      000001011000 000001011001 000000101011 000000101100 000001011010 000001100110
      000001100111
      """
          .split("\\s+");

  private static final String[] BLACK_MAKE_UP =
      """
      0000001111 000011001000 000011001001 000001011011 000000110011 000000110100
      000000110101 0000001101100 0000001101101 0000001001010 0000001001011 0000001001100
      0000001001101 0000001110010 0000001110011 0000001110100 0000001110101 0000001110110
      0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010
      0000001011011 0000001100100 0000001100101 00000001000 00000001100 00000001101
      000000010010 000000010011 000000010100 000000010101 000000010110 000000010111
      000000011100 000000011101 000000011110 000000011111
      """
          .split("\\s+");

  private static final int[] WHITE = codes(WHITE_RUNS, WHITE_MAKE_UP);
  private static final int[] BLACK = codes(BLACK_RUNS, BLACK_MAKE_UP);

  private final int width;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int[] above;
  private int[] current;
  private long bits;
  private int bitCount;

  /**
   * @param width the number of pixels in a row, a multiple of eight, at most 2,560
   */
  Group4Encoder(int width) {
    if (width <= 0 || width % 8 != 0 || width > MAX_RUN_LENGTH) {
      throw new IllegalArgumentException("a row cannot have " + width + " pixels");
    }
    this.width = width;
    this.above = new int[width + 4];
    this.current = new int[width + 4];
    Arrays.fill(above, width);
  }

  /** Returns a code and its length in one number. */
  private static int code(String digits) {
    return digits.length() << 16 | Integer.parseInt(digits, 2);
  }

  private static int[] codes(String[] runs, String[] makeUp) {
    int[] codes = new int[runs.length + makeUp.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = code(i < runs.length ? runs[i] : makeUp[i - runs.length]);
    }
    return codes;
  }

  /** Compresses a whole image, one bit per pixel, set if it is black. */
  static byte[] encode(byte[] rows, int width) {
    Group4Encoder encoder = new Group4Encoder(width);
    for (int offset = 0; offset < rows.length; offset += width / 8) {
      encoder.row(rows, offset);
    }
    return encoder.finish();
  }

  private void row(byte[] rows, int offset) {
    findChanges(rows, offset);
    int position = -1;
    boolean black = false;
    int next = 0; // the first change of this row to the right of the position
    int reference = 0; // a change of the row above, not to the right of the relevant one
    while (position < width) {
      while (reference > 0 && above[reference - 1] > position) {
        reference--;
      }
      while (above[reference] <= position && above[reference] < width) {
        reference++;
      }
      // Changes at even indexes turn black: the relevant one turns away from the current colour.
      int first = (reference & 1) == (black ? 1 : 0) ? reference : reference + 1;
      int b1 = above[first];
      int b2 = b1 < width ? above[first + 1] : width;
      int a1 = current[next];
      if (b2 < a1) {
        write(PASS);
        position = b2;
      } else if (Math.abs(a1 - b1) <= 3) {
        write(VERTICAL[a1 - b1 + 3]);
        position = a1;
        black = !black;
        next++;
      } else {
        int a2 = a1 < width ? current[next + 1] : width;
        write(HORIZONTAL);
        run(a1 - Math.max(0, position), black);
        run(a2 - a1, !black);
        position = a2;
        next += 2;
      }
    }
    int[] swap = above;
    above = current;
    current = swap;
  }

  /**
   * Finds the colour changes of the row, white first; the width fills the further entries that may
   * be read.
   */
  private void findChanges(byte[] rows, int offset) {
    int changes = 0;
    int colour = 0;
    for (int i = 0; i < width / 8; i++) {
      int eight = rows[offset + i] & 0xFF;
      if (eight == (colour == 0 ? 0 : 0xFF)) {
        continue;
      }
      for (int bit = 0; bit < 8; bit++) {
        int pixel = eight >> 7 - bit & 1;
        if (pixel != colour) {
          current[changes++] = i * 8 + bit;
          colour = pixel;
        }
      }
    }
    for (int i = 0; i < 4; i++) {
      current[changes + i] = width;
    }
  }

  private void run(int length, boolean black) {
    int[] codes = black ? BLACK : WHITE;
    if (length >= 64) {
      write(codes[63 + length / 64]);
    }
    write(codes[length % 64]);
  }

  private void write(int code) {
    int length = code >>> 16;
    bits = bits << length | code & 0xFFFF;
    bitCount += length;
    while (bitCount >= 8) {
      bitCount -= 8;
      out.write((int) (bits >>> bitCount));
    }
  }

  private byte[] finish() {
    write(END_OF_BLOCK);
    write(END_OF_BLOCK);
    if (bitCount > 0) {
      out.write((int) (bits << 8 - bitCount));
    }
    return out.toByteArray();
  }
}
