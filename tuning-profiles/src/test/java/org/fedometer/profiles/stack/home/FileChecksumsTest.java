package org.fedometer.profiles.stack.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChecksumsTest {
  /** That of all archives of a reproducible build. */
  private static final FileTime ONE_TIME = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

  private static final String OF_ONE =
      "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
  private static final String OF_TWO =
      "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3";

  @TempDir private Path folder;
  private Path cache;
  private Path file;
  private FileChecksums checksums;

  @BeforeEach
  void makeFile() throws Exception {
    cache = folder.resolve("cache/checksums");
    checksums = new FileChecksums(cache, Duration.ZERO);
    file = folder.resolve("a.jar");
    write(file, "one");
  }

  @Test
  void aFileThatLooksAsItDidIsNotReadAgain() throws Exception {
    assertThat(checksums.sha256(file)).isEqualTo(OF_ONE);

    Path entry = entries().get(0);
    Files.writeString(entry, Files.readString(entry).replace(OF_ONE, OF_TWO));

    assertThat(checksums.sha256(file)).as("of the cache").isEqualTo(OF_TWO);
  }

  @Test
  void aFileOfTheSameSizeAndTimeOfModificationIsReadAgain() throws Exception {
    assertThat(checksums.sha256(file)).isEqualTo(OF_ONE);

    write(file, "two");
    assertThat(checksums.sha256(file)).isEqualTo(OF_TWO);

    Path other = folder.resolve("b.jar");
    write(other, "one");
    Files.delete(file);
    Files.move(other, file);
    assertThat(checksums.sha256(file)).as("another file").isEqualTo(OF_ONE);
    assertThat(entries()).hasSize(1);
  }

  @Test
  void aFileThatMayStillChangeIsNotRemembered() throws Exception {
    assertThat(new FileChecksums(cache, Duration.ofMinutes(1)).sha256(file)).isEqualTo(OF_ONE);

    assertThat(cache).doesNotExist();
  }

  @Test
  void whatIsNoEntryIsWrittenAnew() throws Exception {
    checksums.sha256(file);
    Path entry = entries().get(0);
    String line = Files.readString(entry);

    for (String broken :
        List.of("", line.substring(0, line.length() - 1), line + "0", "x", line.repeat(100))) {
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

  /** Until the kernel's clock for files has ticked, which it does every few milliseconds. */
  private static void write(Path file, String content) throws IOException {
    Object before = Files.exists(file) ? Files.getAttribute(file, "unix:ctime") : null;
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              Files.writeString(file, content);
              Files.setLastModifiedTime(file, ONE_TIME);
              return !Files.getAttribute(file, "unix:ctime").equals(before);
            });
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> entries = Files.list(cache)) {
      return entries.toList();
    }
  }
}
