package org.fedometer.experiments.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.driver.journal.FirstDriver;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.journal.JournalInUseException;
import org.fedometer.driver.journal.Stride;
import org.fedometer.experiments.job.RecordingListener;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnfinishedJobsTest {
  @TempDir private Path store;

  @Test
  void theJournalsOfARunGoWithAllOfItsPartsAndNoOthers() throws Exception {
    remaining("big", null);
    remaining("big.1-of-2", null);
    remaining("bigger", null);
    remaining("big.2", null);

    assertThat(UnfinishedJobs.deleteJournals(store, "big")).isEmpty();

    assertThat(store.resolve("journals"))
        .isDirectoryNotContaining("glob:**big")
        .isDirectoryNotContaining("glob:**big.1-of-2")
        .isDirectoryContaining("glob:**bigger")
        .isDirectoryContaining("glob:**big.2");
    assertThat(UnfinishedJobs.deleteJournals(store.resolve("none"), "big")).isEmpty();
  }

  @Test
  void aFedoraThatIsLeftIsNamed() throws Exception {
    Path home = Files.createDirectories(store.resolve("homes/big"));
    remaining("big", home);

    assertThat(UnfinishedJobs.deleteJournals(store, "big"))
        .singleElement()
        .asString()
        .contains("down --home " + home + " --delete");
    assertThat(home).exists();
  }

  @Test
  void rejectsARunWhoseDriverIsRunning() throws Exception {
    JobJournal atWork = JobJournal.open(JobRecord.folderOf(store, "big"), null, Stride.ALL);

    assertThatThrownBy(() -> UnfinishedJobs.requireNotInUse(store, "big"))
        .isInstanceOf(JournalInUseException.class)
        .hasMessageContaining("its driver still runs");

    atWork.close(new RecordingListener());
    UnfinishedJobs.requireNotInUse(store, "big");
  }

  @Test
  void doesNotDeleteResumableJobsSilently() throws Exception {
    remaining("big.2-of-3", null);
    remaining("night", Files.createDirectories(store.resolve("homes/night")));

    assertThatThrownBy(() -> UnfinishedJobs.requireNotResumable(store, "big"))
        .hasMessageContaining(
            "'fedometer ingest --resume big.2-of-3 --store " + store + "' can resume it")
        .hasMessageContaining("--force");
    assertThatThrownBy(() -> UnfinishedJobs.requireNotResumable(store, "night"))
        .hasMessageContaining("'fedometer run --resume night --store " + store + "' can resume it");

    Path ended = JobRecord.folderOf(store, "big.2-of-3");
    JobRecord.read(ended).ended("done").write(ended);
    Files.delete(store.resolve("homes/night"));
    UnfinishedJobs.requireNotResumable(store, "big");
    UnfinishedJobs.requireNotResumable(store, "night"); // its Fedora is gone
  }

  @Test
  void aDriverThatIsStillStartingIsAtWorkAndNotKilled() throws Exception {
    JobJournal starting = JobJournal.open(JobRecord.folderOf(store, "big"), null, Stride.ALL);

    assertThatThrownBy(() -> UnfinishedJobs.find(store, "big"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(
            "its driver is running and has sent nothing yet; wait, or stop it with 'fedometer"
                + " load stop big'");

    starting.close(new RecordingListener());
  }

  @Test
  void reportsAnotherKindOfRecordWithoutClassNames() throws Exception {
    remaining("big", null);
    Path damaged = JobRecord.folderOf(store, "big").resolve("job.json");
    Files.writeString(damaged, "{\"schema\": 1}");

    assertThatThrownBy(() -> UnfinishedJobs.find(store, "big"))
        .hasMessage(damaged + " cannot be read: it lacks the field runId");
  }

  @Test
  void deletesADamagedRecordOnlyWithGiveUp() throws Exception {
    remaining("big", null);
    remaining("big.1-of-2", null);
    Path corrupt = JobRecord.folderOf(store, "big");
    Files.writeString(corrupt.resolve("job.json"), "{\"schema\": ");

    assertThatThrownBy(() -> UnfinishedJobs.requireNotResumable(store, "big"))
        .hasMessageContaining("job.json cannot be read")
        .hasMessageContaining("--force");
    assertThat(UnfinishedJobs.deleteJournals(store, "big"))
        .singleElement()
        .asString()
        .contains("whether a Fedora of big is left in " + store.resolve("homes"));

    assertThat(store.resolve("journals")).isEmptyDirectory();
  }

  @Test
  void aRunThatWasSentElsewhereIsFoundByTheCommandLineOfItsDriver() throws Exception {
    remaining("own", null);
    sent("far", "--workers", "4", "--collector", "192.0.2.7:4711");
    sent("part.2-of-3", "--collector=a:1", "--collector=[2001:db8::1]:4711");
    sent("half", "--collector");

    assertThat(UnfinishedJobs.collectorOf(store, "far")).contains("192.0.2.7:4711");
    assertThat(UnfinishedJobs.collectorOf(store, "part")).contains("[2001:db8::1]:4711");
    for (String run : List.of("own", "half", "none", "../far", "")) {
      assertThat(UnfinishedJobs.collectorOf(store, run)).as(run).isEmpty();
    }
    Files.writeString(JobRecord.folderOf(store, "far").resolve("job.json"), "{");
    assertThat(UnfinishedJobs.collectorOf(store, "far")).isEmpty();
  }

  @Test
  void onlyARunThatEndedWellWithAWholeJournalIsComplete() throws Exception {
    remaining("big.1-of-2", null);
    Path folder = JobRecord.folderOf(store, "big.1-of-2");
    JobRecord begun = JobRecord.read(folder);
    for (String state : List.of("interrupted", "failed", "done-with-errors")) {
      UnfinishedJobs.requireIncomplete(store, "big.1-of-2", begun.ended(state));
    }

    assertThatThrownBy(
            () -> UnfinishedJobs.requireIncomplete(store, "big.1-of-2", begun.ended("done")))
        .isInstanceOf(CompleteRunException.class)
        .hasMessage("big.1-of-2 is complete; nothing to resume");

    try (Journal journal = Journal.resume(folder, FirstDriver.unknown())) {
      journal.begun(0);
    }
    UnfinishedJobs.requireIncomplete(store, "big.1-of-2", begun.ended("done"));
  }

  private void sent(String name, String... arguments) throws Exception {
    Path folder = Files.createDirectories(JobRecord.folderOf(store, name));
    JobRecord.begun("01J", name, List.of(arguments), Map.of(), 0, null, "now", 1).write(folder);
  }

  private void remaining(String name, Path home) throws Exception {
    JobJournal journal = JobJournal.open(JobRecord.folderOf(store, name), null, Stride.ALL);
    JobRecord record = JobRecord.begun("01J", name, List.of(), Map.of(), 0, null, "now", 1);
    journal.record(
        home == null
            ? record
            : record.withStack(
                JobRecord.RecordedStack.in(
                    home, new RunDocument.Profile("p", Map.of(), Map.of()))));
    journal.close(new RecordingListener());
  }
}
