package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSString;
import org.apache.pdfbox.pdfparser.PDFStreamParser;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.ExpectedTriples;
import org.fedometer.datasets.FoxmlWriter;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.StoredLiteral;
import org.junit.jupiter.api.Tag;
import org.w3c.dom.Document;

@Tag("slow")
@net.jqwik.api.Tag("slow")
class PatentsTest {

  private static final DatasetOptions OPTIONS = DatasetOptions.unlimited("fm");
  private static final Patents PAPER = Patents.open("", OPTIONS);
  private static final Patents SMALL = Patents.open("small", OPTIONS);

  @Example
  void objectsArePinned() throws Exception {
    assertThat(sha256(PAPER.object(0)))
        .isEqualTo("1193f1c294f45eaafc17300b864ae131f53c7ca53d69f8b9412a21ec2dec69fc");
    assertThat(sha256(PAPER.object(4_711)))
        .isEqualTo("6aca5c999bd0a825f0628a5b64facd51f0680e4fa4e002adf2eae939f58144d9");
    assertThat(sha256(SMALL.object(Long.MAX_VALUE)))
        .isEqualTo("341738f0f1642f77471f81ad18ab386f99287075b0b5d46c59d64c17455dd00d");
    assertThat(sha256(Patents.open("us-fulltext,seed=7", OPTIONS).object(12)))
        .isEqualTo("69203d90f81356b28b4de54bfb6789189e5e7248e44eb88f6244e555ce9ad4e2");
  }

  @Property(tries = 40)
  void anyObjectIsMadeAgainToTheByte(@ForAll @LongRange(min = 0) long index) throws Exception {
    Patents again = Again.DATASET;

    assertThat(sha256(again.object(index))).isEqualTo(sha256(PAPER.object(index)));
  }

  /** A second instance, made only when it is asked for. */
  private static final class Again {
    private static final Patents DATASET = Patents.open("seed=1,scale=paper", OPTIONS);
  }

  @Example
  void workersInAnyOrderMakeTheSameObjects() {
    List<String> inOrder = LongStream.range(0, 200).mapToObj(PatentsTest::paperSha256).toList();
    List<String> byMany =
        LongStream.range(0, 200).parallel().mapToObj(PatentsTest::paperSha256).toList();

    assertThat(byMany).isEqualTo(inOrder).doesNotHaveDuplicates();
  }

  private static String paperSha256(long index) {
    try {
      return sha256(PAPER.object(index));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Property(tries = 40)
  void everyObjectKeepsTheBoundsOfTheStudy(@ForAll @LongRange(min = 0) long index)
      throws Exception {
    for (Patents dataset : List.of(PAPER, SMALL)) {
      ComposedObject object = dataset.object(index);

      assertThat(ExpectedTriples.of(object)).isBetween(34, 69);
      assertThat(object.pid()).isEqualTo("fm:WO-" + index);
      assertThat(object.dublinCore()).contains(new DublinCoreValue("identifier", object.pid()));
      assertThat(object.dublinCore()).hasSize(10);
      assertThat(object.relationships()).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(35);
      assertThat(object.content().get(0).id()).isEqualTo("FULLTEXT");
      for (ContentStream content : object.content()) {
        assertThat(content.sizeBytes()).isBetween(2_000L, 13_000_000L);
        assertThat(read(content)).hasSize((int) content.sizeBytes());
      }
    }
  }

  @Property(tries = 40)
  void eachContentOpensInItsReader(@ForAll @LongRange(min = 0) long index) throws Exception {
    for (ContentStream content : PAPER.object(index).content()) {
      if (content.sizeBytes() > 2_000_000) {
        continue; // ScannedPagesTest opens large ones
      }
      byte[] bytes = read(content);
      switch (content.id()) {
        case "FULLTEXT" -> {
          Document document =
              DocumentBuilderFactory.newInstance()
                  .newDocumentBuilder()
                  .parse(new ByteArrayInputStream(bytes));
          assertThat(document.getElementsByTagName("p").getLength()).isGreaterThanOrEqualTo(2);
          assertThat(document.getElementsByTagName("claim").getLength()).isPositive();
        }
        case "PDF" -> Loader.loadPDF(bytes).close();
        default -> assertThat(ImageIO.read(new ByteArrayInputStream(bytes))).isNotNull();
      }
    }
  }

  private static final class Rendered {
    private static final Patents DATASET = Patents.open("real-pdf=true", OPTIONS);
  }

  /** Rendering changes the PDF and nothing else; what is on the pages can be searched. */
  @Property(tries = 25)
  void aRenderedPdfShowsTheDocument(@ForAll @LongRange(min = 0) long index) throws IOException {
    ComposedObject object = Rendered.DATASET.object(index);
    ComposedObject scanned = PAPER.object(index);

    assertThat(object.dublinCore()).isEqualTo(scanned.dublinCore());
    assertThat(object.relationships()).isEqualTo(scanned.relationships());
    for (int i = 0; i < object.content().size(); i++) {
      ContentStream content = object.content().get(i);
      byte[] bytes = read(content);
      assertThat(bytes).hasSize((int) scanned.content().get(i).sizeBytes());
      if (!content.id().equals("PDF")) {
        assertThat(bytes).isEqualTo(read(scanned.content().get(i)));
        continue;
      }
      assertThat(read(content)).isEqualTo(bytes).isNotEqualTo(read(scanned.content().get(i)));
      try (PDDocument document = Loader.loadPDF(bytes)) {
        // Not PDFTextStripper, which looks for the fonts of this machine and keeps a list at home.
        assertThat(shownText(document.getPage(0))).contains(object.label());
      }
    }
  }

  private static String shownText(PDPage page) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Object token : new PDFStreamParser(page).parse()) {
      if (token instanceof COSString shown) {
        text.append(shown.getString()).append(' ');
      }
    }
    return text.toString();
  }

  /** The study's one record for all, and still as many triples. */
  @Property(tries = 40)
  void oneRecordForAllDiffersInTheIdentifierAlone(@ForAll @LongRange(min = 0) long index) {
    Patents same = Same.DATASET;
    ComposedObject object = same.object(index);

    assertThat(object.dublinCore())
        .hasSize(10)
        .contains(new DublinCoreValue("identifier", object.pid()));
    assertThat(withoutIdentifier(object)).isEqualTo(withoutIdentifier(same.object(0)));
    assertThat(ExpectedTriples.of(object)).isEqualTo(ExpectedTriples.of(SMALL.object(index)));
    assertThat(object.relationships()).isEqualTo(SMALL.object(index).relationships());
  }

  private static final class Same {
    private static final Patents DATASET = Patents.open("small,dc=same", OPTIONS);
  }

  private static List<DublinCoreValue> withoutIdentifier(ComposedObject object) {
    return object.dublinCore().stream()
        .filter(value -> !value.element().equals("identifier"))
        .toList();
  }

  /** The reader of real patents understands generated ones, and finds what they are about. */
  @Property(tries = 40)
  void fullTextMatchesTheMetadata(@ForAll @LongRange(min = 0) long index) throws Exception {
    ComposedObject object = PAPER.object(index);
    PatentRecord patent;
    try (InputStream in = object.content().get(0).open()) {
      patent = PatentXmlReader.read(in);
    }

    assertThat(object.dublinCore())
        .contains(
            new DublinCoreValue("title", patent.title()),
            new DublinCoreValue("creator", patent.inventors().get(0)),
            new DublinCoreValue("subject", patent.classifications().get(0)),
            new DublinCoreValue("date", patent.isoPublicationDate()));
    assertThat(patent.number()).endsWith(Long.toString(index));
  }

  /**
   * The study's files have a median of 25 KB and a mean of 55 KB; an object has 2.4 of them on
   * average: 132 KB. The data that Fedora stores besides the content brings it to the study's 143
   * KB.
   */
  @Example
  void meansAndExtremesOfAHundredThousandAreThoseOfTheStudy() {
    int count = 100_000;
    IntSummaryStatistics triples = new IntSummaryStatistics();
    IntSummaryStatistics relationships = new IntSummaryStatistics();
    IntStream.Builder sizes = IntStream.builder();
    LongSummaryStatistics objectBytes = new LongSummaryStatistics();
    Map<Integer, Integer> contentCounts = new HashMap<>();
    for (int i = 0; i < count; i++) {
      ComposedObject object = PAPER.object(i);
      triples.accept(ExpectedTriples.of(object));
      relationships.accept(object.relationships().size());
      object.content().forEach(content -> sizes.accept((int) content.sizeBytes()));
      objectBytes.accept(object.content().stream().mapToLong(ContentStream::sizeBytes).sum());
      contentCounts.merge(object.content().size(), 1, Integer::sum);
    }
    int[] files = sizes.build().sorted().toArray();

    assertThat(triples.getAverage()).isCloseTo(54, within(0.2));
    assertThat(triples.getMin()).isEqualTo(34);
    assertThat(triples.getMax()).isEqualTo(69);
    assertThat(relationships.getAverage()).isCloseTo(11.6, within(0.2));
    assertThat((double) files.length / count).isCloseTo(2.4, withinPercentage(2));
    assertThat(files[files.length / 2]).isCloseTo(25_000, withinPercentage(2));
    assertThat(IntStream.of(files).average().orElseThrow()).isCloseTo(55_000, withinPercentage(2));
    assertThat(objectBytes.getAverage()).isCloseTo(132_000, withinPercentage(2));
    assertThat((double) PAPER.meanObjectBytes()).isCloseTo(132_000, withinPercentage(2));
    assertThat(files[0]).isBetween(2_000, 2_040);
    assertThat(files[files.length - 1]).isBetween(4_000_000, 13_000_000);
    assertThat(contentCounts.get(1) / (double) count).isCloseTo(0.1, within(0.005));
    assertThat(contentCounts.get(2) / (double) count).isCloseTo(0.4, within(0.005));
    assertThat(contentCounts.get(3) / (double) count).isCloseTo(0.5, within(0.005));
  }

  /** One in three million files reaches it, so that no sample shows it. */
  @Example
  void theLargestFileThereCanBeHas13Megabytes() {
    assertThat(Scale.PAPER.xmlSizes.maxBytes()).isEqualTo(13_000_000);
    assertThat(Scale.PAPER.pageSizes.maxBytes()).isEqualTo(13_000_000);
    assertThat(Scale.US_FULLTEXT.xmlSizes.maxBytes()).isEqualTo(13_000_000);
  }

  /** Means of the log-normal distributions, cut, worked out elsewhere: 133.8 KB and 3.48 KB. */
  @Example
  void otherScalesHaveTheSameTriplesAndOtherSizes() {
    Patents fullText = Patents.open("us-fulltext", OPTIONS);
    long[] small = LongStream.range(0, 20_000).map(i -> fullTextBytes(SMALL, i)).sorted().toArray();
    long[] large =
        LongStream.range(0, 20_000).map(i -> fullTextBytes(fullText, i)).sorted().toArray();

    assertThat(IntStream.range(0, 4_000).map(i -> ExpectedTriples.of(SMALL.object(i))).average())
        .hasValueCloseTo(54.0, within(0.5));
    assertThat(small[10_000]).isCloseTo(3_000, withinPercentage(2));
    assertThat(LongStream.of(small).average().orElseThrow()).isCloseTo(3_479, withinPercentage(2));
    assertThat((double) SMALL.meanObjectBytes()).isCloseTo(3_479, withinPercentage(2));
    assertThat(large[10_000]).isCloseTo(86_000, withinPercentage(2));
    assertThat(LongStream.of(large).average().orElseThrow())
        .isCloseTo(133_800, withinPercentage(2));
    assertThat((double) fullText.meanObjectBytes())
        .isCloseTo(133_800 + 1.4 * 55_000, withinPercentage(2));
  }

  private static long fullTextBytes(Patents dataset, long index) {
    return dataset.object(index).content().get(0).sizeBytes();
  }

  /** Real patents deflate to 0.20 to 0.25 at level 6, scanned pages hardly at all. */
  @Property(generation = GenerationMode.EXHAUSTIVE)
  void contentCompressesAsRealContentDoes(@ForAll @From("fullScales") String scale)
      throws IOException {
    Map<String, long[]> bytes = deflated(Patents.open("" + scale, OPTIONS), 500);

    assertThat(ratio(bytes.get("FULLTEXT"))).isBetween(0.20, 0.25);
    assertThat(ratio(bytes.get("PDF"))).isGreaterThan(0.7);
    assertThat(ratio(bytes.get("IMAGE"))).isGreaterThan(0.7);
  }

  @Provide
  Arbitrary<String> fullScales() {
    return Arbitraries.of("paper", "us-fulltext");
  }

  /** Real patents cut to 3 KB deflate to 0.34 to 0.40 each: there is little to repeat. */
  @Example
  void shortContentCompressesAsRealContentOfThatLengthDoes() throws IOException {
    assertThat(ratio(deflated(SMALL, 4_000).get("FULLTEXT"))).isBetween(0.34, 0.39);
  }

  private static Map<String, long[]> deflated(Patents dataset, int objects) throws IOException {
    Map<String, long[]> bytes = new HashMap<>();
    for (int i = 0; i < objects; i++) {
      for (ContentStream content : dataset.object(i).content()) {
        byte[] plain = read(content);
        long[] sum = bytes.computeIfAbsent(content.id(), id -> new long[2]);
        sum[0] += plain.length;
        sum[1] += deflatedBytes(plain);
      }
    }
    return bytes;
  }

  private static double ratio(long[] bytes) {
    return (double) bytes[1] / bytes[0];
  }

  private static long deflatedBytes(byte[] plain) {
    Deflater deflater = new Deflater(6, true);
    deflater.setInput(plain);
    deflater.finish();
    byte[] buffer = new byte[65_536];
    while (!deflater.finished()) {
      deflater.deflate(buffer);
    }
    long bytes = deflater.getBytesWritten();
    deflater.end();
    return bytes;
  }

  @Property(tries = 100)
  void literalsFitTheTriplestore(@ForAll @LongRange(min = 0) long index) {
    Patents tight = Tight.DATASET;

    assertThat(literals(tight.object(index)))
        .allSatisfy(text -> assertThat(StoredLiteral.storedBytes(text)).isLessThanOrEqualTo(255));
    assertThat(tight.maxLiteralBytes()).isEqualTo(255);
    assertThat(literals(PAPER.object(index)))
        .allSatisfy(
            text ->
                assertThat(StoredLiteral.storedBytes(text))
                    .isLessThanOrEqualTo(PAPER.maxLiteralBytes()));
    assertThat(ExpectedTriples.of(tight.object(index)))
        .isEqualTo(ExpectedTriples.of(PAPER.object(index)));
  }

  private static final class Tight {
    private static final Patents DATASET =
        Patents.open("", DatasetOptions.unlimited("fm").withLiteralLimitBytes(255));
  }

  private static List<String> literals(ComposedObject object) {
    return Stream.of(
            Stream.of(object.label()),
            object.dublinCore().stream().map(DublinCoreValue::value),
            object.relationships().stream().filter(Relationship::literal).map(Relationship::object))
        .flatMap(texts -> texts)
        .toList();
  }

  @Example
  void seedsAndNamespacesMakeOtherObjects() throws Exception {
    Patents other = Patents.open("small,seed=2", OPTIONS);
    Patents numeric =
        Patents.open(
            "small",
            new DatasetOptions("wide.name-space", PidForm.NUMERIC, DatasetOptions.UNLIMITED));

    assertThat(sha256(other.object(3))).isNotEqualTo(sha256(SMALL.object(3)));
    assertThat(numeric.object(3).pid()).isEqualTo("wide.name-space:3");
    assertThat(numeric.object(Long.MAX_VALUE).pid()).endsWith(Long.toString(Long.MAX_VALUE));
  }

  @Example
  void thereIsNoObjectBelowZero() {
    assertThatThrownBy(() -> PAPER.object(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("objects are numbered from 0; there is no object -1");
  }

  @Example
  void parametersDetermineTheObjects() {
    assertThat(PAPER.parameters())
        .containsOnlyKeys(
            "scale",
            "seed",
            "dc",
            "real-pdf",
            "textPoolSha256",
            "pagePoolSha256",
            "pidNamespace",
            "pids",
            "literalLimitBytes");
    assertThat(Rendered.DATASET.parameters())
        .containsEntry("real-pdf", "true")
        .hasEntrySatisfying("pdfBoxVersion", version -> assertThat(version).matches("3\\.\\d.*"));
  }

  private static byte[] read(ContentStream content) throws IOException {
    try (InputStream in = content.open()) {
      return in.readAllBytes();
    }
  }

  private static String sha256(ComposedObject object) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      FoxmlWriter.write(object, out);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
