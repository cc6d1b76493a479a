package org.fedometer.datasets.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.filter.FilterFactory;
import org.junit.jupiter.api.Test;

class Group4EncoderTest {

  @Property(tries = 150)
  void pdfBoxDecodesWhatWasEncoded(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 320) int rowBytes,
      @ForAll @IntRange(min = 1, max = 12) int height,
      @ForAll @DoubleRange(min = 0, max = 1) double change)
      throws IOException {
    byte[] rows = image(seed, rowBytes, height, change);

    assertThat(decode(Group4Encoder.encode(rows, rowBytes * 8), rowBytes * 8, height))
        .isEqualTo(rows);
  }

  @Test
  void longRunsOfBothColoursComeBack() throws IOException {
    byte[] rows = new byte[3 * 320];
    Arrays.fill(rows, 320, 640, (byte) 0xFF);

    assertThat(decode(Group4Encoder.encode(rows, 2560), 2560, 3)).isEqualTo(rows);
  }

  @Test
  void refusesRowsThatAreNotWholeBytes() {
    assertThatThrownBy(() -> new Group4Encoder(13))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("13 pixels");
  }

  /** Runs whose lengths depend on {@code change}: from stripes to noise, with likeness to above. */
  private static byte[] image(long seed, int rowBytes, int height, double change) {
    Random random = new Random(seed);
    byte[] rows = new byte[rowBytes * height];
    for (int row = 0; row < height; row++) {
      boolean black = false;
      for (int x = 0; x < rowBytes * 8; x++) {
        int index = row * rowBytes + x / 8;
        if (random.nextDouble() < change * change) {
          black = !black;
        }
        boolean likeAbove = row > 0 && random.nextDouble() > change;
        boolean above = row > 0 && (rows[index - rowBytes] & 0x80 >> x % 8) != 0;
        if (likeAbove ? above : black) {
          rows[index] |= (byte) (0x80 >> x % 8);
        }
      }
    }
    return rows;
  }

  private static byte[] decode(byte[] encoded, int width, int height) throws IOException {
    COSDictionary decodeParameters = new COSDictionary();
    decodeParameters.setInt(COSName.K, -1);
    decodeParameters.setInt(COSName.COLUMNS, width);
    decodeParameters.setInt(COSName.ROWS, height);
    decodeParameters.setBoolean(COSName.BLACK_IS_1, true);
    COSDictionary parameters = new COSDictionary();
    parameters.setItem(COSName.FILTER, COSName.CCITTFAX_DECODE);
    parameters.setItem(COSName.DECODE_PARMS, decodeParameters);
    parameters.setInt(COSName.WIDTH, width);
    parameters.setInt(COSName.HEIGHT, height);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    FilterFactory.INSTANCE
        .getFilter(COSName.CCITTFAX_DECODE)
        .decode(new ByteArrayInputStream(encoded), decoded, parameters, 0);
    return decoded.toByteArray();
  }
}
