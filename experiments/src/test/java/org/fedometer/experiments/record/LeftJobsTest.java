package org.fedometer.experiments.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.driver.journal.JournalInUseException;
import org.fedometer.driver.journal.Stride;
import org.fedometer.experiments.job.HeardNotes;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftJobsTest {
  @TempDir private Path store;

  @Test
  void theJournalsOfARunGoWithAllOfItsPartsAndNoOthers() throws Exception {
    left("big", null);
    left("big.1-of-2", null);
    left("bigger", null);
    left("big.2", null);

    assertThat(LeftJobs.forget(store, "big")).isEmpty();

    assertThat(store.resolve("journals"))
        .isDirectoryNotContaining("glob:**big")
        .isDirectoryNotContaining("glob:**big.1-of-2")
        .isDirectoryContaining("glob:**bigger")
        .isDirectoryContaining("glob:**big.2");
    assertThat(LeftJobs.forget(store.resolve("none"), "big")).isEmpty();
  }

  @Test
  void aFedoraThatIsLeftIsNamed() throws Exception {
    Path home = Files.createDirectories(store.resolve("homes/big"));
    left("big", home);

    assertThat(LeftJobs.forget(store, "big"))
        .singleElement()
        .asString()
        .contains("down --home " + home + " --delete");
    assertThat(home).exists();
  }

  @Test
  void aRunWhoseDriverIsAtWorkIsRefused() throws Exception {
    JobJournal atWork = JobJournal.open(JobRecord.folderOf(store, "big"), null, Stride.ALL);

    assertThatThrownBy(() -> LeftJobs.requireNobodyAtWork(store, "big"))
        .isInstanceOf(JournalInUseException.class)
        .hasMessageContaining("its driver still runs");

    atWork.close(new HeardNotes());
    LeftJobs.requireNobodyAtWork(store, "big");
  }

  @Test
  void whatCanGoOnIsNotForgottenUnsaid() throws Exception {
    left("big.2-of-3", null);
    left("night", Files.createDirectories(store.resolve("homes/night")));

    assertThatThrownBy(() -> LeftJobs.requireNothingToGoOnWith(store, "big"))
        .hasMessageContaining(
            "'fedometer ingest --resume big.2-of-3 --store " + store + "' can go on")
        .hasMessageContaining("--give-up");
    assertThatThrownBy(() -> LeftJobs.requireNothingToGoOnWith(store, "night"))
        .hasMessageContaining("'fedometer run --resume night --store " + store + "' can go on");

    Path ended = JobRecord.folderOf(store, "big.2-of-3");
    JobRecord.read(ended).ended("done").write(ended);
    Files.delete(store.resolve("homes/night"));
    LeftJobs.requireNothingToGoOnWith(store, "big");
    LeftJobs.requireNothingToGoOnWith(store, "night"); // its Fedora is gone
  }

  @Test
  void aDriverThatIsStillStartingIsAtWorkAndNotKilled() throws Exception {
    JobJournal starting = JobJournal.open(JobRecord.folderOf(store, "big"), null, Stride.ALL);

    assertThatThrownBy(() -> LeftJobs.find(store, "big"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(
            "its driver is at work and has sent nothing yet; wait for it, or end it by 'fedometer"
                + " stop big'");

    starting.close(new HeardNotes());
  }

  @Test
  void aRecordOfAnotherKindIsToldWithoutAClassOfJava() throws Exception {
    left("big", null);
    Path damaged = JobRecord.folderOf(store, "big").resolve("job.json");
    Files.writeString(damaged, "{\"schema\": 1}");

    assertThatThrownBy(() -> LeftJobs.find(store, "big"))
        .hasMessage(damaged + " cannot be read: it lacks the field runId");
  }

  @Test
  void aDamagedRecordIsDeletedWithItsJournalByWhoGivesItUpAlone() throws Exception {
    left("big", null);
    left("big.1-of-2", null);
    Path damaged = JobRecord.folderOf(store, "big");
    Files.writeString(damaged.resolve("job.json"), "{\"schema\": ");

    assertThatThrownBy(() -> LeftJobs.requireNothingToGoOnWith(store, "big"))
        .hasMessageContaining("job.json cannot be read")
        .hasMessageContaining("--give-up");
    assertThat(LeftJobs.forget(store, "big"))
        .singleElement()
        .asString()
        .contains("whether a Fedora of big is left in " + store.resolve("homes"));

    assertThat(store.resolve("journals")).isEmptyDirectory();
  }

  @Test
  void aRunThatWasSentElsewhereIsFoundByTheCommandLineOfItsDriver() throws Exception {
    left("own", null);
    sent("far", "--workers", "4", "--collector", "192.0.2.7:4711");
    sent("part.2-of-3", "--collector=a:1", "--collector=[2001:db8::1]:4711");
    sent("half", "--collector");

    assertThat(LeftJobs.collectorOf(store, "far")).contains("192.0.2.7:4711");
    assertThat(LeftJobs.collectorOf(store, "part")).contains("[2001:db8::1]:4711");
    for (String run : List.of("own", "half", "none", "../far", "")) {
      assertThat(LeftJobs.collectorOf(store, run)).as(run).isEmpty();
    }
    Files.writeString(JobRecord.folderOf(store, "far").resolve("job.json"), "{");
    assertThat(LeftJobs.collectorOf(store, "far")).isEmpty();
  }

  private void sent(String name, String... arguments) throws Exception {
    Path folder = Files.createDirectories(JobRecord.folderOf(store, name));
    JobRecord.begun("01J", name, List.of(arguments), Map.of(), 0, null, "now", 1).write(folder);
  }

  private void left(String name, Path home) throws Exception {
    JobJournal journal = JobJournal.open(JobRecord.folderOf(store, name), null, Stride.ALL);
    JobRecord record = JobRecord.begun("01J", name, List.of(), Map.of(), 0, null, "now", 1);
    journal.record(
        home == null
            ? record
            : record.withStack(
                JobRecord.OwnStack.in(home, new RunDocument.Profile("p", Map.of(), Map.of()))));
    journal.close(new HeardNotes());
  }
}
