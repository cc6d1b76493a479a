package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.ExpectedTriples;
import org.fedometer.datasets.FoxmlWriter;
import org.fedometer.datasets.StoredLiteral;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Twelve documents as the US office published them, from 2001 to 2020, which lie beside the
 * checkout. Skipped where they do not, unless {@code FEDOMETER_REQUIRE_ALL=1}.
 */
class RealPatentsTest {

  private static final Path DIRECTORY =
      Path.of(System.getProperty("basedir", ""))
          .toAbsolutePath()
          .getParent()
          .resolveSibling("shared/data/patents-us");

  private static PatentXmlDirectory dataset;

  @BeforeAll
  static void open() {
    if (!Files.isDirectory(DIRECTORY)) {
      if ("1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
        throw new IllegalStateException("there are no real patents in " + DIRECTORY);
      }
      System.err.println("SKIPPED RealPatentsTest: there are no real patents in " + DIRECTORY);
      assumeTrue(false, "there are no real patents in " + DIRECTORY);
    }
    dataset = PatentXmlDirectory.open(DIRECTORY.toString(), DatasetOptions.unlimited("us"));
  }

  @Test
  void everyDocumentIsAnObjectInTheOrderOfNames() {
    assertThat(objects(12).map(ComposedObject::pid))
        .containsExactly(
            "us:US20010009014A1-0",
            "us:US20050004437A1-1",
            "us:US20110039701A1-2",
            "us:US20200022300A1-3",
            "us:USD0435854S-4",
            "us:US06336130B1-5",
            "us:US06337117B1-6",
            "us:US06859910B2-7",
            "us:US07272630B2-8",
            "us:US08672134B2-9",
            "us:US08927118B2-10",
            "us:US08930553B2-11");
  }

  /** Each of these counts was found equal in a real Fedora 3.8.1. */
  @Test
  void triplesAreThoseThatFedoraCounted() {
    assertThat(IntStream.range(0, 12).map(i -> ExpectedTriples.of(dataset.object(i))))
        .containsExactly(46, 46, 110, 56, 73, 54, 56, 60, 130, 65, 146, 66);
    assertThat(dataset.parameters()).containsEntry("documents", "12");
  }

  @Test
  void fullTextIsTheFileByteForByte() throws IOException {
    try (Stream<Path> listed = Files.list(DIRECTORY)) {
      List<Path> files = listed.filter(file -> file.toString().endsWith(".xml")).sorted().toList();
      for (int i = 0; i < 12; i++) {
        List<ContentStream> content = dataset.object(i).content();
        assertThat(content).extracting(ContentStream::id).containsExactly("FULLTEXT");
        try (InputStream in = content.get(0).open()) {
          assertThat(in.readAllBytes()).isEqualTo(Files.readAllBytes(files.get(i)));
        }
      }
    }
  }

  @Test
  void anApplicationOf2001InPap15IsRead() {
    assertDublinCore(
        0,
        Map.of(
            "title",
            List.of("Facilitating real-time, multi-point communications over the internet"),
            "creator",
            List.of("Savage, James A., III", "Muller, Sophie"),
            "subject",
            List.of("G06F15/16"),
            "date",
            List.of("2001-07-19")));
    assertThat(values(0, "description").get(0)).startsWith("Methods and apparatus are described");
  }

  /** Each available version of the US formats gives names and types. */
  @Test
  void everyDocumentHasTitleNamesClassesAndDates() {
    for (int i = 0; i < 12; i++) {
      assertThat(values(i, "title")).as("title of %d", i).hasSize(1);
      assertThat(values(i, "creator")).as("inventors of %d", i).isNotEmpty();
      assertThat(values(i, "subject")).as("classes of %d", i).isNotEmpty();
      assertThat(values(i, "description").get(0)).as("abstract of %d", i).hasSizeGreaterThan(40);
      assertThat(values(i, "date"))
          .as("date of %d", i)
          .singleElement()
          .asString()
          .matches("(2000|20[012]\\d)-[01]\\d-[0-3]\\d");
      assertThat(objects("filingDate", i)).as("filing of %d", i).hasSize(1);
    }
    for (int i = 0; i < 12; i++) {
      assertThat(objects("citesPatentPublication", i).isEmpty())
          .as("%d cites nothing: it is an application", i)
          .isEqualTo(i < 4);
    }
  }

  @Test
  void anApplicationOf2011WithAnApplicantAndAnUmlautIsRead() {
    assertThat(values(2, "creator")).hasSize(9).contains("Häuser-Hahn, Isolde");
    assertThat(values(2, "contributor")).containsExactly("Bayer CropScience AG");
    assertThat(values(2, "subject")).hasSize(25).startsWith("A01N43/60", "C07D319/08");
  }

  @Test
  void aDesignOf2001InSt32HasItsClaimForAnAbstract() {
    assertDublinCore(
        4,
        Map.of(
            "title",
            List.of("Disc cartridge"),
            "subject",
            List.of("1402"),
            "description",
            List.of("The ornamental design for a disc cartridge, as shown and described."),
            "contributor",
            List.of("Hitachi Maxell, Ltd.", "Sanyo Electric Co.,Ltd.", "Olympus Optical Co., Ltd."),
            "date",
            List.of("2001-01-02")));
    assertThat(objects("citesPatentPublication", 4))
        .hasSize(10)
        .first()
        .asString()
        .endsWith("/US/D271298/-/-");
  }

  @Test
  void aGrantOf2002InSt32IsRead() {
    assertDublinCore(
        5,
        Map.of(
            "creator",
            List.of("Do, Thanh Van"),
            "subject",
            List.of("G06F15/16", "G06F13/00"),
            "contributor",
            List.of("Telefonaktiebolaget LM Ericsson (publ)")));
    assertThat(objects("citesPatentPublication", 5))
        .hasSize(6)
        .contains(
            "http://data.epo.org/linked-data/data/publication/US/5825759/A/-",
            "http://data.epo.org/linked-data/data/publication/WO/9625012/-/-");
    assertThat(values(6, "subject")).containsExactly("B32B3/02");
  }

  @Test
  void aGrantOf2005InIce40NamesItsInventorAsApplicant() {
    assertThat(values(7, "creator")).containsExactly("Croy, John Charles");
    assertThat(values(7, "contributor")).containsExactly("Bluestreak.com");
    assertThat(values(7, "subject"))
        .containsExactly("G06F15/00", "G06F17/00", "G06F17/21", "G06F17/24");
  }

  @Test
  void aGrantOf2015InIce45IsRead() {
    assertThat(values(11, "title"))
        .containsExactly("Managing mid-dialog session initiation protocol (SIP) messages");
    assertThat(values(11, "creator"))
        .containsExactly("Nissim, Nitzan", "Pulito, Brian", "Zinger, Asaf");
    assertThat(objects("applicantVC", 11))
        .containsExactly("International Business Machines Corporation");
    assertThat(objects("filingDate", 11)).containsExactly("2012-10-09");
  }

  @Test
  void theFilesComeAgainUnderNewPids() {
    assertThat(dataset.object(12).pid()).isEqualTo("us:US20010009014A1-12");
    assertThat(dataset.object(Long.MAX_VALUE).pid()).endsWith("-" + Long.MAX_VALUE);
    assertThat(LongStream.range(0, 120).mapToObj(i -> dataset.object(i).pid()))
        .doesNotHaveDuplicates();
    assertThat(dataset.object(25).relationships()).isEqualTo(dataset.object(1).relationships());
  }

  @Test
  void literalsFitTheTriplestoreAndTriplesStayAsMany() {
    PatentXmlDirectory tight =
        PatentXmlDirectory.open(
            DIRECTORY.toString(), DatasetOptions.unlimited("us").withLiteralLimitBytes(255));

    assertThat(tight.maxLiteralBytes()).isBetween(200, 255);
    for (int i = 0; i < 12; i++) {
      ComposedObject object = tight.object(i);
      assertThat(object.dublinCore())
          .allSatisfy(
              value ->
                  assertThat(StoredLiteral.storedBytes(value.value())).isLessThanOrEqualTo(255));
      assertThat(ExpectedTriples.of(object)).isEqualTo(ExpectedTriples.of(dataset.object(i)));
    }
    assertThat(dataset.maxLiteralBytes()).isGreaterThan(900);
  }

  @Test
  void foxmlHasTheSizeThatWasForetold() throws IOException {
    for (int i = 0; i < 12; i++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      FoxmlWriter.write(dataset.object(i), out);
      assertThat((long) out.size()).isEqualTo(FoxmlWriter.sizeBytes(dataset.object(i)));
    }
  }

  private static Stream<ComposedObject> objects(int count) {
    return IntStream.range(0, count).mapToObj(i -> dataset.object(i));
  }

  private static void assertDublinCore(int index, Map<String, List<String>> expected) {
    expected.forEach((element, values) -> assertThat(values(index, element)).isEqualTo(values));
  }

  private static List<String> values(int index, String element) {
    return dataset.object(index).dublinCore().stream()
        .filter(value -> value.element().equals(element))
        .map(DublinCoreValue::value)
        .toList();
  }

  private static List<String> objects(String property, int index) {
    return dataset.object(index).relationships().stream()
        .filter(statement -> statement.predicate().endsWith("/" + property))
        .map(statement -> statement.object())
        .toList();
  }
}
