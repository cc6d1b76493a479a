package org.fedometer.experiments.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handling of a run's used name. */
class NamedRunTest {
  private static final String STARTED =
      ",\"phases\":[{\"name\":\"start\",\"startNanos\":1,\"endNanos\":1}]";

  @TempDir private Path store;

  @Test
  void anIngestThatFailedBeforeItsLoadGivesItsPlaceToTheNext() throws Exception {
    written("failed", STARTED);
    assertThat(found().isIngestWithoutLoad()).isTrue();
    assertThat(found().id()).isEqualTo("01ARZ3NDEKTSV4RRFFQ69G5FAV");

    written("interrupted", "");
    assertThat(found().isIngestWithoutLoad()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ",\"phases\":[{\"name\":\"ingest\",\"startNanos\":1,\"endNanos\":1}]",
        ",\"objects\":{\"requested\":5,\"ingested\":1,\"failed\":0,\"verified\":0,\"bytes\":3}",
        ",\"triples\":{\"before\":7}",
        ",\"outages\":[{\"who\":\"driver\",\"startNanos\":1,\"endNanos\":2}]",
        ",\"profile\":{\"name\":\"mulgara-derby\"}",
        ",\"imported\":{\"format\":\"jmeter\",\"bytes\":1,\"requests\":1}"
      })
  void whatHasSomethingOnRecordKeepsItsName(String more) throws Exception {
    written("failed", more);

    assertThat(found().isIngestWithoutLoad()).isFalse();
  }

  @Test
  void aRunThatListsSkippedDocumentsKeepsItsName() throws Exception {
    written("failed", STARTED);
    Files.writeString(store.resolve("runs/again/skipped.txt"), "a.xml: no patent");

    assertThat(found().isIngestWithoutLoad()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"running", "done", "done-with-errors", "monitoring", "new"})
  void aRunThatHasNotFailedKeepsItsName(String state) throws Exception {
    written(state, "");

    assertThat(found().isIngestWithoutLoad()).isFalse();
  }

  @Test
  void rejectionSaysWhatToDo() throws Exception {
    written("done", "");
    assertThat(found().advice(place(), true))
        .isEqualTo(
            "; the run again has ended (done): 'fedometer runs rm again --store "
                + store
                + "' deletes it");
    written("running", "");
    assertThat(found().advice(place(), true))
        .contains("is in progress, or was killed", "if no driver works on it");
    written("monitoring", "");
    assertThat(found().advice(place(), true)).contains("--join", "an agent's");
    assertThat(found().advice(place(), false)).isEmpty();
  }

  @Test
  void findsNothingInAStoreWithoutTheRun() throws Exception {
    assertThat(NamedRun.find(place(), "again")).isEmpty();
  }

  private NamedRun found() throws InterruptedException {
    return NamedRun.find(place(), "again").orElseThrow();
  }

  private CollectorTarget place() {
    return new CollectorTarget(store, null, CollectorAccess.PLAIN, List.of());
  }

  private void written(String state, String more) throws IOException {
    Path folder = Files.createDirectories(store.resolve("runs/again"));
    Files.writeString(
        folder.resolve("run.json"),
        "{\"schema\":1,\"id\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\",\"name\":\"again\",\"state\":\""
            + state
            + "\""
            + more
            + "}");
  }
}
