package org.fedometer.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.fedometer.cli.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageFileTest {
  @TempDir Path folder;
  private final StringWriter output = new StringWriter();

  @Test
  void isNullByDefault() {
    assertThat(PageFile.of(null)).isNull();
    assertThat(PageFile.of("-").isStandardOutput()).isTrue();
  }

  @Test
  void rejectsUnwritableFilesEarly() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageFile.of(folder.toString()))
        .withMessageContaining("is a folder");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageFile.of(folder.resolve("none/page.html").toString()))
        .withMessageContaining("the folder " + folder.resolve("none") + " does not exist");
  }

  @Test
  void replacesThePageThatWasThereAndLeavesNothingElse() throws IOException {
    Path file = Files.writeString(folder.resolve("page.html"), "<!DOCTYPE html>old");

    PageFile.of(file.toString()).write("new", false, new PrintWriter(output, true));

    assertThat(file).hasContent("new");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
    assertThat(output).hasToString("report page: " + file.toUri() + System.lineSeparator());
  }

  @Test
  void writesBehindALinkAndKeepsIt() throws IOException {
    Path file = Files.writeString(folder.resolve("page.html"), "<!DOCTYPE html>old");
    Path link = Files.createSymbolicLink(folder.resolve("latest.html"), file);

    PageFile.of(link.toString()).write("new", false, new PrintWriter(output, true));

    assertThat(file).hasContent("new");
    assertThat(link).isSymbolicLink();
  }

  @Test
  void fillsAnEmptyFileOfALongName() throws IOException {
    Path file = Files.createFile(folder.resolve("x".repeat(250) + ".html"));

    PageFile.of(file.toString()).write("new", false, new PrintWriter(output, true));

    assertThat(file).hasContent("new");
  }

  @Test
  void aFileThatIsNoPageIsNotLost() throws IOException {
    Path document = Files.writeString(folder.resolve("run.json"), "{}");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageFile.of(document.toString()))
        .withMessageContaining("is not a page");
    assertThat(document).hasContent("{}");
  }

  @Test
  void keepsPermissions() throws IOException {
    Requirement.require(
        FileSystems.getDefault().supportedFileAttributeViews().contains("posix"),
        "files have an owner and modes, as on Linux");
    Path file = Files.createFile(folder.resolve("run.html"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

    PageFile.of(file.toString()).write("new", false, new PrintWriter(output, true));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void opensFilesOnly() {
    PageFile.requireFile(PageFile.of(folder.resolve("page.html").toString()), true);
    PageFile.requireFile(null, false);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageFile.requireFile(null, true))
        .withMessageContaining("--html");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageFile.requireFile(PageFile.of("-"), true));
  }
}
