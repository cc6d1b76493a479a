package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredExperimentTest {
  private static final String ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  @TempDir private Path directory;
  private RunStore store;

  @BeforeEach
  void makeStore() {
    store = RunStore.at(directory);
  }

  @Test
  void itsRunsComeByPlaceWithTheirLabelsAndBlocks() throws Exception {
    make("night.1.b", "done", at(ID, "b", 1, 2, 1));
    make("night.1.a", "done-with-errors", at(ID, "a", 1, 1, 1));
    make("other", "done", null);

    StoredExperiment night = StoredExperiment.find(store, "night").orElseThrow();

    assertThat(night.counted())
        .extracting(run -> run.view().name())
        .containsExactly("night.1.a", "night.1.b");
    assertThat(night.counted()).extracting(run -> run.at().block()).containsExactly(1, 1);
    assertThat(night.counted()).extracting(run -> run.at().warmObjects()).containsOnly(5000L);
    assertThat(night.setAside()).isEmpty();
    assertThat(night.id()).isEqualTo(ID);
    assertThat(night.baseline()).isEqualTo("a");
    assertThat(night.labels()).containsExactly("a", "b");
    assertThat(StoredExperiment.find(store, "day")).isEmpty();
  }

  @Test
  void aRunThatDidNotComeToItsEndIsSetAsideAndTheOneMadeAnewCounts() throws Exception {
    make("night.1.a", "running", at(ID, "a", 1, 1, 1));
    make("night.1.a.2", "failed", at(ID, "a", 1, 1, 2));
    make("night.1.a.3", "done", at(ID, "a", 1, 1, 3));
    make("night.1.b", "interrupted", at(ID, "b", 1, 2, 1));

    StoredExperiment night = StoredExperiment.find(store, "night").orElseThrow();

    assertThat(night.counted()).extracting(run -> run.view().name()).containsExactly("night.1.a.3");
    assertThat(night.setAside())
        .extracting(run -> run.view().name())
        .containsExactly("night.1.a", "night.1.a.2", "night.1.b");
  }

  @Test
  void firstCompleteRunOfAPlaceCounts() throws Exception {
    make("night.1.a", "done", at(ID, "a", 1, 1, 1));
    make("night.1.a.2", "done", at(ID, "a", 1, 1, 2));

    assertThat(StoredExperiment.find(store, "night").orElseThrow().counted())
        .extracting(run -> run.view().name())
        .containsExactly("night.1.a");
  }

  @Test
  void keepsExperimentsOfOneNameApart() throws Exception {
    make("night.1.a", "done", at(ID, "a", 1, 1, 1));
    make("night.1.b", "done", at("01BX5ZZKBKACTAV9WEVGEMMVRZ", "b", 1, 1, 1));

    assertThatThrownBy(() -> StoredExperiment.find(store, "night"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2 experiments with the name night");
  }

  @Test
  void ignoresForeignExperimentData() throws Exception {
    make("night.1.a", "done", at(ID, "a", 1, 1, 1));
    RunDocument.Experiment odd =
        new RunDocument.Experiment(
            null, "night", null, null, null, null, 0, 0, null, 0, 0, null, null);
    make("odd", null, odd);

    assertThat(StoredExperiment.find(store, "night").orElseThrow().runs()).hasSize(1);
  }

  @Test
  void aRunOfAnOlderVersionIsOfNoExperiment() throws Exception {
    RunDocument old =
        RunDocumentJson.read(
            new ByteArrayInputStream(
                "{\"schema\":1,\"name\":\"old\",\"state\":\"done\"}"
                    .getBytes(StandardCharsets.UTF_8)));

    assertThat(old.experiment()).isNull();
  }

  @Test
  void aRunThatWasKilledKeepsItsPlaceWhenItsEndIsPutOnRecord() throws Exception {
    make("night.1.a", "running", at(ID, "a", 1, 1, 1));
    RunDocument killed = store.run("night.1.a").document();

    RunDocument ended =
        killed.endedAs("interrupted", new RunDocument.Failure("ingest", "it was killed", null));

    assertThat(ended.state()).isEqualTo("interrupted");
    assertThat(ended.failure().message()).isEqualTo("it was killed");
    assertThat(ended.experiment()).isEqualTo(killed.experiment());
    assertThat(ended.versions()).isEqualTo(killed.versions());
  }

  private static RunDocument.Experiment at(
      String id, String label, int block, int place, int attempt) {
    return new RunDocument.Experiment(
        id,
        "night",
        label,
        "a",
        List.of("a", "b"),
        "interleaved",
        1,
        block,
        block,
        place,
        attempt,
        5000L,
        "cold");
  }

  private void make(String name, String state, RunDocument.Experiment experiment)
      throws IOException {
    RunFolder run = store.folderOf(name);
    Files.createDirectories(run.path());
    RunDocument document =
        RunDocument.builder(name, state)
            .id(Ulid.next())
            .workers(1)
            .versions(Map.of("fedora", "3.8.1"))
            .experiment(experiment)
            .build();
    Files.write(run.documentFile(), RunDocumentJson.write(document));
  }
}
