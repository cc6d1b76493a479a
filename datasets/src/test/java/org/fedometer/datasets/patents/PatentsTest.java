package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.Deflater;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.apache.pdfbox.Loader;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Datasets;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.ExpectedTriples;
import org.fedometer.datasets.FoxmlWriter;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.StoredLiteral;
import org.w3c.dom.Document;

class PatentsTest {

  private static final DatasetOptions OPTIONS = DatasetOptions.unlimited("fm");
  private static final Dataset PAPER = Datasets.open("patents", OPTIONS);
  private static final Dataset SMALL = Datasets.open("patents:small", OPTIONS);

  @Example
  void objectsArePinned() throws Exception {
    assertThat(sha256(PAPER.object(0)))
        .isEqualTo("eea35bd939897e8416c22bb91ce93596bdd527b98d10ae9b2e21237efd9d0c37");
    assertThat(sha256(PAPER.object(4_711)))
        .isEqualTo("1f96bcb01214158d2c0df467d0f7a40fe5f5791642823d8483132780e3834ca3");
    assertThat(sha256(SMALL.object(Long.MAX_VALUE)))
        .isEqualTo("5213f3a77caf01958910fbf42955ff87aff04d888c5328fbd8157e4a9eeac92d");
    assertThat(sha256(Datasets.open("patents:us-fulltext,seed=7", OPTIONS).object(12)))
        .isEqualTo("b0fa427dfb377c8d041c6bc181fdf5dbbb48023af669f136f8f56dc337b0a045");
  }

  @Property(tries = 40)
  void anyObjectIsMadeAgainToTheByte(@ForAll @LongRange(min = 0) long index) throws Exception {
    Dataset again = Again.DATASET;

    assertThat(sha256(again.object(index))).isEqualTo(sha256(PAPER.object(index)));
  }

  /** A second instance, made only when it is asked for. */
  private static final class Again {
    private static final Dataset DATASET = Datasets.open("patents:seed=1,scale=paper", OPTIONS);
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
    for (Dataset dataset : List.of(PAPER, SMALL)) {
      RepositoryObject object = dataset.object(index);

      assertThat(ExpectedTriples.of(object)).isBetween(31, 69);
      assertThat(object.pid()).isEqualTo("fm:WO-" + index);
      assertThat(object.dublinCore()).contains(new DublinCoreValue("identifier", object.pid()));
      assertThat(object.dublinCore().size()).isIn(7, 10);
      assertThat(object.relationships()).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(35);
      assertThat(object.content().get(0).id()).isEqualTo("FULLTEXT");
      for (ContentStream content : object.content()) {
        assertThat(content.sizeBytes()).isBetween(1_400L, 13_000_000L);
        assertThat(read(content)).hasSize((int) content.sizeBytes());
      }
    }
  }

  @Property(tries = 40)
  void everyContentOpensInItsOwnReader(@ForAll @LongRange(min = 0) long index) throws Exception {
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

  /** The reader of real patents understands generated ones, and finds what they are about. */
  @Property(tries = 40)
  void fullTextSaysWhatTheMetadataSay(@ForAll @LongRange(min = 0) long index) throws Exception {
    RepositoryObject object = PAPER.object(index);
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

  @Example
  void meansAreThoseOfTheStudy() {
    int count = 20_000;
    IntSummaryStatistics triples = new IntSummaryStatistics();
    IntSummaryStatistics relationships = new IntSummaryStatistics();
    IntSummaryStatistics fullTexts = new IntSummaryStatistics();
    long contentBytes = 0;
    Map<Integer, Integer> contentCounts = new HashMap<>();
    for (int i = 0; i < count; i++) {
      RepositoryObject object = PAPER.object(i);
      triples.accept(ExpectedTriples.of(object));
      relationships.accept(object.relationships().size());
      fullTexts.accept((int) object.content().get(0).sizeBytes());
      contentBytes += object.content().stream().mapToLong(ContentStream::sizeBytes).sum();
      contentCounts.merge(object.content().size(), 1, Integer::sum);
    }

    assertThat(triples.getAverage()).isCloseTo(54, within(0.3));
    assertThat(triples.getMin()).isEqualTo(31);
    assertThat(triples.getMax()).isEqualTo(69);
    assertThat(relationships.getAverage()).isCloseTo(11.6, within(0.2));
    assertThat(fullTexts.getAverage()).isCloseTo(55_000, within(2_500.0));
    assertThat(contentBytes / (double) count)
        .isCloseTo(PAPER.meanObjectBytes(), within(0.04 * PAPER.meanObjectBytes()));
    assertThat(contentCounts.get(1) / (double) count).isCloseTo(0.1, within(0.01));
    assertThat(contentCounts.get(2) / (double) count).isCloseTo(0.4, within(0.01));
    assertThat(contentCounts.get(3) / (double) count).isCloseTo(0.5, within(0.01));
  }

  @Example
  void otherScalesHaveTheSameTriplesAndTheirOwnSizes() {
    Dataset fullText = Datasets.open("patents:us-fulltext", OPTIONS);

    assertThat(IntStream.range(0, 4_000).map(i -> ExpectedTriples.of(SMALL.object(i))).average())
        .hasValueCloseTo(54.0, within(0.5));
    assertThat(LongStream.range(0, 4_000).map(i -> fullTextBytes(SMALL, i)).average())
        .hasValueCloseTo((double) SMALL.meanObjectBytes(), within(100.0));
    assertThat(LongStream.range(0, 4_000).map(i -> fullTextBytes(fullText, i)).average())
        .hasValueCloseTo(86_000 * Math.exp(0.94 * 0.94 / 2), within(6_000.0));
  }

  private static long fullTextBytes(Dataset dataset, long index) {
    return dataset.object(index).content().get(0).sizeBytes();
  }

  /** Real patents deflate to 0.20 to 0.25 at level 6, scanned pages hardly at all. */
  @Example
  void contentCompressesAsRealContentDoes() throws IOException {
    Map<String, long[]> bytes = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      for (ContentStream content : PAPER.object(i).content()) {
        byte[] plain = read(content);
        long[] sum = bytes.computeIfAbsent(content.id(), id -> new long[2]);
        sum[0] += plain.length;
        sum[1] += deflatedBytes(plain);
      }
    }

    assertThat(ratio(bytes.get("FULLTEXT"))).isBetween(0.20, 0.25);
    assertThat(ratio(bytes.get("PDF"))).isGreaterThan(0.7);
    assertThat(ratio(bytes.get("IMAGE"))).isGreaterThan(0.7);
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
  void noLiteralIsLongerThanTheTriplestoreTakes(@ForAll @LongRange(min = 0) long index) {
    Dataset tight = Tight.DATASET;

    assertThat(literals(tight.object(index)))
        .allSatisfy(text -> assertThat(StoredLiteral.storedBytes(text)).isLessThanOrEqualTo(255));
    assertThat(tight.longestLiteralBytes()).isEqualTo(255);
    assertThat(literals(PAPER.object(index)))
        .allSatisfy(
            text ->
                assertThat(StoredLiteral.storedBytes(text))
                    .isLessThanOrEqualTo(PAPER.longestLiteralBytes()));
    assertThat(ExpectedTriples.of(tight.object(index)))
        .isEqualTo(ExpectedTriples.of(PAPER.object(index)));
  }

  private static final class Tight {
    private static final Dataset DATASET =
        Datasets.open("patents", DatasetOptions.unlimited("fm").withLiteralLimitBytes(255));
  }

  private static List<String> literals(RepositoryObject object) {
    return java.util.stream.Stream.of(
            java.util.stream.Stream.of(object.label()),
            object.dublinCore().stream().map(DublinCoreValue::value),
            object.relationships().stream().filter(Relationship::literal).map(Relationship::object))
        .flatMap(texts -> texts)
        .toList();
  }

  @Example
  void seedsAndNamespacesMakeOtherObjects() throws Exception {
    Dataset other = Datasets.open("patents:small,seed=2", OPTIONS);
    Dataset numeric =
        Datasets.open(
            "patents:small",
            new DatasetOptions("wide.name-space", PidForm.NUMERIC, DatasetOptions.UNLIMITED));

    assertThat(sha256(other.object(3))).isNotEqualTo(sha256(SMALL.object(3)));
    assertThat(numeric.object(3).pid()).isEqualTo("wide.name-space:3");
    assertThat(numeric.object(Long.MAX_VALUE).pid()).endsWith(Long.toString(Long.MAX_VALUE));
  }

  @Example
  void thereIsNoObjectBelowZero() {
    assertThatThrownBy(() -> PAPER.object(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("objects are numbered from 0; there is none -1");
  }

  @Example
  void parametersSayAllThatDecidesTheObjects() {
    assertThat(PAPER.parameters())
        .containsOnlyKeys(
            "scale",
            "seed",
            "textPoolSha256",
            "pagePoolSha256",
            "pidNamespace",
            "pids",
            "literalLimitBytes");
  }

  private static byte[] read(ContentStream content) throws IOException {
    try (InputStream in = content.open()) {
      return in.readAllBytes();
    }
  }

  private static String sha256(RepositoryObject object) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      FoxmlWriter.write(object, out);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
