package org.fedometer.wire.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableTest {
  @TempDir private Path real;
  @TempDir private Path looks;
  private ForgetfulDisk disk;
  private int count;

  @BeforeEach
  void openDisk() {
    disk = new ForgetfulDisk(real);
  }

  @Test
  void aFolderThatIsNotSyncedNeedsNoPermissionToReadTheOneAbove(@TempDir Path above)
      throws IOException {
    Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("-wx------"));
    try {
      PrivateFiles.createFoldersUnsynced(above.resolve("a/b"));
      PrivateFiles.createFoldersUnsynced(above.resolve("a/b"));
    } finally {
      Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwx------"));
    }
    assertThat(Files.getPosixFilePermissions(above.resolve("a/b")))
        .doesNotContain(PosixFilePermission.OTHERS_READ, PosixFilePermission.GROUP_WRITE);
  }

  @Test
  void whatIsNotSyncedIsForgotten() throws Exception {
    Path folder = Files.createDirectory(disk.root().resolve("folder"));
    Files.write(folder.resolve("file"), bytes("content"));

    assertThat(remainingFiles().resolve("folder")).as("the test's own disk").doesNotExist();

    Durable.syncDirectory(disk.root());
    assertThat(remainingFiles().resolve("folder")).isEmptyDirectory();

    Durable.syncDirectory(folder);
    assertThat(remainingFiles().resolve("folder/file")).hasBinaryContent(new byte[0]);

    Durable.syncFile(folder.resolve("file"));
    assertThat(remainingFiles().resolve("folder/file")).hasContent("content");
  }

  @Test
  void foldersStay() throws Exception {
    Durable.createDirectories(disk.root().resolve("a/b/c"));

    assertThat(remainingFiles().resolve("a/b/c")).isDirectory();
  }

  @Test
  void aReplacedFileIsTheOldOrTheNewOneAtAnyTime() throws Exception {
    Path file = disk.root().resolve("file");
    Durable.replace(file, bytes("old"));
    disk.afterEach(() -> assertThat(content(remainingFiles().resolve("file"))).isIn("old", "new"));

    Durable.replace(file, bytes("new"));

    assertThat(remainingFiles().resolve("file")).hasContent("new");
    assertThat(real.toFile().list()).containsExactly("file");
  }

  @Test
  void aFileHasItsAttributesWhateverAProcessThatWasKilledHasLeft() throws Exception {
    Path file = real.resolve("file");
    Files.write(real.resolve("file.tmp"), bytes("half"));

    Durable.replace(
        file,
        bytes("whole"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(file).hasContent("whole");
  }

  @Test
  void aTreeStays() throws Exception {
    Path below = Files.createDirectories(disk.root().resolve("tree/below"));
    Files.write(below.resolve("file"), bytes("content"));

    Durable.syncTree(disk.root().resolve("tree"));
    Durable.syncDirectory(disk.root());

    assertThat(remainingFiles().resolve("tree/below/file")).hasContent("content");
  }

  @Test
  void anInterruptCutsNothingShortAndStaysPending() throws Exception {
    Thread.currentThread().interrupt();

    Durable.replace(real.resolve("file"), bytes("content"));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(real.resolve("file")).hasContent("content");
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Path remainingFiles() {
    Path into = looks.resolve(Integer.toString(count++));
    try {
      disk.showLossOfPower(into);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return into;
  }
}
