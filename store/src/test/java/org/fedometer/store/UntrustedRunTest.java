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
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A foreign run's folder, with content that Fedometer never creates. */
@Timeout(60)
class UntrustedRunTest {
  private static final String DOCUMENT =
      "{\"schema\": 1, \"id\": \"01ARZ3NDEKTSV4RRFFQ69G5FAV\", \"state\": \"done\"}";

  @TempDir Path folder;
  private RunStore store;
  private RunFolder run;

  @BeforeEach
  void makeRun() throws Exception {
    store = RunStore.at(folder.resolve("store"));
    run = store.folderOf("strange");
    TestStore.write(run, "samples", "1.parquet", TestStore.samples(0, 100));
    Files.writeString(run.documentFile(), DOCUMENT);
  }

  @Test
  void aPipeInPlaceOfItsDocumentIsNotOpened() throws Exception {
    Files.delete(run.documentFile());
    pipe("run.json");
    pipe("parts/1-of-2.json");

    assertThat(store.summaries()).extracting(RunSummary::state).containsExactly("unknown");
    assertThatThrownBy(run::document)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("run.json cannot be read: it is not a regular file");
  }

  @Test
  void aDocumentThatIsALinkToAnothersFileIsNotRead() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "topsecret");
    Files.delete(run.documentFile());
    Files.createSymbolicLink(run.documentFile(), secret);

    assertThat(store.summaries()).extracting(RunSummary::state).containsExactly("unknown");
    assertThatThrownBy(run::document)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a regular file")
        .hasMessageNotContaining("topsecret");
  }

  @Test
  void pipesAndLinksInPlaceOfAPartsDocumentCountForNothing() throws Exception {
    pipe("parts/1-of-2.json");
    Path part =
        Files.writeString(folder.resolve("part"), DOCUMENT.replace("\"done\"", "\"failed\""));
    Files.createSymbolicLink(run.path().resolve("parts/2-of-2.json"), part);

    assertThat(run.document().state()).isEqualTo("done");
    assertThat(run.parts()).isEmpty();
    assertThat(store.summaries()).extracting(RunSummary::state).containsExactly("done");
  }

  @Test
  void refusesAHugePartDocumentUnread() throws Exception {
    Path part = run.path().resolve("parts/1-of-2.json");
    Files.createDirectories(part.getParent());
    try (RandomAccessFile sparse = new RandomAccessFile(part.toFile(), "rw")) {
      sparse.setLength(5L << 30);
    }

    assertThatThrownBy(run::document)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(part + " cannot be read: ")
        .hasMessageContaining("more than 4194304 bytes");
    assertThat(store.summaries()).hasSize(1);
  }

  @Test
  void pipesAndLinksAmongItsFilesAreNeitherListedNorReadNorArchived() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "topsecret");
    pipe("logs/pipe.log");
    Files.createSymbolicLink(run.path().resolve("logs/link.log"), secret);
    Files.createSymbolicLink(run.path().resolve("logs/endless.log"), Path.of("/dev/zero"));
    Files.createSymbolicLink(run.path().resolve("logs/circle"), run.path());
    Path zip = folder.resolve("strange.zip");

    assertThat(run.files())
        .extracting(RunView.RunFile::path)
        .containsExactly("run.json", "tables/samples/1.parquet");
    for (String name : List.of("pipe.log", "link.log", "endless.log", "circle")) {
      assertThatThrownBy(() -> run.open("logs/" + name)).as(name).isInstanceOf(IOException.class);
    }
    RunArchive.write(run, zip);
    RunFolder back = RunArchive.restore(zip, RunStore.at(folder.resolve("other")));
    assertThat(OddFiles.in(back)).containsExactlyInAnyOrder("run.json", "tables/samples/1.parquet");
  }

  @Test
  void pipesAmongItsTablesAndSegmentsAreNotOpened() throws Exception {
    pipe("tables/samples/2.parquet");
    pipe("tables/requests/1.parquet");
    pipe("segments/0a1b2c3d-000001.segment");
    Files.createSymbolicLink(
        run.path().resolve("segments/0a1b2c3d-000002.segment"), Path.of("/dev/zero"));

    try (Query query = run.query()) {
      assertThat(TestStore.query(query, "SELECT count(*) FROM samples")).containsExactly("100");
      assertThat(TestStore.query(query, "SELECT count(*) FROM requests")).containsExactly("0");
    }
    assertThat(run.segmentFiles()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'abc' AS trace",
        "1.5e300 AS trace",
        "DATE '2020-01-01' AS start_nanos",
        "[1, 2] AS duration_nanos",
        "{'a': 1} AS trace",
        "'maybe' AS failed"
      })
  void aColumnOfAnotherTypeIsNamedWithItsFile(String column) throws Exception {
    Path file = TestStore.write(run, "samples", "1.parquet", "SELECT " + column);
    String name = column.substring(column.lastIndexOf(' ') + 1);

    try (Query query = run.query()) {
      assertThatThrownBy(() -> TestStore.query(query, "SELECT " + name + " FROM samples"))
          .isInstanceOf(QueryException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("\"" + name + "\"");
    }
  }

  @Test
  void aTableOfOtherColumnsIsOneOfNulls() throws Exception {
    TestStore.write(run, "samples", "1.parquet", "SELECT 1 AS nothing");

    try (Query query = run.query()) {
      assertThat(TestStore.query(query, "SELECT trace, stage FROM samples"))
          .containsExactly("null|null");
    }
  }

  @Test
  void aTablesFileThatIsDamagedAnywhereIsReadOrRefusedAndNeverMore() throws Exception {
    Path file = run.path().resolve("tables/samples/1.parquet");
    byte[] sound = Files.readAllBytes(file);
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 60; i++) {
      byte[] damaged = sound.clone();
      for (int j = 0; j < 4; j++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      if (i % 5 == 0) {
        damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
      }
      Files.write(file, damaged);
      try (Query query = run.query()) {
        assertThat(TestStore.query(query, "SELECT count(*), max(stage), sum(trace) FROM samples"))
            .as("seed %d", seed)
            .hasSize(1);
      } catch (QueryException e) {
        assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", file " + i, e);
      }
    }
  }

  @Test
  void aTablesFileWhoseEndMakesNoSenseIsNamed() throws Exception {
    Path file = run.path().resolve("tables/samples/1.parquet");
    byte[] bytes = Files.readAllBytes(file);
    // Bytes of its footer, which starts where the four bytes before the last four point.
    for (int i = bytes.length - 40; i < bytes.length - 8; i++) {
      bytes[i] = (byte) 0xFF;
    }
    Files.write(file, bytes);

    try (Query query = run.query()) {
      assertThatThrownBy(() -> TestStore.query(query, "SELECT count(*) FROM samples"))
          .isInstanceOf(QueryException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[[[[[[[[[[[[[[[[[[[",
        "{\"id\": \"first\", \"id\": \"\u001b]0;owned\u0007\"}",
        "{\"id\": \"\u0080\ufffe\"}"
      })
  void nestedRepeatedAndUnreadableJsonIsReadOrRefusedInOneSentence(String begin) throws Exception {
    String content = begin.startsWith("[") ? begin.repeat(10_000) : begin;
    Files.write(run.documentFile(), content.getBytes(StandardCharsets.ISO_8859_1));

    assertThat(store.summaries()).hasSize(1);
    try {
      run.document();
    } catch (IOException e) {
      assertThat(e.getMessage()).contains("run.json cannot be read: ").hasLineCount(1);
    }
  }

  private void pipe(String path) throws Exception {
    Path place = run.path().resolve(path);
    Files.createDirectories(place.getParent());
    Process made = new ProcessBuilder("mkfifo", place.toString()).inheritIO().start();
    assertThat(made.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();
  }
}
