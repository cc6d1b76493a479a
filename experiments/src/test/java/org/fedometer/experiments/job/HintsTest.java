package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.experiments.record.ResumableRun;
import org.fedometer.experiments.record.RunHome;
import org.fedometer.experiments.record.UnfinishedJobs;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands for users to copy, with a store path that needs quotes. */
class HintsTest {
  private Path store;
  private Path home;

  @BeforeEach
  void aRunInAFolderWithABlank(@TempDir Path folder) throws Exception {
    store = folder.resolve("My Runs");
    home = Files.createDirectories(store.resolve("homes/night"));
    Path journal = Files.createDirectories(JobRecord.folderOf(store, "night"));
    JobRecord.begun("01J", "night", List.of(), Map.of(), 0, null, "now", 1)
        .withStack(
            JobRecord.RecordedStack.in(home, new RunDocument.Profile("p", Map.of(), Map.of())))
        .ended("done")
        .write(journal);
  }

  @Test
  void ofARunThatCanGoOnEachPathIsOneWord() {
    Path journal = JobRecord.folderOf(store, "night");

    assertThat(RunHome.resumeHint("night", store, home, journal, true))
        .contains("repair --home '" + home + "'")
        .contains("--store '" + store + "'")
        .contains("down --home '" + home + "' --delete")
        .contains("rm -r '" + journal + "'");
  }

  @Test
  void ofARunThatHasEndedTheFedoraThatIsLeftIsOneWord() {
    assertThatThrownBy(() -> ResumableRun.find(store, "night"))
        .hasMessageContaining("down --home '" + home + "' --delete");
  }

  @Test
  void ofARunThatIsGivenUpTheFedoraThatIsLeftIsOneWord() throws Exception {
    assertThat(UnfinishedJobs.deleteJournals(store, "night"))
        .singleElement()
        .asString()
        .contains("down --home '" + home + "' --delete");
  }
}
