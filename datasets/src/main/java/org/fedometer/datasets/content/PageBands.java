package org.fedometer.datasets.content;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.random.StableRandom;

/**
 * The pool for page images: strips that look like scanned pages, 2,480 by 440 pixels (an eighth of
 * A4 at 300 dpi). Each is compressed by CCITT Group 4, as in patent offices. PDF and TIFF hold such
 * strips unchanged, so one pool serves both and a file of any size is a choice of strips. Created
 * once from the seed, then read by any thread.
 *
 * <p>Marks are drawn pixel by pixel, because a server's Java may have no fonts.
 */
public final class PageBands {

  static final int WIDTH = 2480;
  static final int HEIGHT = 440;
  static final int IN_A_PAGE = 8;

  private static final int TEXT_BANDS = 48;
  private static final int DRAWING_BANDS = 24;
  private static final int HALFTONE_BANDS = 32;
  private static final int RANDOM_STREAM = 101;

  private final byte[][] bands;
  private final String sha256;

  private PageBands(byte[][] bands) {
    this.bands = bands;
    MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
    for (byte[] band : bands) {
      digest.update(band);
    }
    this.sha256 = HexFormat.of().formatHex(digest.digest());
  }

  public static PageBands make(long seed) {
    byte[][] bands = new byte[1 + TEXT_BANDS + DRAWING_BANDS + HALFTONE_BANDS][];
    int made = 0;
    bands[made++] = compress(new Canvas());
    for (int i = 0; i < TEXT_BANDS; i++) {
      Canvas canvas = new Canvas();
      canvas.drawText(StableRandom.of(seed, RANDOM_STREAM, made), (i + 1.0) / TEXT_BANDS);
      bands[made++] = compress(canvas);
    }
    for (int i = 0; i < DRAWING_BANDS; i++) {
      Canvas canvas = new Canvas();
      canvas.drawLines(StableRandom.of(seed, RANDOM_STREAM, made), 1 + i * i / 12);
      bands[made++] = compress(canvas);
    }
    for (int i = 0; i < HALFTONE_BANDS; i++) {
      Canvas canvas = new Canvas();
      double share = StrictMath.pow((i + 1.0) / HALFTONE_BANDS, 2);
      canvas.drawHalftone(StableRandom.of(seed, RANDOM_STREAM, made), share);
      bands[made++] = compress(canvas);
    }
    Arrays.sort(bands, Comparator.comparingInt(band -> band.length));
    return new PageBands(bands);
  }

  /** Returns the checksum of the whole pool, in hexadecimal. */
  public String sha256() {
    return sha256;
  }

  int minBytes() {
    return bands[0].length;
  }

  int maxBytes() {
    return bands[bands.length - 1].length;
  }

  byte[] smallest() {
    return bands[0];
  }

  /**
   * Chooses strips whose total comes close to a size, never above it.
   *
   * @param totalBytes at least {@code count} times the smallest
   */
  byte[][] choose(int count, long totalBytes, StableRandom random) {
    byte[][] chosen = new byte[count][];
    long remaining = totalBytes;
    for (int i = 0; i < count; i++) {
      int others = count - 1 - i;
      long limit = remaining - (long) others * minBytes();
      double share = others == 0 ? 1 : 0.4 + 1.2 * random.nextOpen();
      chosen[i] = largestWithin(Math.min(limit, (long) (remaining / (others + 1.0) * share)));
      remaining -= chosen[i].length;
    }
    // The remainder goes to the strip that can use most of it.
    for (int i = count - 1; i >= 0 && remaining > 0; i--) {
      byte[] larger = largestWithin(chosen[i].length + remaining);
      remaining -= larger.length - chosen[i].length;
      chosen[i] = larger;
    }
    return chosen;
  }

  private byte[] largestWithin(long bytes) {
    int low = 0;
    int high = bands.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (bands[middle].length <= bytes) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return bands[low];
  }

  private static byte[] compress(Canvas canvas) {
    return Group4Encoder.encode(canvas.rows, WIDTH);
  }

  /** An image with one bit per pixel, set if it is black. */
  private static final class Canvas {

    private static final int ROW_BYTES = WIDTH / 8;
    private static final int MARGIN = 200;
    private static final int LINE_PITCH = 48;
    private static final int GLYPH_WIDTH = 16;
    private static final int GLYPH_HEIGHT = 28;
    private static final int STROKE = 4;
    private static final int SPECKS = 300;

    private final byte[] rows = new byte[ROW_BYTES * HEIGHT];

    private void fill(int x, int y, int width, int height) {
      for (int row = Math.max(0, y); row < Math.min(HEIGHT, y + height); row++) {
        for (int column = Math.max(0, x); column < Math.min(WIDTH, x + width); column++) {
          rows[row * ROW_BYTES + column / 8] |= (byte) (0x80 >>> column % 8);
        }
      }
    }

    /** Draws lines of words from strokes like those of a segment display. */
    void drawText(StableRandom random, double density) {
      int[] alphabet = new int[26];
      for (int i = 0; i < alphabet.length; i++) {
        alphabet[i] = 1 + random.nextInt(127);
      }
      int glyphs = (int) (density * (HEIGHT / LINE_PITCH) * ((WIDTH - 2 * MARGIN) / 22));
      int x = MARGIN;
      int y = 8;
      while (glyphs > 0 && y + GLYPH_HEIGHT < HEIGHT) {
        int word = random.nextBetween(2, 11);
        if (x + word * 22 > WIDTH - MARGIN) {
          x = MARGIN;
          y += LINE_PITCH;
          continue;
        }
        for (int i = 0; i < word; i++, glyphs--) {
          drawGlyph(random, alphabet[random.nextInt(alphabet.length)], x, y);
          x += 22;
        }
        x += 18;
      }
      speckle(random, (int) (density * SPECKS));
    }

    /** Draws dust, as in real scans, so that blank rows differ. */
    private void speckle(StableRandom random, int count) {
      for (int i = 0; i < count; i++) {
        fill(random.nextInt(WIDTH), random.nextInt(HEIGHT), random.nextBetween(1, 3), 1);
      }
    }

    private void drawGlyph(StableRandom random, int strokes, int x, int y) {
      int half = GLYPH_HEIGHT / 2;
      for (int stroke = 0; stroke < 7; stroke++) {
        if ((strokes >> stroke & 1) != 0) {
          switch (stroke) {
            case 0 -> fillRough(random, x, y, GLYPH_WIDTH, STROKE);
            case 1 -> fillRough(random, x, y + half, GLYPH_WIDTH, STROKE);
            case 2 -> fillRough(random, x, y + GLYPH_HEIGHT - STROKE, GLYPH_WIDTH, STROKE);
            case 3 -> fillRough(random, x, y, STROKE, half);
            case 4 -> fillRough(random, x, y + half, STROKE, half);
            case 5 -> fillRough(random, x + GLYPH_WIDTH - STROKE, y, STROKE, half);
            default -> fillRough(random, x + GLYPH_WIDTH - STROKE, y + half, STROKE, half);
          }
        }
      }
    }

    /**
     * Fills a rectangle whose left and right edges vary by a pixel, as in a scan. Otherwise a page
     * of text would compress by half again.
     */
    private void fillRough(StableRandom random, int x, int y, int width, int height) {
      long edges = random.nextLong();
      for (int row = 0; row < height; row++, edges >>>= 4) {
        int left = (int) (edges & 3) == 0 ? 1 : 0;
        int right = (int) (edges >>> 2 & 3) == 0 ? 1 : 0;
        fill(x - left, y + row, width + left + right, 1);
      }
    }

    /** Draws line art: frames, rules and slanted lines, each with a numeral. */
    void drawLines(StableRandom random, int shapes) {
      for (int i = 0; i < shapes; i++) {
        int x = random.nextBetween(MARGIN, WIDTH - MARGIN - 400);
        int y = random.nextBetween(10, HEIGHT - 120);
        int width = random.nextBetween(40, 700);
        int height = random.nextBetween(30, 200);
        switch (random.nextInt(3)) {
          case 0 -> {
            fillRough(random, x, y, width, 3);
            fillRough(random, x, y + height, width, 3);
            for (int top = y; top < y + height; top += 16) {
              fillRough(random, x, top, 3, 16);
              fillRough(random, x + width, top, 3, 16);
            }
          }
          case 1 -> {
            for (int step = 0; step < width; step++) {
              fill(x + step, y + step * height / width, 3, 3);
            }
          }
          default -> fillRough(random, x, y, width, 4);
        }
        drawGlyph(random, 1 + random.nextInt(127), x + 8, y + 10);
        drawGlyph(random, 1 + random.nextInt(127), x + 30, y + 10);
      }
      speckle(random, shapes * 4);
    }

    /** Draws a grey area of random dots, which hardly compresses, as in scanned photographs. */
    void drawHalftone(StableRandom random, double share) {
      int height = Math.max(8, (int) (HEIGHT * StrictMath.sqrt(share)));
      int width = Math.max(8, (int) (WIDTH * StrictMath.sqrt(share)));
      int left = (WIDTH - width) / 2;
      int dot = 2;
      for (int y = 0; y < height; y += dot) {
        long bits = 0;
        for (int x = 0, used = 64; x < width; x += dot, used++) {
          if (used >= 64) {
            bits = random.nextLong() & random.nextLong();
            used = 0;
          }
          if ((bits >>> used & 1) != 0) {
            fill(left + x, y, dot, dot);
          }
        }
      }
    }
  }
}
