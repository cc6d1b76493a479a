package org.fedometer.datasets.content;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.fedometer.datasets.random.StableRandom;

/**
 * Writes the image of a scanned page as TIFF with CCITT Group 4 compression, 300 dpi, as a sequence
 * of strips of the pool. The identifier is in the description. A larger file is a taller image, not
 * a denser one. Used by any thread.
 */
public final class ScannedTiff {

  /** Size of a file's frame, the minimum length. */
  public static final int MIN_BYTES = 1_500;

  private static final int SHORT = 3;
  private static final int LONG = 4;
  private static final int ASCII = 2;
  private static final int RATIONAL = 5;
  private static final int TAGS = 15;
  private static final int DIRECTORY_OFFSET = 8;
  private static final int DIRECTORY_BYTES = 2 + TAGS * 12 + 4;
  private static final int MIN_DESCRIPTION_BYTES = 80;

  private final PageBands bands;

  public ScannedTiff(PageBands bands) {
    this.bands = bands;
  }

  /**
   * @param identifier the identifier for the description; ASCII, at most 64 characters
   * @param sizeBytes the length, {@link #MIN_BYTES} or more
   */
  public Segments write(String identifier, int sizeBytes, StableRandom random) {
    // Strips of at most two thirds of the highest density allow a choice.
    int stripBytesMean = bands.maxBytes() * 2 / 3;
    int count = Math.max(PageBands.IN_A_PAGE, (sizeBytes + stripBytesMean - 1) / stripBytesMean);
    int afterDirectory = DIRECTORY_OFFSET + DIRECTORY_BYTES;
    int resolutionOffset = afterDirectory;
    int stripOffsetsOffset = resolutionOffset + 8;
    int stripSizesOffset = stripOffsetsOffset + 4 * count;
    int descriptionOffset = stripSizesOffset + 4 * count;
    byte[][] strips =
        bands.choose(count, sizeBytes - descriptionOffset - MIN_DESCRIPTION_BYTES, random);
    int stripBytes = 0;
    for (byte[] strip : strips) {
      stripBytes += strip.length;
    }
    int descriptionBytes = sizeBytes - descriptionOffset - stripBytes;
    if (descriptionBytes < MIN_DESCRIPTION_BYTES) {
      throw new IllegalArgumentException("a TIFF of " + sizeBytes + " bytes is too small");
    }

    ByteBuffer head =
        ByteBuffer.allocate(descriptionOffset + descriptionBytes).order(ByteOrder.LITTLE_ENDIAN);
    head.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(DIRECTORY_OFFSET);
    head.putShort((short) TAGS);
    tag(head, 254, LONG, 1, 0); // NewSubfileType
    tag(head, 256, LONG, 1, PageBands.WIDTH);
    tag(head, 257, LONG, 1, PageBands.HEIGHT * count);
    tag(head, 258, SHORT, 1, 1); // BitsPerSample
    tag(head, 259, SHORT, 1, 4); // Compression: T.6
    tag(head, 262, SHORT, 1, 0); // PhotometricInterpretation: white is zero
    tag(head, 270, ASCII, descriptionBytes, descriptionOffset);
    tag(head, 273, LONG, count, stripOffsetsOffset);
    tag(head, 277, SHORT, 1, 1); // SamplesPerPixel
    tag(head, 278, LONG, 1, PageBands.HEIGHT); // RowsPerStrip
    tag(head, 279, LONG, count, stripSizesOffset);
    tag(head, 282, RATIONAL, 1, resolutionOffset);
    tag(head, 283, RATIONAL, 1, resolutionOffset);
    tag(head, 293, LONG, 1, 0); // T6Options
    tag(head, 296, SHORT, 1, 2); // ResolutionUnit: inch
    head.putInt(0);
    head.putInt(300).putInt(1);
    int offset = descriptionOffset + descriptionBytes;
    for (byte[] strip : strips) {
      head.putInt(offset);
      offset += strip.length;
    }
    for (byte[] strip : strips) {
      head.putInt(strip.length);
    }
    head.put(description(identifier, descriptionBytes));
    Segments file = new Segments().add(head.array());
    for (byte[] strip : strips) {
      file.add(strip);
    }
    return file;
  }

  private static void tag(ByteBuffer head, int tag, int type, int count, int value) {
    head.putShort((short) tag).putShort((short) type).putInt(count).putInt(value);
  }

  /** Returns the identifier, spaces, and the zero that ends a TIFF string. */
  private static byte[] description(String identifier, int length) {
    byte[] description = new byte[length];
    Arrays.fill(description, 0, length - 1, (byte) ' ');
    byte[] text = ("First page of " + identifier).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, description, 0, Math.min(text.length, length - 1));
    return description;
  }
}
