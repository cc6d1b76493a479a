package org.fedometer.experiments.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages for a resume that is impossible. */
class ResumableRunTest {
  @TempDir private Path store;

  @Test
  void anUnknownRunIsRefusedWithThoseThatCanGoOn() throws IOException {
    assertRefused("never", "never cannot be resumed", "no run in " + store, "--store");

    write(record("halted").ended("interrupted"));
    write(record("whole").ended("done"));
    assertRefused("never", "only halted can be resumed in " + store + ";");
    assertRefused("../never", "--resume '../never'");
  }

  @Test
  void aRunOfIngestIsRefusedWithTheCommandThatIsRight() throws Exception {
    write(record("loaded"));

    assertRefused("loaded", "fedometer ingest --resume loaded");
  }

  @Test
  void aRunThatEndedWellIsRefused() throws Exception {
    write(recordedStack("done").ended("done"));

    assertComplete("done", "done is complete; nothing to resume");
  }

  @Test
  void theFedoraOfARunThatEndedWellIsNamedWhereItIsStillThere() throws Exception {
    write(recordedStack("done").ended("done"));
    Path home = Files.createDirectories(store.resolve("home"));

    assertComplete("done", "is complete", "fedometer stack down --home " + home + " --delete");
  }

  @Test
  void aRunWhoseHomeIsGoneIsRefused() throws Exception {
    write(recordedStack("lost").ended("interrupted"));

    assertRefused("lost", "is gone", store.resolve("home").toString(), "start a new run");
  }

  @Test
  void aRunWithoutARecordIsRefusedByWhatItWas() throws Exception {
    runJson("mixed", "interrupted", "{\"mix\":\"ingest=1\"}");
    runJson("stepped", "failed", "{\"ramp\":\"20:+20/200s\"}");
    runJson("ended", "done", "{}");
    runJson("errors", "done-with-errors", "{}");
    runJson("early", "failed", "{}");

    assertRefused("mixed", "it was a mix", "cannot be resumed");
    assertRefused("stepped", "it was a ramp", "cannot be resumed");
    assertRefused("errors", "it has ended (done-with-errors)", "fedometer report errors");
    assertComplete("ended", "is complete; nothing to resume; 'fedometer report ended");
    assertRefused("early", "its load had not begun; start it again");
  }

  @Test
  void reportsAMissingJournal() throws Exception {
    runJson(
        "cut",
        "interrupted",
        "{},\"phases\":[{\"name\":\"ingest\",\"startNanos\":1,\"endNanos\":1}]");
    runJson("killed", "running", "{}");

    assertRefused("cut", "its journal " + JobRecord.folderOf(store, "cut") + " was deleted");
    assertRefused("killed", "or its journal " + JobRecord.folderOf(store, "killed"));
  }

  @Test
  void aRecordIsForItsOwnersEyesAndReadsBackAsItWas() throws Exception {
    JobRecord written =
        recordedStack("kept")
            .withStack(
                recordedStack("kept").stack().withLogSent(17, "INFO 2026").withPausesSent(23))
            .ended("failed");
    write(written);
    Path folder = JobRecord.folderOf(store, "kept");

    assertThat(JobRecord.read(folder)).isEqualTo(written);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("job.json"))))
        .isEqualTo("rw-------");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "{\"schema\": 99, \"runId\": \"01\", \"runName\": \"x\", \"arguments\": [],"
            + " \"datasetParameters\": {}}",
        "{\"schema\": 1, \"runId\": null}",
        "{\"schema\": 1, \"runId\": \"01\", \"runName\": \"x\", \"arguments\": [null],"
            + " \"datasetParameters\": {}}",
        "{\"schema\": 1, \"runId\": \"01\", \"runName\": \"x\", \"arguments\": [],"
            + " \"datasetParameters\": {}, \"stack\": {}}",
        "{\"schema\": 1, \"runId\": \"01\", \"runName\": \"x\", \"arguments\": [],"
            + " \"datasetParameters\": {}, \"stack\": {\"home\": \"a\\u0000b\\nc\","
            + " \"profile\": {\"name\": \"p\"}}}",
        "{\"schema\": 1, \"runId\": \"01\", \"runName\": \"x\", \"arguments\": [],"
            + " \"datasetParameters\": {}, \"outages\": [null]}",
        "{\"schema\": 1e99}"
      })
  void rejectsARecordOwnedByAnotherUser(String content) throws Exception {
    Path folder = Files.createDirectories(JobRecord.folderOf(store, "strange"));
    Files.writeString(folder.resolve("job.json"), content);

    assertThatThrownBy(() -> JobRecord.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("job.json")
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
  }

  /** No interrupt ends the opening of a pipe without a writer. */
  @ParameterizedTest
  @ValueSource(strings = {"a pipe", "a link to a pipe", "gigabytes", "a folder"})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aRecordThatIsNoDocumentAtAllIsRefusedUnreadAndHidesNoOther(String what) throws Exception {
    Path folder = Files.createDirectories(JobRecord.folderOf(store, "strange"));
    Path file = folder.resolve("job.json");
    putInPlaceOf(file, what);
    write(record("halted").ended("interrupted"));

    assertThatThrownBy(() -> ResumableRun.find(store, "strange"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + " cannot be read: it ")
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
    assertThatThrownBy(() -> UnfinishedJobs.requireNotResumable(store, "strange"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + " cannot be read: it ");
    assertRefused("never", "only halted can be resumed in " + store + ";");
    assertThat(folder).isDirectoryContaining(file::equals);
  }

  private void putInPlaceOf(Path file, String what) throws Exception {
    switch (what) {
      case "a pipe" -> pipe(file);
      case "a link to a pipe" -> {
        Path pipe = store.resolve("pipe");
        pipe(pipe);
        Files.createSymbolicLink(file, pipe);
      }
      case "gigabytes" -> {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
          sparse.setLength(3L << 30);
        }
      }
      default -> Files.createDirectory(file);
    }
  }

  private static void pipe(Path file) throws Exception {
    Process made = new ProcessBuilder("mkfifo", file.toString()).inheritIO().start();
    assertThat(made.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();
  }

  private void assertRefused(String run, String... texts) {
    assertThatThrownBy(() -> ResumableRun.find(store, run))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(texts);
  }

  private void assertComplete(String run, String... texts) {
    assertThatThrownBy(() -> ResumableRun.find(store, run))
        .isInstanceOf(CompleteRunException.class)
        .hasMessageContainingAll(texts);
  }

  private void write(JobRecord record) throws IOException {
    record.write(Files.createDirectories(JobRecord.folderOf(store, record.runName())));
  }

  private JobRecord recordedStack(String name) {
    return record(name)
        .withStack(
            JobRecord.RecordedStack.in(
                store.resolve("home"),
                new RunDocument.Profile("mulgara-derby", Map.of("gc", "g1"), Map.of("a.b", "c"))));
  }

  private static JobRecord record(String name) {
    return JobRecord.begun(
        "01J", name, List.of("--objects", "5"), Map.of("seed", "1"), 0, 0L, "now", 1);
  }

  private void runJson(String run, String state, String workload) throws IOException {
    Path folder = Files.createDirectories(store.resolve("runs").resolve(run));
    Files.writeString(
        folder.resolve("run.json"),
        "{\"schema\":1,\"id\":\"01\",\"name\":\""
            + run
            + "\",\"state\":\""
            + state
            + "\",\"workload\":"
            + workload
            + "}");
  }
}
