package org.fedometer.datasets.content;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.pdfwriter.compress.CompressParameters;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.common.PDMetadata;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.util.Version;
import org.fedometer.datasets.random.StableRandom;

/**
 * Renders individual PDF documents with PDFBox: pages of searchable text, then scanned sheets. Far
 * slower than {@link ScannedPdf}, and needs the JDK's desktop module. Used by any thread.
 *
 * <p>The same object has the same bytes everywhere. The document is not deflated, since zlib
 * versions differ, and uses no fonts of this machine.
 */
public final class RenderedPdf {

  private static final int LINE_CHARACTERS = 80;
  private static final int PAGE_LINES = 58;

  private static final int SHEET_BYTES = 45_000;

  /** Approximate overhead of a strip: dictionary, name, entry in the table. */
  private static final int STRIP_FRAME_BYTES = 420;

  /** Reserve for numbers that get longer. */
  private static final int SLACK_BYTES = 40;

  private static final int MAX_ATTEMPTS = 6;

  /**
   * Padding that gives a number one digit more can miss a size; line breaks at the end fill the
   * gap.
   */
  private static final int MAX_TRAILING_BREAKS = 3;

  private static final COSName FONT_NAME = COSName.getPDFName("F1");

  private final PageBands bands;

  public RenderedPdf(PageBands bands) {
    this.bands = bands;
  }

  /**
   * Checks Java before any document is rendered: PDFBox measures with classes of the desktop
   * module, which some servers' Java lacks.
   *
   * @throws IllegalArgumentException if the module is missing
   */
  public static void checkJava() {
    if (ModuleLayer.boot().findModule("java.desktop").isEmpty()) {
      throw new IllegalArgumentException(
          "real-pdf=true needs Java's module java.desktop, which the Java in "
              + System.getProperty("java.home")
              + " lacks: run with a full Java 17 or later, or leave real-pdf out");
    }
  }

  /** Returns the version of PDFBox, which affects the bytes. */
  public static String libraryVersion() {
    return Version.getVersion();
  }

  /**
   * @param identifier the identifier for the metadata; letters, digits and the like, nothing to
   *     escape
   * @param paragraphs plain text; characters outside Latin-1 become question marks
   * @throws IllegalArgumentException if the text does not fit into it
   */
  public Segments write(
      String identifier, List<String> paragraphs, int sizeBytes, StableRandom random) {
    List<String> lines = lines(paragraphs);
    long documentId = random.nextLong();
    byte[][] strips = strips(identifier, documentId, lines, sizeBytes, random);
    int padding = 0;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      byte[] document = render(identifier, documentId, lines, strips, padding);
      int missing = sizeBytes - document.length;
      if (missing >= 0 && missing <= MAX_TRAILING_BREAKS) {
        return new Segments().add(document).add("\n".repeat(missing));
      }
      padding += missing;
      if (padding < 0) {
        throw new IllegalArgumentException(
            "a PDF of %d bytes is too small by %d for its text".formatted(sizeBytes, -padding));
      }
    }
    throw new IllegalStateException("no PDF of " + sizeBytes + " bytes could be rendered");
  }

  /** Returns as many strips as fit; none if the text fills the document. */
  private byte[][] strips(
      String identifier, long documentId, List<String> lines, int sizeBytes, StableRandom random) {
    int textBytes = render(identifier, documentId, lines, new byte[0][], 0).length;
    int availableBytes = sizeBytes - textBytes;
    int sheets = Math.max(1, Math.round((float) availableBytes / SHEET_BYTES));
    int count =
        Math.min(
            sheets * PageBands.IN_A_PAGE,
            availableBytes / (2 * (bands.minBytes() + STRIP_FRAME_BYTES)));
    if (count <= 0) {
      return new byte[0][];
    }
    byte[][] smallest = new byte[count][];
    Arrays.fill(smallest, bands.smallest());
    int minBytes = render(identifier, documentId, lines, smallest, 0).length;
    int remaining = sizeBytes - minBytes - SLACK_BYTES - count * ScannedPdf.LENGTH_DIGITS_MORE;
    return remaining < 0
        ? new byte[0][]
        : bands.choose(count, remaining + (long) count * bands.minBytes(), random);
  }

  private static List<String> lines(List<String> paragraphs) {
    List<String> lines = new ArrayList<>();
    for (String paragraph : paragraphs) {
      StringBuilder line = new StringBuilder(LINE_CHARACTERS);
      for (String word : paragraph.strip().split("\\s+")) {
        if (line.length() > 0 && line.length() + 1 + word.length() > LINE_CHARACTERS) {
          lines.add(line.toString());
          line.setLength(0);
        }
        line.append(line.length() > 0 ? " " : "").append(word);
      }
      lines.add(line.toString());
    }
    return lines;
  }

  private static byte[] render(
      String identifier, long documentId, List<String> lines, byte[][] strips, int padding) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PDDocument document = new PDDocument()) {
      document.setVersion(1.4f);
      document.setDocumentId(documentId);
      PDMetadata metadata = new PDMetadata(document);
      fill(metadata.getCOSObject(), packet(identifier, padding));
      document.getDocumentCatalog().setMetadata(metadata);
      COSDictionary fonts = fonts();
      for (int i = 0; i < lines.size(); i += PAGE_LINES) {
        List<String> ofPage = lines.subList(i, Math.min(lines.size(), i + PAGE_LINES));
        textPage(document, fonts, ofPage);
      }
      for (int i = 0; i < strips.length; i += PageBands.IN_A_PAGE) {
        int end = Math.min(strips.length, i + PageBands.IN_A_PAGE);
        sheet(document, Arrays.copyOfRange(strips, i, end));
      }
      document.save(out, CompressParameters.NO_COMPRESSION);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /**
   * Returns one of the fourteen standard fonts, as a dictionary only, so that no font is searched
   * for.
   */
  private static COSDictionary fonts() {
    COSDictionary font = new COSDictionary();
    font.setItem(COSName.TYPE, COSName.FONT);
    font.setItem(COSName.SUBTYPE, COSName.TYPE1);
    font.setName(COSName.BASE_FONT, "Courier");
    font.setItem(COSName.ENCODING, COSName.WIN_ANSI_ENCODING);
    COSDictionary fonts = new COSDictionary();
    fonts.setItem(FONT_NAME, font);
    return fonts;
  }

  private static void textPage(PDDocument document, COSDictionary fonts, List<String> lines)
      throws IOException {
    StringBuilder text = new StringBuilder(6_000);
    text.append("BT /F1 10 Tf 12 TL 57 785 Td\n");
    for (String line : lines) {
      text.append('(').append(line.replaceAll("([\\\\()])", "\\\\$1")).append(") Tj T*\n");
    }
    text.append("ET\n");
    PDPage page = new PDPage(PDRectangle.A4);
    COSDictionary resources = new COSDictionary();
    resources.setItem(COSName.FONT, fonts);
    addPage(document, page, resources, text.toString());
  }

  private static void sheet(PDDocument document, byte[][] strips) throws IOException {
    COSDictionary images = new COSDictionary();
    for (int i = 0; i < strips.length; i++) {
      images.setItem(COSName.getPDFName("B" + i), strip(document, strips[i]));
    }
    COSDictionary resources = new COSDictionary();
    resources.setItem(COSName.XOBJECT, images);
    addPage(document, new PDPage(PDRectangle.A4), resources, ScannedPdf.contents(strips.length));
  }

  private static COSStream strip(PDDocument document, byte[] encoded) throws IOException {
    COSStream image = document.getDocument().createCOSStream();
    image.setItem(COSName.TYPE, COSName.XOBJECT);
    image.setItem(COSName.SUBTYPE, COSName.IMAGE);
    image.setInt(COSName.WIDTH, PageBands.WIDTH);
    image.setInt(COSName.HEIGHT, PageBands.HEIGHT);
    image.setItem(COSName.COLORSPACE, COSName.DEVICEGRAY);
    image.setInt(COSName.BITS_PER_COMPONENT, 1);
    image.setItem(COSName.FILTER, COSName.CCITTFAX_DECODE);
    COSDictionary parameters = new COSDictionary();
    parameters.setInt(COSName.K, -1);
    parameters.setInt(COSName.COLUMNS, PageBands.WIDTH);
    parameters.setInt(COSName.ROWS, PageBands.HEIGHT);
    image.setItem(COSName.DECODE_PARMS, parameters);
    fill(image, encoded);
    return image;
  }

  private static void addPage(
      PDDocument document, PDPage page, COSDictionary resources, String contents)
      throws IOException {
    COSStream stream = document.getDocument().createCOSStream();
    fill(stream, contents.getBytes(StandardCharsets.ISO_8859_1));
    page.getCOSObject().setItem(COSName.RESOURCES, resources);
    page.getCOSObject().setItem(COSName.CONTENTS, stream);
    document.addPage(page);
  }

  private static void fill(COSStream stream, byte[] bytes) throws IOException {
    try (OutputStream out = stream.createRawOutputStream()) {
      out.write(bytes);
    }
  }

  private static byte[] packet(String identifier, int padding) {
    return (ScannedPdf.packet(identifier) + " ".repeat(padding) + ScannedPdf.PACKET_END)
        .getBytes(StandardCharsets.UTF_8);
  }
}
