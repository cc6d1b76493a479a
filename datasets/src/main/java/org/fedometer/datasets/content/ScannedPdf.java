package org.fedometer.datasets.content;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fedometer.datasets.random.StableRandom;

/**
 * Writes PDF documents of scanned pages: strips of the pool below each other as from scanners, an
 * XMP packet with the identifier, and a correct cross-reference table. Not written with PDFBox,
 * which makes only 400 documents a second; this class makes as many as a disk accepts. Used by any
 * thread.
 */
public final class ScannedPdf {

  /** Size of a document's frame, the minimum length. */
  public static final int MIN_BYTES = 1_900;

  private static final int PAGE_BYTES = 45_000;

  private static final String BAND_DICTIONARY =
      "/Type /XObject /Subtype /Image /Width "
          + PageBands.WIDTH
          + " /Height "
          + PageBands.HEIGHT
          + " /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns "
          + PageBands.WIDTH
          + " /Rows "
          + PageBands.HEIGHT
          + " >> ";

  static final String PACKET_END = "<?xpacket end=\"w\"?>";

  /** Width of a number that is filled in later. */
  private static final int FIELD_BYTES = 10;

  /** Largest number of extra digits in a strip's length compared with the smallest. */
  static final int LENGTH_DIGITS_MORE = 4;

  private static final byte[] HEADER =
      "%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n".getBytes(StandardCharsets.ISO_8859_1);

  private final PageBands bands;

  public ScannedPdf(PageBands bands) {
    this.bands = bands;
  }

  /**
   * @param identifier the identifier for the metadata; letters, digits and the like, nothing to
   *     escape
   * @param sizeBytes the length, {@link #MIN_BYTES} or more
   */
  public Segments write(String identifier, int sizeBytes, StableRandom random) {
    int pages = Math.max(1, Math.round((float) sizeBytes / PAGE_BYTES));
    int bandsInAPage =
        pages > 1
            ? PageBands.IN_A_PAGE
            : Math.min(PageBands.IN_A_PAGE, 1 + (sizeBytes - MIN_BYTES) / 700);
    int count = pages * bandsInAPage;
    byte[][] smallest = new byte[count][];
    Arrays.fill(smallest, bands.smallest());
    long frameBytes =
        pages(smallest, pages, bandsInAPage).unpaddedBytes(identifier)
            + (long) count * (LENGTH_DIGITS_MORE - bands.minBytes());
    byte[][] chosen =
        bands.choose(
            count, Math.max(sizeBytes - frameBytes, (long) count * bands.minBytes()), random);
    Draft draft = pages(chosen, pages, bandsInAPage);
    String id = hex(random.nextLong()) + hex(random.nextLong());
    draft.finish(identifier, id, sizeBytes);
    return draft.document;
  }

  /** Returns everything except the metadata and the table, which fill the remainder. */
  private static Draft pages(byte[][] bands, int pages, int bandsInAPage) {
    Draft draft = new Draft();
    draft.document.add(HEADER);
    draft.object(1, "<< /Type /Catalog /Pages 2 0 R /Metadata 3 0 R >>");
    StringBuilder kids = new StringBuilder();
    int objectsInAPage = 2 + bandsInAPage;
    for (int page = 0; page < pages; page++) {
      kids.append(4 + page * objectsInAPage).append(" 0 R ");
    }
    draft.object(
        2,
        "<< /Type /Pages /Count " + pages + " /MediaBox [0 0 595.2 844.8] /Kids [" + kids + "] >>");
    draft.leaveMetadataForTheEnd();
    String contents = contents(bandsInAPage);
    for (int page = 0; page < pages; page++) {
      page(draft, 4 + page * objectsInAPage, contents, bands, page * bandsInAPage, bandsInAPage);
    }
    return draft;
  }

  /** Returns the content of a page with so many strips below each other, named B0, B1 ... */
  static String contents(int bandsInAPage) {
    StringBuilder contents = new StringBuilder();
    for (int band = 0; band < bandsInAPage; band++) {
      int topTenths = 8448 - 1056 * (band + 1);
      contents.append("q 595.2 0 0 105.6 0 ").append(topTenths / 10).append('.');
      contents.append(topTenths % 10).append(" cm /B").append(band).append(" Do Q\n");
    }
    return contents.toString();
  }

  private static void page(
      Draft draft, int number, String contents, byte[][] chosen, int firstBand, int count) {
    StringBuilder resources = new StringBuilder();
    for (int band = 0; band < count; band++) {
      resources.append("/B").append(band).append(' ').append(number + 2 + band).append(" 0 R ");
    }
    draft.object(
        number,
        "<< /Type /Page /Parent 2 0 R /Contents "
            + (number + 1)
            + " 0 R /Resources << /XObject << "
            + resources
            + ">> >> >>");
    draft.stream(number + 1, "", contents.getBytes(StandardCharsets.US_ASCII));
    for (int band = 0; band < count; band++) {
      draft.stream(number + 2 + band, BAND_DICTIONARY, chosen[firstBand + band]);
    }
  }

  /** Returns an XMP packet with the identifier, up to the start of its padding. */
  static String packet(String identifier) {
    return """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier>"""
        + identifier
        + "</dc:identifier></rdf:Description>\n</rdf:RDF></x:xmpmeta>\n";
  }

  private static String field(long number) {
    String digits = Long.toString(number);
    return digits + " ".repeat(FIELD_BYTES - digits.length());
  }

  private static String hex(long bits) {
    String digits = Long.toHexString(bits);
    return "0".repeat(16 - digits.length()) + digits;
  }

  private static byte[] whitespace(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i % 100 == 99 ? '\n' : ' ');
    }
    return bytes;
  }

  private static final class Draft {

    private static final byte[] STREAM_END =
        "\nendstream\nendobj\n".getBytes(StandardCharsets.US_ASCII);
    private static final String METADATA_HEAD =
        "3 0 obj\n<< /Type /Metadata /Subtype /XML /Length ";
    private static final String METADATA_START = " >>\nstream\n";
    private static final String DOCUMENT_END = "\n%%EOF\n";

    private final Segments document = new Segments();
    private final List<Long> offsets = new ArrayList<>();

    void leaveMetadataForTheEnd() {
      offsets.add(0L);
    }

    void object(int number, String dictionary) {
      offsets.add(document.sizeBytes());
      document.add(number + " 0 obj\n" + dictionary + "\nendobj\n");
    }

    void stream(int number, String dictionary, byte[] content) {
      offsets.add(document.sizeBytes());
      document.add(
          number + " 0 obj\n<< " + dictionary + "/Length " + content.length + " >>\nstream\n");
      document.add(content).add(STREAM_END);
    }

    long unpaddedBytes(String identifier) {
      return document.sizeBytes()
          + METADATA_HEAD.length()
          + FIELD_BYTES
          + METADATA_START.length()
          + packet(identifier).length()
          + PACKET_END.length()
          + STREAM_END.length
          + table("0".repeat(32)).length()
          + FIELD_BYTES
          + DOCUMENT_END.length();
    }

    /**
     * Adds metadata and table. Two numbers, the packet's length and the table's offset, depend on
     * the padding, so both have fields of fixed width.
     */
    void finish(String identifier, String id, int sizeBytes) {
      long padding = sizeBytes - unpaddedBytes(identifier);
      if (padding < 0) {
        throw new IllegalArgumentException(
            "a PDF of %d bytes is too small by %d".formatted(sizeBytes, -padding));
      }
      offsets.set(2, document.sizeBytes());
      String packet = packet(identifier);
      document.add(METADATA_HEAD).add(field(packet.length() + padding + PACKET_END.length()));
      document.add(METADATA_START).add(packet).add(whitespace((int) padding)).add(PACKET_END);
      document.add(STREAM_END);
      String tableOffset = field(document.sizeBytes());
      document.add(table(id)).add(tableOffset).add(DOCUMENT_END);
    }

    private String table(String id) {
      int objects = offsets.size() + 1;
      StringBuilder table = new StringBuilder(20 * objects + 200);
      table.append("xref\n0 ").append(objects).append("\n0000000000 65535 f \n");
      for (long offset : offsets) {
        String digits = Long.toString(offset);
        table.append("0".repeat(10 - digits.length())).append(digits).append(" 00000 n \n");
      }
      table.append("trailer\n<< /Size ").append(objects).append(" /Root 1 0 R /ID [<");
      table.append(id).append("> <").append(id).append(">] >>\nstartxref\n");
      return table.toString();
    }
  }
}
