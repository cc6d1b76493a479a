package org.fedometer.profiles.stack.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChecksumsTest {
  private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
  private static final String OF_ONE =
      "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
  private static final String OF_TWO =
      "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3";

  @TempDir private Path folder;
  private Path cache;
  private Path file;
  private FileChecksums checksums;

  @BeforeEach
  void makeFile() throws IOException {
    cache = folder.resolve("cache/checksums");
    checksums = new FileChecksums(cache);
    file = Files.writeString(folder.resolve("a.jar"), "one");
    Files.setLastModifiedTime(file, LONG_AGO);
  }

  @Test
  void aFileThatLooksAsItDidIsNotReadAgain() throws Exception {
    assertThat(checksums.sha256(file)).isEqualTo(OF_ONE);

    overwrite("two");

    assertThat(checksums.sha256(file)).isEqualTo(OF_ONE);
  }

  @Test
  void aFileThatLooksDifferentIsReadAgain() throws Exception {
    checksums.sha256(file);

    overwrite("two");
    Files.setLastModifiedTime(file, FileTime.from(LONG_AGO.toInstant().plusNanos(1_000_000)));
    assertThat(checksums.sha256(file)).isEqualTo(OF_TWO);

    Path other = Files.writeString(folder.resolve("b.jar"), "one");
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
    Files.move(other, Files.createDirectory(folder.resolve("aside")).resolve("a.jar"));
    Files.delete(file);
    Files.move(folder.resolve("aside/a.jar"), file);
    assertThat(checksums.sha256(file)).as("another inode").isEqualTo(OF_ONE);
  }

  @Test
  void aFileThatMayStillChangeIsNotRemembered() throws Exception {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now()));

    assertThat(checksums.sha256(file)).isEqualTo(OF_ONE);

    assertThat(cache).doesNotExist();
  }

  @Test
  void whatIsNoChecksumIsWrittenAnew() throws Exception {
    checksums.sha256(file);
    Path entry = entries().get(0);
    String line = Files.readString(entry);

    for (String broken : List.of("", line.substring(0, line.length() - 1), line + "0", "x")) {
      Files.writeString(entry, broken);
      assertThat(checksums.sha256(file)).isEqualTo(OF_ONE);
      assertThat(entry).hasContent(line);
    }
  }

  @Test
  void aCacheThatCannotBeUsedCostsTimeOnly() throws Exception {
    Files.createDirectories(cache.getParent());
    Files.writeString(cache, "a file");

    assertThat(checksums.sha256(file)).isEqualTo(OF_ONE);
  }

  @Test
  void aFileThatIsNotThereIsAFailure() {
    assertThatThrownBy(() -> checksums.sha256(folder.resolve("none.jar")))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** What tells nothing of it but its content. */
  private void overwrite(String content) throws IOException {
    Files.writeString(file, content);
    Files.setLastModifiedTime(file, LONG_AGO);
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> entries = Files.list(cache)) {
      return entries.toList();
    }
  }
}
