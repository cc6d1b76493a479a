package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageFileTest {
  private static final String PAGE = "<!DOCTYPE html>\n<p>new</p>\n";

  @TempDir Path folder;

  @Test
  void aPageThatWasThereIsReplacedAndNothingElseIsLeft() throws IOException {
    Path file = Files.writeString(folder.resolve("run.html"), "<!DOCTYPE html>\n<p>old</p>\n");

    PageFile.of(file.toString()).write(PAGE, false);

    assertThat(file).hasContent(PAGE);
    assertThat(folder.toFile().list()).containsExactly("run.html");
  }

  @Test
  void anEmptyFileIsFilled() throws IOException {
    Path file = Files.createFile(folder.resolve("x".repeat(250) + ".html"));

    PageFile.of(file.toString()).write(PAGE, false);

    assertThat(file).hasContent(PAGE);
  }

  @Test
  void aFileThatIsNoPageIsNotLost() throws IOException {
    Path document = Files.writeString(folder.resolve("run.json"), "{}");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageFile.of(document.toString()))
        .withMessageContaining("is no page");
    assertThat(document).hasContent("{}");
  }

  @Test
  void whoMayReadAPageIsAskedOnce() throws IOException {
    assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
    Path file = Files.createFile(folder.resolve("run.html"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

    PageFile.of(file.toString()).write(PAGE, false);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aLinkStaysALinkToThePage() throws IOException {
    Path page = Files.createFile(folder.resolve("page.html"));
    Path link = Files.createSymbolicLink(folder.resolve("link.html"), page);

    PageFile.of(link.toString()).write(PAGE, false);

    assertThat(link).isSymbolicLink();
    assertThat(page).hasContent(PAGE);
  }
}
