package org.fedometer.datasets.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.common.PDMetadata;
import org.apache.pdfbox.pdmodel.graphics.image.PDImageXObject;
import org.fedometer.datasets.random.StableRandom;

class ScannedPagesTest {

  private static final String MAX_LENGTH_PID = "a".repeat(23) + ":" + "9".repeat(40);
  private static final PageBands BANDS = PageBands.make(1);
  private static final ScannedPdf PDF = new ScannedPdf(BANDS);
  private static final RenderedPdf RENDERED = new RenderedPdf(BANDS);
  private static final ScannedTiff TIFF = new ScannedTiff(BANDS);

  @Property(tries = 25)
  void aPdfHasTheRequestedSize(
      @ForAll @IntRange(min = ScannedPdf.MIN_BYTES, max = 400_000) int size, @ForAll long seed)
      throws IOException {
    byte[] bytes = read(PDF.write(MAX_LENGTH_PID, size, StableRandom.of(seed, 1, 0)));

    assertThat(bytes).hasSize(size);
    assertCrossReferencesHold(bytes);
    try (PDDocument document = Loader.loadPDF(bytes)) {
      assertThat(document.getNumberOfPages()).isPositive();
      assertThat(metadata(document))
          .contains("<dc:identifier>" + MAX_LENGTH_PID + "</dc:identifier>");
      PDImageXObject band = band(document.getPage(document.getNumberOfPages() - 1));
      assertThat(mostlyWhite(band.getImage())).isTrue();
    }
  }

  /** Small ones are the hard ones: hardly a strip fits. */
  @Property(tries = 120)
  void aRenderedPdfHasTheRequestedSize(
      @ForAll @IntRange(min = ScannedPdf.MIN_BYTES, max = 30_000) int size, @ForAll long seed)
      throws IOException {
    List<String> text = List.of("(10) WO2001000017A1", "(54) Device for (holding) a \\ sealed lid");
    byte[] bytes = read(RENDERED.write(MAX_LENGTH_PID, text, size, StableRandom.of(seed, 1, 0)));

    assertThat(bytes).hasSize(size);
    assertThat(read(RENDERED.write(MAX_LENGTH_PID, text, size, StableRandom.of(seed, 1, 0))))
        .isEqualTo(bytes);
    try (PDDocument document = Loader.loadPDF(bytes)) {
      assertThat(document.getNumberOfPages()).isPositive();
      assertThat(metadata(document))
          .contains("<dc:identifier>" + MAX_LENGTH_PID + "</dc:identifier>");
      if (document.getNumberOfPages() > 1) {
        assertThat(mostlyWhite(band(document.getPage(1)).getImage())).isTrue();
      }
    }
  }

  @Property(tries = 25)
  void aTiffHasTheRequestedSize(
      @ForAll @IntRange(min = ScannedTiff.MIN_BYTES, max = 400_000) int size, @ForAll long seed)
      throws IOException {
    byte[] bytes = read(TIFF.write(MAX_LENGTH_PID, size, StableRandom.of(seed, 1, 0)));

    assertThat(bytes).hasSize(size);
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
        .contains("First page of " + MAX_LENGTH_PID);
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(bytes));
    assertThat(image.getWidth()).isEqualTo(PageBands.WIDTH);
    assertThat(image.getHeight()).isEqualTo(PageBands.HEIGHT * PageBands.IN_A_PAGE);
    assertThat(mostlyWhite(image)).isTrue();
  }

  @Example
  void theLargestFilesOpenToo() throws IOException {
    int size = 13_000_000;
    byte[] pdf = read(PDF.write("fm:WO-8", size, StableRandom.of(1, 1, 8)));
    assertThat(pdf).hasSize(size);
    assertCrossReferencesHold(pdf);
    try (PDDocument document = Loader.loadPDF(pdf)) {
      assertThat(document.getNumberOfPages()).isGreaterThan(200);
    }
    byte[] rendered =
        read(RENDERED.write("fm:WO-8", List.of("text"), size, StableRandom.of(1, 1, 8)));
    assertThat(rendered).hasSize(size);
    try (PDDocument document = Loader.loadPDF(rendered)) {
      assertThat(document.getNumberOfPages()).isGreaterThan(200);
    }
    byte[] tiff = read(TIFF.write("fm:WO-8", size, StableRandom.of(1, 2, 8)));
    assertThat(tiff).hasSize(size);
    try (var stream = ImageIO.createImageInputStream(new ByteArrayInputStream(tiff))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
      var reader = readers.next();
      reader.setInput(stream);
      assertThat(reader.getHeight(0)).isGreaterThan(PageBands.HEIGHT * 100);
    }
  }

  @Example
  void theSamePageForAnotherObjectDiffers() throws IOException {
    byte[] one = read(TIFF.write("fm:WO-1", 20_000, StableRandom.of(1, 1, 1)));
    byte[] other = read(TIFF.write("fm:WO-2", 20_000, StableRandom.of(1, 1, 1)));

    assertThat(one).isNotEqualTo(other);
  }

  @Example
  void poolsOfOneSeedAreEqual() {
    assertThat(PageBands.make(1).sha256()).isEqualTo(BANDS.sha256());
    assertThat(PageBands.make(2).sha256()).isNotEqualTo(BANDS.sha256());
  }

  private static byte[] read(Segments segments) throws IOException {
    try (InputStream in = segments.open()) {
      return in.readAllBytes();
    }
  }

  /** Reads the table as a strict parser would: PDFBox alone would repair a wrong one in silence. */
  private static void assertCrossReferencesHold(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int startxref = text.lastIndexOf("startxref\n") + 10;
    int table = Integer.parseInt(text.substring(startxref, text.indexOf('\n', startxref)).strip());
    assertThat(text.substring(table)).startsWith("xref\n0 ");
    int firstEntry = text.indexOf('\n', table + 5) + 1;
    int count = Integer.parseInt(text.substring(table + 7, firstEntry - 1));
    for (int number = 1; number < count; number++) {
      int entry = firstEntry + 20 * number;
      int offset = Integer.parseInt(text.substring(entry, entry + 10));
      assertThat(text.substring(offset, offset + 12)).startsWith(number + " 0 obj\n");
    }
    assertThat(text.substring(firstEntry + 20 * count)).startsWith("trailer\n");
  }

  private static String metadata(PDDocument document) throws IOException {
    PDMetadata metadata = document.getDocumentCatalog().getMetadata();
    return new String(metadata.toByteArray(), StandardCharsets.UTF_8);
  }

  private static PDImageXObject band(PDPage page) throws IOException {
    return (PDImageXObject) page.getResources().getXObject(COSName.getPDFName("B0"));
  }

  private static boolean mostlyWhite(BufferedImage image) {
    long white = 0;
    long pixels = 0;
    for (int y = 0; y < image.getHeight(); y += 7) {
      for (int x = 0; x < image.getWidth(); x += 7) {
        white += (image.getRGB(x, y) & 0xFF) > 128 ? 1 : 0;
        pixels++;
      }
    }
    return white > pixels / 2;
  }
}
