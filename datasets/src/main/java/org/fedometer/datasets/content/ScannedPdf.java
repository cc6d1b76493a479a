package org.fedometer.datasets.content;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.datasets.random.StableRandom;

/**
 * Writes PDF documents of scanned pages: strips of the pool under each other, as scanners store
 * them, an XMP packet with the identifier, and a cross-reference table that is right. Written by
 * hand because PDFBox makes 400 documents a second and this makes as many as a disk can take. Used
 * by any thread.
 */
public final class ScannedPdf {

  /** No document is shorter than its own frame. */
  public static final int LEAST_BYTES = 1_900;

  private static final int PAGE_BYTES = 45_000;
  private static final int FRAME_BYTES = 1_450;
  private static final int PAGE_FRAME_BYTES = 500;
  private static final int BAND_FRAME_BYTES = 300;

  private static final byte[] HEADER =
      "%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n".getBytes(StandardCharsets.ISO_8859_1);

  private final PageBands bands;

  public ScannedPdf(PageBands bands) {
    this.bands = bands;
  }

  /**
   * Makes one document.
   *
   * @param identifier goes into the metadata; letters, digits and the like, nothing to escape
   * @param sizeBytes its length, {@link #LEAST_BYTES} or more
   */
  public Segments write(String identifier, int sizeBytes, StableRandom random) {
    int pages = Math.max(1, Math.round((float) sizeBytes / PAGE_BYTES));
    int bandsInAPage =
        pages > 1
            ? PageBands.IN_A_PAGE
            : Math.min(PageBands.IN_A_PAGE, 1 + (sizeBytes - LEAST_BYTES) / 600);
    long frame = FRAME_BYTES + pages * (PAGE_FRAME_BYTES + (long) bandsInAPage * BAND_FRAME_BYTES);
    byte[][] chosen =
        bands.choose(
            pages * bandsInAPage,
            Math.max(sizeBytes - frame, (long) pages * bandsInAPage * bands.smallestBytes()),
            random);
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
    draft.skip(); // object 3, the metadata, comes last since it fills up
    String contents = contents(bandsInAPage);
    for (int page = 0; page < pages; page++) {
      page(draft, 4 + page * objectsInAPage, contents, chosen, page * bandsInAPage, bandsInAPage);
    }
    metadataAndTail(draft, identifier, sizeBytes, random);
    return draft.document;
  }

  private static String contents(int bandsInAPage) {
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

  private static void metadataAndTail(
      Draft draft, String identifier, int sizeBytes, StableRandom random) {
    draft.offsets.set(2, draft.document.sizeBytes());
    int objects = draft.offsets.size() + 1;
    String packetHead =
        """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier>%s</dc:identifier></rdf:Description>
        </rdf:RDF></x:xmpmeta>
        """
            .formatted(identifier);
    String packetTail = "<?xpacket end=\"w\"?>";
    String streamTail = "\nendstream\nendobj\n";
    String id = hex(random.nextLong()) + hex(random.nextLong());
    StringBuilder tail = new StringBuilder(20 * objects + 200);
    tail.append("xref\n0 ").append(objects).append("\n0000000000 65535 f \n");
    for (long offset : draft.offsets) {
      String digits = Long.toString(offset);
      tail.append("0".repeat(10 - digits.length())).append(digits).append(" 00000 n \n");
    }
    tail.append("trailer\n<< /Size ").append(objects).append(" /Root 1 0 R /ID [<");
    tail.append(id).append("> <").append(id).append(">] >>\nstartxref\n");

    // Two numbers, the packet's length and the table's offset, depend on the padding: both stand in
    // fields of ten characters.
    String streamHead = "3 0 obj\n<< /Type /Metadata /Subtype /XML /Length ";
    String streamStart = " >>\nstream\n";
    String end = "\n%%EOF\n";
    long padding =
        sizeBytes
            - draft.document.sizeBytes()
            - streamHead.length()
            - 10
            - streamStart.length()
            - packetHead.length()
            - packetTail.length()
            - streamTail.length()
            - tail.length()
            - 10
            - end.length();
    if (padding < 0) {
      throw new IllegalArgumentException(
          "a PDF of %d bytes is too small by %d".formatted(sizeBytes, -padding));
    }
    long packetBytes = packetHead.length() + padding + packetTail.length();
    draft.document.add(streamHead).add(field(packetBytes)).add(streamStart).add(packetHead);
    draft.document.add(whitespace((int) padding)).add(packetTail).add(streamTail);
    String tableOffset = field(draft.document.sizeBytes());
    draft.document.add(tail.toString()).add(tableOffset).add(end);
  }

  private static String field(long number) {
    String digits = Long.toString(number);
    return digits + " ".repeat(10 - digits.length());
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

  /** A document that grows, and where its objects begin. */
  private static final class Draft {

    private final Segments document = new Segments();
    private final List<Long> offsets = new ArrayList<>();

    /** Leaves the next object's place in the table open. */
    void skip() {
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

    private static final byte[] STREAM_END =
        "\nendstream\nendobj\n".getBytes(StandardCharsets.US_ASCII);
  }
}
