package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunStoreTest {
  @TempDir Path directory;

  @Test
  void runsComeTheNewestFirst() throws Exception {
    makeRun("b-old", Ulid.of(1_000));
    makeRun("a-new", Ulid.of(3_000));
    makeRun("c-middle", Ulid.of(2_000));

    assertThat(RunStore.at(directory).runs())
        .extracting(RunFolder::name)
        .containsExactly("a-new", "c-middle", "b-old");
  }

  @Test
  void aRunThatVanishesWhileTheyAreListedHidesNoOther() throws Exception {
    makeRun("stays", Ulid.next());
    Path vanishing = directory.resolve("runs/vanishes");
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(
            () -> {
              try {
                while (!enough.get()) {
                  Files.createDirectory(vanishing);
                  Files.delete(vanishing);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      for (int i = 0; i < 2_000; i++) {
        assertThat(RunStore.at(directory).runs()).extracting(RunFolder::name).contains("stays");
      }
    } finally {
      enough.set(true);
      other.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void aRunIsMeantByNameOrByPath() throws Exception {
    makeRun("night", Ulid.next());
    RunStore store = RunStore.at(directory);
    Path path = directory.resolve("runs/night");

    assertThat(store.run("night").path()).isEqualTo(path.toAbsolutePath());
    assertThat(store.run(path.toString()).name()).isEqualTo("night");
    assertThat(RunStore.at(directory.resolve("elsewhere")).run(path.toString()).document().name())
        .isEqualTo("night");
  }

  @Test
  void unknownRunListsExistingRuns() throws Exception {
    RunStore store = RunStore.at(directory);
    assertThatThrownBy(() -> store.run("x"))
        .isInstanceOf(NoSuchRunException.class)
        .hasMessageContainingAll(
            "no run yet",
            "./fedometer-store of the folder in which they were started",
            "--store DIR",
            "'fedometer runs fetch RUN --from H:P'");
    for (int i = 10; i < 22; i++) {
      makeRun("run" + i, Ulid.of(i));
    }

    for (String unknown : List.of("x", "../x", "", "a b", "x\u0000y")) {
      assertThatThrownBy(() -> store.run(unknown))
          .isInstanceOf(NoSuchRunException.class)
          .hasMessageContaining("\"" + unknown + "\"")
          .hasMessageContaining("run21, run20")
          .hasMessageContaining("run12 and 2 older")
          .hasMessageNotContaining("run11");
    }
  }

  @Test
  void readsRunDocumentsAndReportsTheirAbsence() throws Exception {
    String id = Ulid.next();
    makeRun("night", id);
    RunFolder run = RunStore.at(directory).run("night");

    assertThat(run.document().id()).isEqualTo(id);
    assertThat(run.document().versions()).containsEntry("fedora", "3.8.1");
    Files.writeString(run.documentFile(), "{\"schema\": 1, \"of-a-later-version\": {}}");
    assertThat(run.document().schema()).isEqualTo(1);
    Files.writeString(run.documentFile(), "{\"schema\": ");
    assertThatThrownBy(run::document)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("run.json");
    Files.delete(run.documentFile());
    assertThatThrownBy(run::document)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no run.json");
  }

  @Test
  void namesThatCouldLeaveTheStoreAreNone() {
    for (String name : List.of("", ".", "..", "a/b", "a\\b", ".a", "a b", "x".repeat(101))) {
      assertThat(RunFolder.isValidName(name)).as(name).isFalse();
      assertThatThrownBy(() -> RunStore.at(directory).folderOf(name))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(RunFolder.isValidName("2026-11-20_mptstore.postgresql-1")).isTrue();
  }

  @Test
  void ulidsSortByTime() {
    String early = Ulid.of(1_700_000_000_000L);
    String late = Ulid.of(1_700_000_000_001L);

    assertThat(early).isLessThan(late).hasSize(26);
    assertThat(Ulid.isUlid(early)).isTrue();
    assertThat(Ulid.epochMillisOf(late)).isEqualTo(1_700_000_000_001L);
    assertThat(Ulid.of(5)).isNotEqualTo(Ulid.of(5));
    assertThat(Ulid.isUlid("01ARZ3NDEKTSV4RRFFQ69G5FAV")).isTrue();
    assertThat(Ulid.epochMillisOf("01ARZ3NDEKTSV4RRFFQ69G5FAV")).isEqualTo(1_469_922_850_259L);
    assertThat(Ulid.isUlid("01ARZ3NDEKTSV4RRFFQ69G5FAI")).isFalse();
  }

  @Test
  void aRunDocumentWithSenselessContentDoesNotKeepTheOthersFromBeingListed() throws Exception {
    for (String document :
        List.of(
            "{\"objects\":{\"ingested\":1},\"phases\":[null,{},{\"endNanos\":5}]}",
            "{\"started\":\"-1000000000-01-01T00:00:00Z\",\"ended\":\"+1000000000-01-01T00:00:00Z\"}",
            "{\"started\":\"noon\",\"ended\":\"\"}")) {
      RunFolder run = RunStore.at(directory).folderOf("odd-" + document.length());
      Files.createDirectories(run.path());
      Files.writeString(run.documentFile(), document);
    }
    assertThat(RunStore.at(directory).summaries())
        .hasSize(3)
        .allSatisfy(
            summary -> {
              assertThat(summary.durationMillis()).isNull();
              assertThat(summary.objectsPerSecond()).isNull();
            });
  }

  @Test
  void neitherPausesNorTheAbsenceOfTheDriverAreInTheRate() throws Exception {
    RunFolder run = RunStore.at(directory).folderOf("resumed");
    Files.createDirectories(run.path());
    Files.writeString(
        run.documentFile(),
        """
        {"objects": {"ingested": 120},
         "phases": [{"name": "ingest", "startNanos": 1000000000, "endNanos": 100000000000},
                    {"name": "drain", "startNanos": 100000000000, "endNanos": 101000000000}],
         "load": {"pauses": [{"startNanos": 11000000000, "endNanos": 21000000000}]},
         "outages": [{"who": "driver", "startNanos": 31000000000, "endNanos": 61000000000},
                     {"who": "fedora", "startNanos": 71000000000, "endNanos": 81000000000},
                     {"who": "driver", "startNanos": 200000000000, "endNanos": 300000000000}]}
        """);

    assertThat(RunStore.at(directory).summaries().get(0).objectsPerSecond())
        .as("120 objects in 100 s, of which 10 were a pause and 30 without a driver")
        .isEqualTo(2.0);
  }

  @Test
  void documentedRunDocumentIsValid() throws Exception {
    String page = Files.readString(Path.of("../docs/developers/protocol.md"));
    String example = page.substring(page.indexOf("```json\n") + 8);
    RunFolder run = RunStore.at(directory).folderOf("night");
    Files.createDirectories(run.path());
    Files.writeString(run.documentFile(), example.substring(0, example.indexOf("```")));

    RunSummary summary = RunStore.at(directory).summaries().get(0);

    assertThat(Ulid.isUlid(summary.id())).isTrue();
    assertThat(summary.state()).isEqualTo("done");
    assertThat(summary.durationMillis()).isEqualTo(120_000);
    assertThat(summary.objects()).isEqualTo(300);
    assertThat(summary.objectsPerSecond()).isEqualTo(3.0);
  }

  private void makeRun(String name, String id) throws IOException {
    RunFolder run = RunStore.at(directory).folderOf(name);
    Files.createDirectories(run.path());
    RunDocument document =
        RunDocument.builder(name, "running")
            .id(id)
            .workers(1)
            .versions(Map.of("fedora", "3.8.1"))
            .build();
    Files.write(run.documentFile(), RunDocumentJson.write(document));
  }
}
