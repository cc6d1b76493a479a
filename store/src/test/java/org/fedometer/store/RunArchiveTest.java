package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunArchiveTest {
  @TempDir Path folder;

  @Test
  void aRunComesBackAsItWas() throws Exception {
    RunStore store = RunStore.at(folder.resolve("store"));
    RunFolder run = store.folderOf("night");
    TestStore.write(run, "samples", "1.parquet", TestStore.samples(0, 100));
    Files.writeString(run.documentFile(), "{\"schema\": 1}");
    Files.createDirectories(run.segmentDirectory());
    Files.writeString(run.segmentDirectory().resolve("000002.segment"), "not sealed yet");
    Path zip = folder.resolve("night.zip");

    RunArchive.write(run, zip);
    RunDeletion.delete(RunDeletion.hide(run));
    assertThat(store.directory().resolve("runs")).isEmptyDirectory();
    RunArchive.restore(zip, store);

    try (Query query = store.run("night").query()) {
      assertThat(TestStore.query(query, "SELECT count(*) FROM samples")).containsExactly("100");
    }
    assertThat(run.segmentDirectory().resolve("000002.segment")).hasContent("not sealed yet");
    try (ZipFile archive = new ZipFile(zip.toFile());
        Stream<Path> left = Files.list(folder)) {
      assertThat(archive.getEntry("night/tables/samples/1.parquet").getMethod())
          .isEqualTo(ZipEntry.STORED);
      assertThat(archive.getEntry("night/run.json").getMethod()).isEqualTo(ZipEntry.DEFLATED);
      assertThat(left).hasSize(2);
    }
  }

  @Test
  void filesOfWhateverNameComeBackButTheStoresOwnTemporaryOnes() throws Exception {
    RunStore store = RunStore.at(folder.resolve("store"));
    RunFolder run = store.folderOf("night");
    List<String> names = OddFiles.writeInto(run);
    Path zip = folder.resolve("night.zip");

    RunArchive.write(run, zip);
    RunDeletion.delete(RunDeletion.hide(run));
    RunArchive.restore(zip, store);

    assertThat(OddFiles.in(run)).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void filesWhoseRowsALargerOneHoldsAreLeftOutAndMayGoMeanwhile() throws Exception {
    RunStore store = RunStore.at(folder.resolve("store"));
    RunFolder run = store.folderOf("night");
    Files.createDirectories(run.path());
    Files.writeString(run.documentFile(), "{\"schema\": 1}");
    Path first = samples(run, "0a1b2c3d-000001-000001.parquet", 0, 10);
    Path second = samples(run, "0a1b2c3d-000002-000002.parquet", 10, 20);
    Path merged = samples(run, "0a1b2c3d-000001-000002.parquet", 0, 20);
    Path zip = folder.resolve("night.zip");

    String archived = RunArchive.write(run, zip);
    Files.delete(first);
    Files.delete(second);

    assertThat(RunArchive.fingerprint(run)).isEqualTo(archived);
    RunDeletion.delete(RunDeletion.hide(run, archived));
    RunArchive.restore(zip, store);
    assertThat(OddFiles.in(run)).hasSize(2);
    assertThat(run.tableFiles(Table.SAMPLES)).containsExactly(merged);
    try (Query query = store.run("night").query()) {
      assertThat(TestStore.query(query, "SELECT count(*) FROM samples")).containsExactly("20");
    }
  }

  @Test
  void whatALargerFileStandsForIsArchivedWhereThatIsCutShort() throws Exception {
    RunFolder run = RunStore.at(folder.resolve("store")).folderOf("night");
    Path first = samples(run, "0a1b2c3d-000001-000001.parquet", 0, 10);
    Files.write(
        first.resolveSibling("0a1b2c3d-000001-000002.parquet"),
        Arrays.copyOf(Files.readAllBytes(first), 100));
    Path zip = folder.resolve("night.zip");

    RunArchive.write(run, zip);

    try (ZipFile archive = new ZipFile(zip.toFile())) {
      assertThat(archive.size()).isEqualTo(2);
    }
  }

  private static Path samples(RunFolder run, String file, long from, long to) throws Exception {
    return TestStore.write(run, "samples", file, TestStore.samples(from, to));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\b", "line\nbreak", "config/bell\u0007"})
  void aRunThatCouldNotBeRestoredIsNotArchived(String name) throws Exception {
    RunFolder run = RunStore.at(folder.resolve("store")).folderOf("night");
    Path odd = run.path().resolve(name);
    Files.createDirectories(odd.getParent());
    Files.createFile(odd);

    assertThatThrownBy(() -> RunArchive.write(run, folder.resolve("night.zip")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("rename the file");

    assertNothingBut(odd);
  }

  @Test
  void aFingerprintIsTheSameInEveryCountry() throws Exception {
    RunFolder run = RunStore.at(folder.resolve("store")).folderOf("night");
    Files.createDirectories(run.path());
    Files.writeString(run.documentFile(), "{}");
    String fingerprint = RunArchive.fingerprint(run);
    Locale usual = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

      assertThat(RunArchive.fingerprint(run)).isEqualTo(fingerprint);
    } finally {
      Locale.setDefault(usual);
    }
  }

  @Test
  void nothingIsWrittenOver() throws Exception {
    RunStore store = RunStore.at(folder.resolve("store"));
    RunFolder run = store.folderOf("night");
    Files.createDirectories(run.path());
    Files.writeString(run.documentFile(), "{}");
    Path zip = folder.resolve("night.zip");
    RunArchive.write(run, zip);

    assertThatThrownBy(() -> RunArchive.write(run, zip))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("already exists");
    assertThatThrownBy(() -> RunArchive.restore(zip, store))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("night");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../escaped",
        "/escaped",
        "night/../../escaped",
        "night/../../../escaped",
        "night/./x",
        "night//x",
        "night/",
        "night/tables/",
        "night\\..\\..\\escaped",
        "night/a\\b",
        ".hidden/run.json",
        "run.json",
        "other/run.json",
        "night/\u0000",
        "night/a\u007fb",
        "night/a/..",
        "night/a/../b",
        "night/line\nbreak"
      })
  void anEntryThatCouldLeaveTheRunIsRefused(String name) throws Exception {
    Path zip = zip("night/run.json", name);
    RunStore store = RunStore.at(folder.resolve("deep/deep/store"));

    assertThatThrownBy(() -> RunArchive.restore(zip, store)).isInstanceOf(IOException.class);

    assertNothingBut(zip);
    assertThat(folder.resolve("deep")).as("refused before anything is written").doesNotExist();
  }

  @Test
  void anArchiveThatGrowsBeyondMeasureOrIsDamagedOrIsNoneIsRefused() throws Exception {
    RunStore store = RunStore.at(folder.resolve("store"));
    Path zip = zip("night/run.json");
    byte[] bytes = Files.readAllBytes(zip);
    // The size that the directory at the end promises, four bytes each of which are set.
    int directory = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("PK\u0001\u0002");
    byte[] huge = bytes.clone();
    for (int i = 24; i < 28; i++) {
      huge[directory + i] = 0x7F;
    }
    byte[] damaged = bytes.clone();
    damaged[directory + 16] ^= 1;
    byte[] none = "this is no zip".getBytes(StandardCharsets.UTF_8);

    for (byte[] content : List.of(huge, damaged, none)) {
      Files.write(zip, content);
      assertThatThrownBy(() -> RunArchive.restore(zip, store))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not an archive of a run");
      assertThat(store.runs()).isEmpty();
      assertNothingBut(zip);
    }
  }

  @Test
  void twoEntriesOfOneNameAreRefused() throws Exception {
    Path zip = zip("night/run.json", "night/notes-1", "night/notes-2");
    rewrite(zip, bytes -> bytes.replace("night/notes-2", "night/notes-1"));

    assertThatThrownBy(() -> RunArchive.restore(zip, RunStore.at(folder.resolve("store"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it has an entry \"night/notes-1\"");

    assertNothingBut(zip);
  }

  @Test
  void aFileThatIsAFolderTooIsRefusedBeforeAnythingIsWritten() throws Exception {
    Path zip = zip("night/a/b/c", "night/a-b", "night/a");

    assertThatThrownBy(() -> RunArchive.restore(zip, RunStore.at(folder.resolve("store"))))
        .isInstanceOf(IOException.class)
        .hasMessage(zip + " is not an archive of a run: \"night/a\" is both a file and a folder");

    assertNothingBut(zip);
    assertThat(folder.resolve("store")).doesNotExist();
  }

  @Test
  void aLinkBecomesAnOrdinaryFileThatHoldsItsTarget() throws Exception {
    Path zip = zip("night/run.json");
    rewrite(
        zip,
        bytes -> {
          int directory = bytes.indexOf("PK\u0001\u0002");
          StringBuilder changed = new StringBuilder(bytes);
          changed.setCharAt(directory + 5, (char) 3); // made on Unix
          changed.setCharAt(directory + 40, (char) 0xFF);
          changed.setCharAt(directory + 41, (char) 0xA1); // a link, for all
          return changed.toString();
        });

    RunFolder run = RunArchive.restore(zip, RunStore.at(folder.resolve("store")));

    assertThat(Files.isSymbolicLink(run.documentFile())).isFalse();
    assertThat(run.documentFile()).hasContent("{\"schema\": 1}");
  }

  @Test
  void refusesAnArchiveWithUnderstatedSizes() throws Exception {
    Path zip = zip("night/run.json");
    rewrite(
        zip,
        bytes -> {
          int directory = bytes.indexOf("PK\u0001\u0002");
          StringBuilder changed = new StringBuilder(bytes);
          changed.setCharAt(directory + 24, (char) 1);
          return changed.toString();
        });

    assertThatThrownBy(() -> RunArchive.restore(zip, RunStore.at(folder.resolve("store"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("night/run.json is larger than its declared size");

    assertNothingBut(zip);
  }

  @Test
  void checksFreeSpaceBeforeRestoring() throws Exception {
    String[] names = new String[4_000];
    Arrays.setAll(names, i -> "night/" + i);
    Path zip = zip(names);
    rewrite(
        zip,
        bytes -> {
          StringBuilder changed = new StringBuilder(bytes);
          for (int at = bytes.indexOf("PK\u0001\u0002");
              at >= 0;
              at = bytes.indexOf("PK\u0001\u0002", at + 1)) {
            for (int i = 24; i < 28; i++) {
              changed.setCharAt(at + i, i == 27 ? (char) 0xFE : (char) 0xFF);
            }
          }
          return changed.toString();
        });
    // 16 TB of promises are plausible only behind enough of a file, which need not be on the disk.
    byte[] entries = Files.readAllBytes(zip);
    try (RandomAccessFile sparse = new RandomAccessFile(zip.toFile(), "rw")) {
      sparse.setLength(0);
      sparse.setLength(16L << 30);
      sparse.seek(16L << 30);
      sparse.write(entries);
    }

    assertThatThrownBy(() -> RunArchive.restore(zip, RunStore.at(folder.resolve("store"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("MiB free");

    assertNothingBut(zip);
  }

  private interface Change {
    /** A character for each byte. */
    String of(String bytes);
  }

  private static void rewrite(Path file, Change change) throws IOException {
    String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    Files.write(file, change.of(bytes).getBytes(StandardCharsets.ISO_8859_1));
  }

  private Path zip(String... names) throws IOException {
    Path zip = folder.resolve("hostile.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (String name : names) {
        out.putNextEntry(new ZipEntry(name));
        out.write("{\"schema\": 1}".getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
      }
    }
    return zip;
  }

  private void assertNothingBut(Path zip) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      assertThat(all.filter(Files::isRegularFile)).containsExactly(zip);
    }
  }
}
