package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.UnusableDataException;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreadable files are not reported as broken documents: their content is unknown. */
class UnreadableFilesTest {

  private static final String PATENT =
      """
      <wo-patent-document lang="EN"><bibliographic-data>
      <publication-reference><document-id><country>XY</country><doc-number>1</doc-number>
      <kind>A1</kind><date>20010203</date></document-id></publication-reference>
      <invention-title>A title</invention-title>
      </bibliographic-data><abstract><p>An abstract.</p></abstract></wo-patent-document>
      """;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"gone.xml", "good.pdf", "good.tif", "more-patents"})
  void aLinkThatLeadsNowhereStopsEvenThoseWhoSkipWhatIsBad(String link) throws IOException {
    write("good.xml", PATENT);
    write("broken.xml", "<html/>");
    Files.createSymbolicLink(directory.resolve(link), directory.resolve("nothing"));

    assertThatThrownBy(() -> open(",skip-invalid=true"))
        .isInstanceOfSatisfying(
            UnusableDataException.class,
            e ->
                assertThat(e.problems())
                    .containsExactly(
                        link + " cannot be read: the target of the link does not exist"))
        .hasMessageStartingWith("1 file in " + directory + " cannot be read");
  }

  @Test
  void linksToThemselvesAreNamedToo() throws IOException {
    write("good.xml", PATENT);
    Files.createSymbolicLink(directory.resolve("self.xml"), directory.resolve("self.xml"));

    assertThatThrownBy(() -> open(",skip-invalid=true")).hasMessageContaining("self.xml cannot be");
  }

  @Test
  void ignoresHiddenFilesAndOtherNames() throws Exception {
    write("good.xml", PATENT);
    Files.createSymbolicLink(directory.resolve(".#good.xml"), directory.resolve("nothing"));
    makePipe("pipe");

    assertThat(open("").parameters()).containsEntry("documents", "1");
  }

  /** Opening it would block forever. */
  @Test
  @Timeout(60)
  void aPipeIsNamedAndNotOpened() throws Exception {
    write("good.xml", PATENT);
    makePipe("pipe.xml");
    makePipe("good.png");

    assertThatThrownBy(() -> open(",skip-invalid=true"))
        .hasMessageContaining("2 files in ")
        .hasMessageContaining("\n  good.png cannot be read: it is neither a file nor a folder")
        .hasMessageContaining("\n  pipe.xml cannot be read: it is neither");
  }

  @Test
  void withoutSkippingWhatIsBrokenIsNamedInTheSameBreath() throws IOException {
    write("good.xml", PATENT);
    write("broken.xml", "<html/>");
    Files.createSymbolicLink(directory.resolve("gone.xml"), directory.resolve("nothing"));

    assertThatThrownBy(() -> open(""))
        .isInstanceOfSatisfying(
            UnusableDataException.class,
            e -> {
              assertThat(e.problems()).hasSize(2);
              assertThat(e.problems().get(0)).startsWith("gone.xml cannot be read");
              assertThat(e.problems().get(1))
                  .startsWith("broken.xml is not a known patent document");
            })
        .hasMessageContaining("and 1 cannot be used as patents");
  }

  /** In a JVM that may not do more than others, even where the tests are run by root. */
  @Test
  @Timeout(120)
  void foldersAndFilesOfOtherUsersAreNamed() throws Exception {
    write("good.xml", PATENT);
    write("good.pdf", "%PDF-");
    write("secret.xml", PATENT);
    write("folder/other.xml", PATENT);
    for (String path : new String[] {"good.pdf", "secret.xml", "folder"}) {
      Files.setPosixFilePermissions(
          directory.resolve(path), PosixFilePermissions.fromString("---------"));
    }
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Opening.class.getName(),
            directory.toString()));
    try {
      Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(child.waitFor()).isZero();
      assertThat(output)
          .contains("1 folder and 2 files in ")
          .contains("\n  folder is a folder that cannot be read: permission denied")
          .contains("\n  good.pdf cannot be read: permission denied")
          .contains("\n  secret.xml cannot be read: permission denied");
    } finally {
      Files.setPosixFilePermissions(
          directory.resolve("folder"), PosixFilePermissions.fromString("rwx------"));
    }
  }

  /** Runs in the child: opens an unreadable directory and prints the reason. */
  static final class Opening {
    public static void main(String[] arguments) {
      try {
        PatentXmlDirectory.open(
            arguments[0] + ",skip-invalid=true", DatasetOptions.unlimited("fm"));
      } catch (UnusableDataException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** At every place of a document, in the midst of a lazily read text, too. */
  @Test
  void aDiskThatFailsIsNotADocumentThatIsBroken() {
    byte[] document =
        PATENT.replace("A title", "A title ".repeat(4_000)).getBytes(StandardCharsets.UTF_8);
    IOException broken = new IOException("Input/output error");
    for (int readable = 0; readable < document.length; readable += 97) {
      InputStream failing = failingAfter(readable, document, broken);

      assertThatThrownBy(() -> PatentXmlReader.readToTheEnd(failing))
          .as("%d bytes can be read", readable)
          .isSameAs(broken);
    }
  }

  @Test
  void aDocumentThatEndsAnywhereIsBroken() {
    byte[] document =
        PATENT
            .strip()
            .replace("A title", "A title ".repeat(4_000))
            .getBytes(StandardCharsets.UTF_8);
    for (int readable = 0; readable < document.length; readable += 97) {
      InputStream cut = new ByteArrayInputStream(document, 0, readable);

      assertThatThrownBy(() -> PatentXmlReader.readToTheEnd(cut))
          .as("%d bytes can be read", readable)
          .isInstanceOf(PatentXmlReader.NotAPatentException.class);
    }
  }

  /** Java reports both like a failed disk, by an IOException. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version=\"1.0\" encoding=\"klingon\"?><a/>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>\u00e4</a>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>"
      })
  void anEncodingThatIsNoneIsTheDocumentsFault(String document) {
    InputStream in = new ByteArrayInputStream(document.getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> PatentXmlReader.readToTheEnd(in))
        .isInstanceOf(PatentXmlReader.NotAPatentException.class);
  }

  private static InputStream failingAfter(int readable, byte[] document, IOException failure) {
    return new FilterInputStream(new ByteArrayInputStream(document, 0, readable)) {
      @Override
      public int read() throws IOException {
        int next = super.read();
        if (next < 0) {
          throw failure;
        }
        return next;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        int read = super.read(target, offset, length);
        if (read < 0) {
          throw failure;
        }
        return read;
      }
    };
  }

  private Dataset open(String parameters) {
    return Datasets.open("patents-xml:" + directory + parameters, DatasetOptions.unlimited("fm"));
  }

  private void write(String path, String text) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void makePipe(String path) throws Exception {
    Process made = new ProcessBuilder("mkfifo", directory.resolve(path).toString()).start();
    assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();
  }
}
