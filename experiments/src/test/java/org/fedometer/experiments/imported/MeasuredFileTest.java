package org.fedometer.experiments.imported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredFileTest {
  private static final ImportChoices DURATIONS = ImportedText.choices(ImportFormat.DURATIONS);

  @TempDir private Path folder;

  @Test
  void aFileOfGzipIsUnpackedByItsFirstBytesAllMembersOfIt() throws Exception {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(gzip("36\n"));
    both.write(gzip("41\n"));

    ImportedText told = ImportedText.of(DURATIONS, both.toByteArray());
    assertThat(told.requests()).hasSize(2);
    assertThat(told.overview().sha256()).matches("[0-9a-f]{64}");
  }

  @Test
  void theChecksumIsThatOfTheFileAsItLiesThere() throws Exception {
    ImportedText told = ImportedText.of(DURATIONS, "36\n");

    // printf '36\n' | sha256sum
    assertThat(told.overview().sha256())
        .isEqualTo("a4b2c5db15348c29451e18b8307e5ef81625ea638e807935f39ceaa8d9ac7758");
  }

  @Test
  void aFileOfGzipThatIsCutIsRefused() throws Exception {
    byte[] complete = gzip("36\n".repeat(1000));

    assertThatThrownBy(
            () -> ImportedText.of(DURATIONS, Arrays.copyOf(complete, complete.length - 9)))
        .isInstanceOf(UnreadableMeasurementsException.class)
        .hasMessageContaining("it is not a complete gzip file");
    assertThatThrownBy(() -> ImportedText.of(DURATIONS, Arrays.copyOf(complete, 5)))
        .hasMessageContaining("it is not a complete gzip file: ")
        .hasMessageNotContaining("null");
    complete[complete.length / 2] ^= 0x55;
    assertThatThrownBy(() -> ImportedText.of(DURATIONS, complete))
        .isInstanceOf(UnreadableMeasurementsException.class);
  }

  @Test
  void whatIsPackedOtherwiseIsRefusedWithItsName() {
    assertThatThrownBy(() -> ImportedText.of(DURATIONS, "PK\u0003\u0004...."))
        .hasMessageContaining("a zip");
    assertThatThrownBy(() -> ImportedText.of(DURATIONS, "BZh9...."))
        .hasMessageContaining("a bzip2 file");
  }

  @Test
  void aLineWithoutAnEndIsRefusedBeforeItIsHeld() {
    assertThatThrownBy(
            () -> ImportedText.of(DURATIONS, "1".repeat(RecordReader.MAX_LINE_BYTES + 1)))
        .hasMessageContaining("line 1 is longer than 65536 bytes");
    assertThatThrownBy(() -> ImportedText.of(DURATIONS, gzip("x".repeat(50_000_000))))
        .hasMessageContaining("line 1 is longer than 65536 bytes");
  }

  @Test
  void rejectsAFileThatChangesBetweenInspectAndSend() throws Exception {
    Path path = Files.writeString(folder.resolve("old.txt"), "36\n41\n");
    try (MeasuredFile file = MeasuredFile.of(path)) {
      ImportedMeasurements measurements = new ImportedMeasurements(file, DURATIONS);
      ImportOverview overview = measurements.inspect();
      Files.writeString(path, "12\n", StandardOpenOption.APPEND);

      assertThatThrownBy(() -> measurements.send(overview, (n, o, w, s, d, c, m) -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("old.txt changed while it was read");
    }
    assertThat(path).exists();
  }

  @Test
  void aCopyIsPrivateAndDeletedOnClose() throws Exception {
    Path copy;
    try (MeasuredFile file =
        MeasuredFile.copyOf(new ByteArrayInputStream(new byte[] {'3', '6'}), "-")) {
      copy = file.path();

      assertThat(copy).hasBinaryContent(new byte[] {'3', '6'});
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
          .isEqualTo("rw-------");
    }
    assertThat(copy).doesNotExist();
  }

  @Test
  void whatIsNotThereAndAFolderAreNoFiles() {
    assertThatThrownBy(() -> MeasuredFile.of(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> MeasuredFile.of(folder)).hasMessageContaining("is a folder");
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
