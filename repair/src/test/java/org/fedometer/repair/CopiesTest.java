package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopiesTest {

  @TempDir Path temporary;
  private Path home;
  private Path folder;
  private Copies copies;

  @BeforeEach
  void begin() throws Exception {
    home = Files.createDirectories(temporary.resolve("home"));
    folder = temporary.resolve("repair");
    copies = new Copies(folder, home);
  }

  @Test
  void aFileGoesToThePathThatItHadBelowTheHome() throws Exception {
    Path file = home.resolve("data/objects/a");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "foxml");
    copies.addFile(file);
    assertThat(file).doesNotExist();
    assertThat(folder.resolve("files/data/objects/a")).hasContent("foxml");
  }

  @Test
  void aFileElsewhereGoesToItsWholePath() throws Exception {
    Path file = Files.writeString(temporary.resolve("elsewhere"), "content");
    copies.addFile(file);
    assertThat(file).doesNotExist();
    assertThat(folder.resolve("files").resolve(file.getRoot().relativize(file)))
        .hasContent("content");
  }

  @Test
  void aFileOnAnotherFileSystemIsMovedToo() throws Exception {
    Path memory = Path.of("/dev/shm");
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeThat(memory).isWritable();
      assumeThat(Files.getFileStore(memory)).isNotEqualTo(Files.getFileStore(temporary));
    }
    Path objects = Files.createTempDirectory(memory, "fedometer-copies");
    try {
      Path file = Files.writeString(objects.resolve("a"), "foxml");
      copies.addFile(file);
      assertThat(file).doesNotExist();
      assertThat(folder.resolve("files").resolve(file.getRoot().relativize(file)))
          .hasContent("foxml");
    } finally {
      Files.deleteIfExists(objects.resolve("a"));
      Files.delete(objects);
    }
  }

  @Test
  void storesFilesOfOnePathSeparately() throws Exception {
    Path file = home.resolve("a");
    for (String content : List.of("broken", "its successor", "the next")) {
      copies.addFile(Files.writeString(file, content));
    }
    assertThat(file).doesNotExist();
    assertThat(folder.resolve("files/a")).hasContent("broken");
    assertThat(folder.resolve("files-2/a")).hasContent("its successor");
    assertThat(folder.resolve("files-3/a")).hasContent("the next");
  }

  @Test
  void rowsAndTriplesComeOneAfterTheOther() throws Exception {
    copies.addRows(List.of("INSERT 1;", "INSERT 2;"));
    copies.addRows(List.of("INSERT 3;"));
    copies.addRemovedTriples(List.of(new Statement(null, "<urn:s>", "<urn:p>", "<urn:o>")));
    assertThat(Files.readAllLines(folder.resolve("rows.sql")))
        .containsExactly("INSERT 1;", "INSERT 2;", "INSERT 3;");
    assertThat(Files.readAllLines(folder.resolve("removed.nt")))
        .containsExactly("<urn:s> <urn:p> <urn:o> .");
  }

  @Test
  void withoutAnythingToCopyThereIsNoFolder() throws Exception {
    copies.addFile(home.resolve("gone"));
    copies.addRows(List.of());
    copies.addAddedTriples(List.of());
    assertThat(folder).doesNotExist();
  }
}
