package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.UnusableDataException;
import org.fedometer.datasets.UnusableDocument;
import org.fedometer.datasets.content.FileContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PatentXmlDirectoryTest {

  private static final String PNG = "\u0089PNG\r\n\u001a\n";

  @TempDir Path directory;

  @Test
  void filesAreSortedByPathThroughNestedFoldersAndOthersLeftAlone() throws IOException {
    write("b.xml", patent("2"));
    write("a/z.XML", patent("3"));
    write("a/deep/er/y.xml", patent("1"));
    write("notes.md", "no patent");
    write(".hidden.xml", "not even XML");
    write(".git/x.xml", "not even XML");

    PatentXmlDirectory dataset = open();

    assertThat(List.of(pid(dataset, 0), pid(dataset, 1), pid(dataset, 2), pid(dataset, 3)))
        .containsExactly("fm:XY1A1-0", "fm:XY3A1-1", "fm:XY2A1-2", "fm:XY1A1-3");
    assertThat(dataset.parameters())
        .containsEntry("documents", "3")
        .containsEntry("dir", directory.toString());
  }

  @Test
  void filesOfTheSameBaseNameBecomePdfAndImage() throws IOException {
    write("p.xml", patent("1"));
    write("p.pdf", "%PDF-");
    write("p.TIF", "II*\0");
    write("q.xml", patent("2"));
    write("q.png", PNG);
    write("other.pdf", "x");

    PatentXmlDirectory dataset = open();

    assertThat(dataset.object(0).content())
        .extracting(ContentStream::id, ContentStream::mediaType, ContentStream::sizeBytes)
        .containsExactly(
            tuple("FULLTEXT", "text/xml", (long) patent("1").length()),
            tuple("PDF", "application/pdf", 5L),
            tuple("IMAGE", "image/tiff", 4L));
    assertThat(dataset.object(1).content())
        .extracting(ContentStream::mediaType)
        .containsExactly("text/xml", "image/png");
  }

  /** In whatever order the file system lists them; names of either case lie side by side here. */
  @Test
  void ofSeveralCompanionsTheSameOneCountsEverywhereAndTheOthersAreNamed() throws IOException {
    for (String extension :
        List.of("PNG", "png", "TIFF", "tiff", "TIF", "tif", "Pdf", "PDF", "pdf")) {
      for (int i = 1; i <= 9; i++) {
        write(i + "." + extension, extension.equalsIgnoreCase("pdf") ? "%PDF-" : magic(extension));
      }
    }
    for (int i = 1; i <= 9; i++) {
      write(i + ".xml", patent(Integer.toString(i)));
    }
    delete("2.pdf", "3.pdf", "3.PDF", "2.tif", "3.tif", "3.tiff", "4.tif", "4.tiff", "4.png");
    delete("5.tif", "5.tiff", "5.png", "5.TIF", "6.tif", "6.tiff", "6.png", "6.TIF", "6.TIFF");

    PatentXmlDirectory dataset = open();

    assertThat(LongStream.range(0, 6).mapToObj(i -> companions(dataset, i)))
        .containsExactly(
            List.of("1.pdf", "1.tif"),
            List.of("2.PDF", "2.tiff"),
            List.of("3.Pdf", "3.png"),
            List.of("4.pdf", "4.TIF"),
            List.of("5.pdf", "5.TIFF"),
            List.of("6.pdf", "6.PNG"));
    assertThat(dataset.notes()).hasSize(9);
    assertThat(dataset.notes().get(4))
        .isEqualTo("5.xml has more than one PDF or image; ignored: 5.PDF, 5.Pdf, 5.PNG");
    assertThat(dataset.parameters()).containsEntry("spareCompanions", "45");
  }

  @Test
  void ofManyDocumentsWithSeveralCompanionsTenAreNamedAndTheOthersCounted() throws IOException {
    for (int i = 10; i < 22; i++) {
      write(i + ".xml", patent(Integer.toString(i)));
      write(i + ".tif", "MM\0*");
      write(i + ".png", PNG);
    }

    assertThat(open().notes())
        .hasSize(11)
        .startsWith("10.xml has more than one PDF or image; ignored: 10.png")
        .endsWith("and 2 more with more than one PDF or image");
    delete("10.tif", "11.tif");
    assertThat(open().notes()).hasSize(10).noneMatch(note -> note.contains(" more with "));
  }

  @Test
  void rejectsACompanionOfAnotherType() throws IOException {
    for (String name : List.of("1-html", "2-late", "3-just", "4-png", "5-tif", "6-big", "7-cut")) {
      write(name + ".xml", patent(name.substring(0, 1)));
    }
    write("1-html.pdf", "<html>no access</html>");
    write("2-late.pdf", " ".repeat(1020) + "%PDF-1.4");
    write("3-just.pdf", " ".repeat(1019) + "%PDF-1.4");
    write("4-png.png", "GIF89a");
    write("5-tif.tif", PNG);
    write("6-big.TIFF", "MM\0+");
    write("7-cut.tif", "II*");

    assertThat(open(directory + ",skip-invalid=true").skipped())
        .extracting(UnusableDocument::message)
        .containsExactly(
            "1-html.xml has a companion that is not a PDF: 1-html.pdf",
            "2-late.xml has a companion that is not a PDF: 2-late.pdf",
            "4-png.xml has a companion that is not a PNG: 4-png.png",
            "5-tif.xml has a companion that is not a TIFF: 5-tif.tif",
            "7-cut.xml has a companion that is not a TIFF: 7-cut.tif");
  }

  @Test
  void allThatCannotBeUsedAreNamedHoweverMany() throws IOException {
    for (int i = 1000; i < 1300; i++) {
      write(i + ".xml", "<html/>");
    }

    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            UnusableDataException.class,
            e -> {
              assertThat(e.problems()).hasSize(300);
              assertThat(e.getMessage().lines()).hasSize(301);
              assertThat(e.getMessage()).contains("\n  1000.xml is no", "\n  1299.xml is no");
            });
    write("good.xml", patent("1"));
    assertThat(open(directory + ",skip-invalid=true").skipped()).hasSize(300);
  }

  @Test
  void escapesTerminalControlCharacters() throws IOException {
    write("a\u001b[2J\n\u202eb.xml", "<html/>");
    write("root.xml", "<h\u200ftml/>");

    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            UnusableDataException.class,
            e -> {
              assertThat(e.getMessage())
                  .contains("a\\u001b[2J\\n\\u202eb.xml is not a known patent");
              assertThat(e.getMessage()).doesNotContain("\u001b", "\u202e", "\u200f");
              assertThat(e.getMessage().lines()).hasSize(3);
            });
  }

  @Test
  void everyFileThatCannotBeUsedIsNamedWithTheReason() throws IOException {
    write("1-good.xml", patent("1"));
    write("2-empty.xml", "");
    write("3-malformed.xml", patent("3").replace("</invention-title>", "</title>"));
    write("4-other.xml", "<html><body>no patent</body></html>");
    Files.write(directory.resolve("5-garbage.xml"), new byte[] {0x7F, 'E', 'L', 'F', 0, 1, 2, -1});
    write("6-cut.xml", patent("6").substring(0, 200));
    write("7-untitled.xml", patent("7").replaceAll("<invention-title>.*</invention-title>", ""));
    write("8-unnumbered.xml", patent("8").replace("<doc-number>8<", "<doc-number><"));
    write("9-companion.xml", patent("9"));
    write("9-companion.pdf", "");

    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            UnusableDataException.class,
            e -> {
              assertThat(e.getMessage()).contains("8 of 9 files in " + directory);
              assertThat(e.problems()).hasSize(8);
              assertThat(e.problems().get(0)).isEqualTo("2-empty.xml is empty");
              assertThat(e.problems().get(1)).startsWith("3-malformed.xml is not well-formed XML");
              assertThat(e.problems().get(2)).contains("4-other.xml", "root element is <html>");
              assertThat(e.problems().get(3)).startsWith("5-garbage.xml is not well-formed XML");
              assertThat(e.problems().get(4)).startsWith("6-cut.xml is not well-formed XML");
              assertThat(e.problems().get(5))
                  .isEqualTo("7-untitled.xml has bibliographic data without a title");
              assertThat(e.problems().get(6))
                  .isEqualTo(
                      "8-unnumbered.xml has bibliographic data without a publication number");
              assertThat(e.problems().get(7))
                  .isEqualTo("9-companion.xml has an empty companion 9-companion.pdf");
            });
  }

  @Test
  void skipsAndCountsBadDocumentsOnRequest() throws IOException {
    write("1-good.xml", patent("1"));
    write("2-cut.xml", patent("2").substring(0, 200));
    write("3-good.xml", patent("3"));
    write("4-other.xml", "<html/>");

    assertThatThrownBy(this::open)
        .hasMessageContaining("2 of 4 files")
        .hasMessageContaining("--skip-invalid");
    PatentXmlDirectory dataset = open(directory + ",skip-invalid=true");

    assertThat(dataset.skipped())
        .extracting(UnusableDocument::path)
        .containsExactly("2-cut.xml", "4-other.xml");
    assertThat(dataset.skipped().get(0).reason()).startsWith("is not well-formed XML");
    assertThat(dataset.skipped().get(1).reason()).contains("root element is <html>");
    assertThat(dataset.parameters())
        .containsEntry("documents", "2")
        .containsEntry("skipped", "2")
        .containsEntry("skip-invalid", "true");
    assertThat(List.of(pid(dataset, 0), pid(dataset, 1), pid(dataset, 2)))
        .containsExactly("fm:XY1A1-0", "fm:XY3A1-1", "fm:XY1A1-2");
  }

  @Test
  void aDocumentIsReadToItsEndBeforeItCounts() throws IOException {
    write("1-good.xml", patent("1"));
    write("2-joined.xml", patent("2") + patent("3"));
    write("3-cut.xml", patent("4").replaceAll("</[a-z-]+>\\s*$", ""));

    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            UnusableDataException.class,
            e -> {
              assertThat(e.problems()).hasSize(2);
              assertThat(e.problems().get(0))
                  .startsWith("2-joined.xml holds several documents, split the file");
              assertThat(e.problems().get(1)).startsWith("3-cut.xml is not well-formed XML");
            });
  }

  @Test
  void deepElementsNeedNoMoreMemory() throws IOException {
    int depth = 900;
    write(
        "deep.xml",
        patent("1")
            .replaceFirst(
                "<invention-title>",
                "<x>".repeat(depth)
                    + "x".repeat(2_000_000)
                    + "</x>".repeat(depth)
                    + "<invention-title>"));

    assertThatThrownBy(this::open)
        .isInstanceOf(UnusableDataException.class)
        .hasMessageContaining("has more than 8000000 characters of bibliographic data");
  }

  @Test
  @Timeout(60)
  void acceptsAHostileClassificationUnchanged() throws IOException {
    String symbol = "A01B" + "0".repeat(1_000_000);
    write(
        "1.xml",
        patent("1")
            .replace(
                "</invention-title>",
                "</invention-title><classification-ipc><main-classification>"
                    + symbol
                    + "</main-classification></classification-ipc>"));

    assertThat(open().parameters()).containsEntry("documents", "1");
  }

  @Test
  void aDirectoryOfNothingButBadDocumentsIsRefusedEvenThen() throws IOException {
    write("1.xml", "<html/>");

    assertThatThrownBy(() -> open(directory + ",skip-invalid=true"))
        .isInstanceOf(UnusableDataException.class)
        .hasMessageContaining("1 of 1 file");
  }

  @Test
  void aDirectoryWithoutPatentsIsRefused() throws IOException {
    write("readme.txt", "none here");

    assertThatThrownBy(this::open)
        .isInstanceOf(UnusableDataException.class)
        .hasMessage("there is no file named *.xml in " + directory + " or below it");
    assertThatThrownBy(() -> open(directory.resolve("readme.txt").toString()))
        .hasMessageContaining("not a directory: ");
  }

  @Test
  @Timeout(20)
  void loopsOfLinksEndAndLinksThatLeadNowhereAreNamed() throws IOException {
    write("sub/a.xml", patent("1"));
    Files.createSymbolicLink(directory.resolve("sub/loop"), directory);

    assertThat(open().parameters()).containsEntry("documents", "1");

    Files.createSymbolicLink(directory.resolve("gone.xml"), directory.resolve("nothing"));
    assertThatThrownBy(this::open)
        .isInstanceOf(UnusableDataException.class)
        .hasMessageContaining("gone.xml cannot be read");
  }

  /** Neither a DTD nor an entity is read, whatever the document asks for. */
  @Test
  @Timeout(20)
  void nothingIsFetchedOrExpanded() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret.txt"), "SECRET");
    write(
        "evil.xml",
        """
        <!DOCTYPE wo-patent-document SYSTEM "http://127.0.0.1:1/no.dtd" [
          <!ENTITY file SYSTEM "%s">
          <!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY bomb "&b;&b;&b;&b;">
        ]>
        """
                .formatted(secret.toUri())
            + patent("1")
                .replace("A title", "J&uuml;rgen&rsquo;s &file;&bomb;&bull; &#x2014; title"));

    ComposedObject object = open().object(0);

    assertThat(object.label()).isEqualTo("J\u00fcrgen\u2019s \u2022 \u2014 title");
  }

  /** A server at the address of DTD and entities receives no request. */
  @Test
  @Timeout(60)
  void fetchesNoDtdOrEntity() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      write(
          "evil.xml",
          """
          <!DOCTYPE wo-patent-document PUBLIC "-//X//Y" "%1$s/no.dtd" [
            <!ENTITY %% outside SYSTEM "%1$s/outside.ent"> %%outside;
            <!ENTITY inside SYSTEM "%1$s/inside.ent">
          ]>
          """
                  .formatted(url)
              + patent("1")
                  .replace(
                      "<wo-patent-document",
                      "<wo-patent-document xmlns:xi='http://www.w3.org/2001/XInclude'")
                  .replace("A title", "A &inside;title<xi:include href='" + url + "/x'/>"));

      assertThat(open().object(0).label()).isEqualTo("A title");
    } finally {
      server.stop(0);
    }
    assertThat(asked).hasValue(0);
  }

  /** A billion laughs, a quadratic blow-up and an entity that names itself: none is expanded. */
  @Test
  @Timeout(60)
  void entitiesThatGrowAreNotExpanded() throws IOException {
    StringBuilder laughs = new StringBuilder("<!DOCTYPE x [<!ENTITY e0 \"ha\">");
    for (int i = 1; i <= 30; i++) {
      laughs.append("<!ENTITY e").append(i).append(" \"");
      laughs.append(("&e" + (i - 1) + ";").repeat(10)).append("\">");
    }
    write("1-laughs.xml", laughs + "]>" + patent("1").replace("A title", "A &e30;title"));
    String large = "x".repeat(100_000);
    write(
        "2-quadratic.xml",
        "<!DOCTYPE x [<!ENTITY large \""
            + large
            + "\">]>"
            + patent("2").replace("A title", "A " + "&large;".repeat(50_000) + "title"));
    write(
        "3-itself.xml",
        "<!DOCTYPE x [<!ENTITY self \"&self;&self;\">]>"
            + patent("3").replace("A title", "A &self;title"));

    write(
        "4-attribute.xml",
        "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">]>"
            + patent("4")
                .replace("A title", "A &a;title")
                .replace("lang=\"EN\"", "lang=\"EN&a;\""));

    PatentXmlDirectory dataset = open();

    assertThat(dataset.object(3).dublinCore()).contains(new DublinCoreValue("language", "en"));
    for (int i = 0; i < 4; i++) {
      assertThat(dataset.object(i).label().replaceAll("\\s+", " ")).isEqualTo("A title");
    }
  }

  /** Documents that would fill memory or stack are reported like other broken ones. */
  @Test
  @Timeout(120)
  void documentsThatAreTooDeepOrTooLargeAreNamed() throws IOException {
    write(
        "1-deep.xml",
        patent("1").replace("A title", "<b>".repeat(200_000) + "A" + "</b>".repeat(200_000)));
    write("2-large.xml", patent("2").replace("A title", "word ".repeat(2_000_000)));
    write(
        "3-attribute.xml",
        patent("3").replace("lang=\"EN\"", "lang=\"" + "a".repeat(2_000_000) + "\""));
    write("4-good.xml", patent("4"));

    PatentXmlDirectory dataset = open(directory + ",skip-invalid=true");

    assertThat(dataset.skipped())
        .extracting(UnusableDocument::path)
        .containsExactly("1-deep.xml", "2-large.xml", "3-attribute.xml");
    assertThat(dataset.skipped().get(0).reason()).startsWith("is too large or too deep");
    assertThat(dataset.skipped()).allSatisfy(one -> assertThat(one.reason()).hasSizeLessThan(400));
  }

  @Test
  void aPathMayHoldCommasAndEqualsSigns() throws IOException {
    Path odd = Files.createDirectories(directory.resolve("a,b=c,d"));
    Files.writeString(odd.resolve("p.xml"), patent("1"));

    assertThat(open(odd.toString()).object(5).pid()).isEqualTo("fm:XY1A1-5");
    assertThat(open("dir=" + odd).object(5).pid()).isEqualTo("fm:XY1A1-5");
  }

  @Test
  void longNamesStayWithinFedorasPid() throws IOException {
    write("p.xml", patent("1".repeat(80)));

    PatentXmlDirectory dataset =
        PatentXmlDirectory.open(
            directory.toString(), DatasetOptions.unlimited("abcdefghijklmnopqrstuvw"));

    assertThat(dataset.object(Long.MAX_VALUE).pid()).hasSize(64);
  }

  @Test
  void aFileThatVanishesAfterOpeningIsNamed() throws IOException {
    write("p.xml", patent("1"));
    PatentXmlDirectory dataset = open();
    Files.delete(directory.resolve("p.xml"));

    assertThatThrownBy(() -> dataset.object(0))
        .isInstanceOf(UncheckedIOException.class)
        .hasStackTraceContaining("p.xml");
  }

  @Test
  void reportsEqualTextsOnce() throws IOException {
    write("p.xml", patent("1").replace("</inventors>", inventor() + "</inventors>"));

    assertThat(open().object(0).dublinCore())
        .filteredOn(value -> value.element().equals("creator"))
        .containsExactly(new DublinCoreValue("creator", "Doe, Jo"));
  }

  private PatentXmlDirectory open() {
    return open(directory.toString());
  }

  private static PatentXmlDirectory open(String parameters) {
    return PatentXmlDirectory.open(parameters, DatasetOptions.unlimited("fm"));
  }

  private static String magic(String extension) {
    return extension.equalsIgnoreCase("png") ? PNG : "II*\0";
  }

  private static List<String> companions(PatentXmlDirectory dataset, long index) {
    return dataset.object(index).content().stream()
        .skip(1)
        .map(content -> ((FileContent) content).file().getFileName().toString())
        .toList();
  }

  private void delete(String... paths) throws IOException {
    for (String path : paths) {
      Files.delete(directory.resolve(path));
    }
  }

  private static String pid(PatentXmlDirectory dataset, long index) {
    return dataset.object(index).pid();
  }

  private void write(String path, String text) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    boolean binary = text.equals(PNG);
    Files.write(file, text.getBytes(binary ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8));
  }

  private static String inventor() {
    return "<inventor><addressbook><last-name>Doe</last-name><first-name>Jo</first-name>"
        + "</addressbook></inventor>";
  }

  private static String patent(String number) {
    return """
        <wo-patent-document lang="EN"><bibliographic-data>
        <publication-reference><document-id><country>XY</country><doc-number>%s</doc-number>
        <kind>A1</kind><date>20010203</date></document-id></publication-reference>
        <invention-title>A title</invention-title>
        <parties><inventors>%s</inventors></parties>
        </bibliographic-data><abstract><p>An abstract.</p></abstract></wo-patent-document>
        """
        .formatted(number, inventor());
  }
}
