package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageFileTest {
  @TempDir Path folder;

  @Test
  void isNoneUnlessAskedFor() {
    assertThat(PageFile.of(null)).isNull();
    assertThat(PageFile.of("-").isStandardOutput()).isTrue();
  }

  @Test
  void refusesWhatCannotBeWrittenBeforeTheWork() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageFile.of(folder.toString()))
        .withMessageContaining("is a folder");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageFile.of(folder.resolve("none/page.html").toString()))
        .withMessageContaining("lies in a folder that is not there: " + folder.resolve("none"));
  }

  @Test
  void replacesThePageThatWasThereAndLeavesNothingElse() throws IOException {
    Path file = Files.writeString(folder.resolve("page.html"), "old");

    PageFile.of(file.toString()).write("new", false);

    assertThat(file).hasContent("new");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void writesBehindALinkAndKeepsIt() throws IOException {
    Path file = Files.writeString(folder.resolve("page.html"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("latest.html"), file);

    PageFile.of(link.toString()).write("new", false);

    assertThat(file).hasContent("new");
    assertThat(link).isSymbolicLink();
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
