package org.fedometer.experiments.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.data.Offset;
import org.fedometer.driver.journal.JournalInUseException;
import org.fedometer.driver.journal.Stride;
import org.fedometer.experiments.host.HostEnvironment;
import org.fedometer.experiments.host.JobClock;
import org.fedometer.experiments.job.RecordingListener;
import org.fedometer.experiments.load.EarlierLoad;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.wire.disk.ForgetfulDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobJournalTest {
  @TempDir private Path store;
  private final RecordingListener listener = new RecordingListener();

  @Test
  void nothingIsLeftOfAJobThatSentNothing() throws Exception {
    Path folder = JobRecord.folderOf(store, "early");

    JobJournal.open(folder, null, Stride.ALL).close(listener);

    assertThat(folder).doesNotExist();
  }

  @Test
  void aJobThatSentSomethingIsResumableUntilDeleted() throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    JobJournal first = JobJournal.open(folder, null, Stride.ALL);
    first.record(record());
    first.journal().begun(0);
    first.close(listener);

    JobJournal second = JobJournal.open(folder, JobRecord.read(folder), Stride.ALL);
    assertThat(second.isOnRecord()).isTrue();
    assertThat(second.journal().state().pending().contains(0)).isTrue();
    assertThatThrownBy(() -> JobJournal.open(folder, record(), Stride.ALL))
        .as("its driver still runs")
        .isInstanceOf(JournalInUseException.class);
    second.delete();

    assertThat(folder).doesNotExist();
    second.close(listener);
    assertThat(folder).as("what is closed by its deletion stays so").doesNotExist();
    assertThat(listener.notes()).isEmpty();
  }

  @Test
  void whatIsSentOfOneLogIsNotForgottenForTheOther() throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    RunDocument.Profile profile = new RunDocument.Profile("p", Map.of(), Map.of());
    JobRecord.RecordedStack none = JobRecord.RecordedStack.in(store.resolve("home"), profile);
    JobJournal journal = JobJournal.open(folder, null, Stride.ALL);
    journal.record(record().withStack(none));

    journal.pausesSent(23, listener);
    journal.logSent(17, "INFO 2026", listener);
    journal.pausesSent(29, listener);

    JobRecord.RecordedStack sent = none.withLogSent(17, "INFO 2026").withPausesSent(29);
    assertThat(journal.stack()).contains(sent);
    assertThat(JobRecord.read(folder).stack()).isEqualTo(sent);
    journal.close(listener);
  }

  @Test
  void rejectsARecordReadBeforeTheLastDriverEnded() throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    JobJournal first = JobJournal.open(folder, null, Stride.ALL);
    first.record(record());
    JobRecord read = JobRecord.read(folder);
    first.record(record().ended("interrupted"));
    first.close(listener);

    assertThatThrownBy(() -> JobJournal.open(folder, read, Stride.ALL))
        .hasMessageContaining("has just ended");

    JobJournal.open(folder, JobRecord.read(folder), Stride.ALL).close(listener);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 9})
  void aJobKilledWhileCreatingItsJournalIsReplaced(int bytes) throws Exception {
    Path folder = JobRecord.folderOf(store, "torn");
    JobJournal whole = JobJournal.open(folder, null, Stride.ALL);
    Path file = folder.resolve("0000000001.journal");
    byte[] begun = Arrays.copyOf(Files.readAllBytes(file), bytes);
    whole.close(listener);
    Files.createDirectories(folder);
    Files.write(file, begun);

    UnfinishedJobs.requireNotInUse(store, "torn");
    JobJournal again = JobJournal.open(folder, null, Stride.ALL);

    assertThat(again.journal().state().nextIndex()).isZero();
    again.close(listener);
  }

  /** Whenever power is lost, either nothing was sent, or what was sent can be gone on with. */
  @Test
  void aLossOfPowerAtAnyMomentLeavesAJobThatCanGoOnOrHasSentNothing(@TempDir Path looks)
      throws Exception {
    ForgetfulDisk disk = new ForgetfulDisk(store);
    AtomicBoolean sending = new AtomicBoolean();
    AtomicInteger moments = new AtomicInteger();
    disk.afterEach(
        () -> {
          Path left = looks.resolve(Integer.toString(moments.incrementAndGet()));
          try {
            disk.showLossOfPower(left);
            Path folder = JobRecord.folderOf(left, "begun");
            if (sending.get()) {
              JobJournal.open(folder, UnfinishedJobs.find(left, "begun"), Stride.ALL)
                  .close(listener);
            } else if (!JobRecord.isIn(folder)) {
              JobJournal.open(folder, null, Stride.ALL).close(listener);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    Path folder = JobRecord.folderOf(disk.root(), "begun");

    JobJournal job = JobJournal.open(folder, null, Stride.ALL);
    job.record(record());
    sending.set(true);
    job.journal().begun(0);
    job.record(record().ended("interrupted"));
    job.close(listener);
    sending.set(false); // its deletion begins with the record
    JobJournal again = JobJournal.open(folder, JobRecord.read(folder), Stride.ALL);
    again.delete();

    assertThat(moments).hasValueGreaterThan(10);
  }

  @Test
  void anEndThatCannotBeRecordedNamesTheCommandThatGoesOn() throws Exception {
    Path folder = JobRecord.folderOf(store, "full");
    JobJournal job = JobJournal.open(folder, null, Stride.ALL);
    job.record(record());
    Files.createDirectories(folder.resolve("job.json.tmp/in-the-way")); // as a full disk would be

    job.recordEnd(RunState.DONE, "'fedometer ingest --resume full'", listener);

    assertThat(listener.notes()).hasSize(2);
    assertThat(listener.notes().get(0)).startsWith("The record in " + folder + " could not be");
    assertThat(listener.notes().get(1)).contains("'fedometer ingest --resume full' checks");
    assertThat(JobRecord.read(folder).ended()).isNull();
    job.close(listener);
  }

  @Test
  void aJournalOfObjectsThatWereSentIsNotDeletedForWantOfItsRecord() throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    JobJournal killed = JobJournal.open(folder, null, Stride.ALL);
    killed.journal().begun(0);
    killed.journal().close();

    assertThatThrownBy(() -> JobJournal.open(folder, null, Stride.ALL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("job.json, which --resume needs, is missing");
    assertThatThrownBy(() -> UnfinishedJobs.find(store, "begun"))
        .hasMessageContaining("lists objects that were sent")
        .hasMessageContaining("start a run with another name");
    assertThat(folder.resolve("0000000002.journal")).exists();
  }

  @Test
  void aJobKilledBeforeSendingIsReplaced() throws Exception {
    Path folder = JobRecord.folderOf(store, "killed");
    JobJournal killed = JobJournal.open(folder, null, Stride.ALL);
    killed.journal().close(); // as its end would: the lock goes, the files stay

    JobJournal again = JobJournal.open(folder, null, Stride.ALL);

    assertThat(again.journal().state().nextIndex()).isZero();
    again.close(listener);
  }

  @Test
  void aResumedJobKnowsEarlierOutages() throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    JobJournal first = JobJournal.open(folder, null, Stride.ALL);
    first.record(record());
    long nowNanos = System.nanoTime();
    long nowMillis = System.currentTimeMillis();
    first.recordOutage(
        new RunDocument.Outage(
            RunDocument.Outage.FEDORA,
            nowNanos - 5_000_000_000L,
            nowNanos - 2_000_000_000L,
            "No answer."));
    first.close(listener);

    List<JobRecord.PastOutage> outages = JobRecord.read(folder).outages();

    assertThat(outages).hasSize(1);
    assertThat(outages.get(0).endEpochMillis() - outages.get(0).startEpochMillis())
        .isBetween(2999L, 3001L);
    assertThat(outages.get(0).startEpochMillis()).isBetween(nowMillis - 5_100, nowMillis + 60_000);
  }

  @Test
  void aResumedJobKnowsEarlierPausesAndChanges() throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    long nowNanos = System.nanoTime();
    RunDocument.Pause began = new RunDocument.Pause(nowNanos - 9_000_000_000L, nowNanos);
    RunDocument.Pause over =
        new RunDocument.Pause(nowNanos - 9_000_000_000L, nowNanos - 2_000_000_000L);
    RunDocument.LoadChange faster = new RunDocument.LoadChange(nowNanos, 64, 10.0);
    JobJournal first = JobJournal.open(folder, null, Stride.ALL);
    first.record(record());
    first.changed(List.of(began), List.of());
    first.changed(List.of(over), List.of(faster));
    first.close(listener);

    JobJournal second = JobJournal.open(folder, JobRecord.read(folder), Stride.ALL);
    second.changed(List.of(), List.of(new RunDocument.LoadChange(nowNanos, 2, null)));
    second.close(listener);

    JobRecord read = JobRecord.read(folder);
    assertThat(read.pauses()).hasSize(1);
    assertThat(read.pauses().get(0).endEpochMillis() - read.pauses().get(0).startEpochMillis())
        .isBetween(6999L, 7001L);
    assertThat(read.changes())
        .extracting(JobRecord.PastChange::workers, JobRecord.PastChange::ratePerSecond)
        .containsExactly(tuple(64, 10.0), tuple(2, null));
  }

  @Test
  void whatComesAfterALoadIsNoneOfItsTime() throws Exception {
    Path folder = loadedAndDrained();

    JobJournal second = JobJournal.open(folder, JobRecord.read(folder), Stride.ALL);
    resume(second);
    second.loaded(System.nanoTime() + 3_000_000_000L, System.nanoTime() + 4_000_000_000L);

    assertThat(JobRecord.read(folder).outages())
        .singleElement()
        .satisfies(
            away -> {
              assertThat(away.who()).isEqualTo("driver");
              long now = System.currentTimeMillis();
              assertThat(now - away.startEpochMillis())
                  .as("since its end, seventy seconds ago")
                  .isBetween(69_900L, 100_000L);
              assertThat(away.endEpochMillis()).as("until the next load begins").isGreaterThan(now);
            });
    second.close(listener);
  }

  @Test
  void aDriverThatHasNothingToLoadChangesNothingOfTheLoad() throws Exception {
    Path folder = loadedAndDrained();
    JobRecord before = JobRecord.read(folder);

    JobJournal second = JobJournal.open(folder, before, Stride.ALL);
    resume(second);
    second.nothingSent();
    second.close(listener);

    assertThat(JobRecord.read(folder)).isEqualTo(before);
  }

  @Test
  void noTimeIsInTwoAbsencesWhereADriverWasKilledBeforeItsLoad() throws Exception {
    Path folder = loadedAndDrained();
    JobJournal killed = JobJournal.open(folder, JobRecord.read(folder), Stride.ALL);
    resume(killed);
    killed.close(listener);

    JobJournal third = JobJournal.open(folder, JobRecord.read(folder), Stride.ALL);
    resume(third);
    third.close(listener);

    List<JobRecord.PastOutage> outages = JobRecord.read(folder).outages();
    assertThat(outages).hasSize(2);
    assertThat(outages.get(1).startEpochMillis())
        .isGreaterThanOrEqualTo(outages.get(0).endEpochMillis());
  }

  @Test
  void aJobKilledInTheDurabilityCheckLoadedUntilItsStart() throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    JobJournal first = JobJournal.open(folder, null, Stride.ALL);
    first.record(record());
    first.journal().begun(0);
    first.checking();
    long checkingMillis = JobRecord.read(folder).loaded().endEpochMillis();
    first.close(listener);

    JobJournal second = JobJournal.open(folder, JobRecord.read(folder), Stride.ALL);
    resume(second);
    second.close(listener);

    assertThat(JobRecord.read(folder).outages())
        .singleElement()
        .satisfies(away -> assertThat(away.startEpochMillis()).isEqualTo(checkingMillis));
  }

  @Test
  void aResumedJobKnowsTheDurationOfTheDurabilityCheck() throws Exception {
    Path folder = loadedAndDrained();

    JobJournal second = JobJournal.open(folder, JobRecord.read(folder), Stride.ALL);
    EarlierLoad.Loaded loaded = second.resume(List.of(), false).loaded();
    second.close(listener);

    assertThat(loaded.drainStartNanos() - loaded.checkStartNanos())
        .isCloseTo(2_000_000_000L, Offset.offset(2_000_000L));
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, 3_600_000})
  void anAbsenceIsAsLongAsItWasThoughTheTimeOfDayWasSetMeanwhile(long leapMillis) throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    JobJournal first = JobJournal.open(folder, null, Stride.ALL);
    first.record(record());
    first.journal().begun(0);
    first.close(listener);
    JobClock before =
        new JobClock(
            HostEnvironment.bootId(), System.nanoTime(), System.currentTimeMillis() - leapMillis);
    JobRecord.read(folder).by(before).write(folder);

    JobJournal second = JobJournal.open(folder, JobRecord.read(folder), Stride.ALL);
    resume(second);
    second.close(listener);

    assertThat(JobRecord.read(folder).clock()).isEqualTo(before);
    assertThat(JobRecord.read(folder).outages())
        .singleElement()
        .satisfies(
            away ->
                assertThat(away.endEpochMillis() - away.startEpochMillis()).isBetween(0L, 60_000L));
  }

  /** Where there is no triplestore; of no length it would be one that has not ended. */
  @Test
  void aDrainThatTookNoTimeHasEndedAllTheSame() throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    JobJournal journal = JobJournal.open(folder, null, Stride.ALL);
    journal.record(record());
    journal.journal().begun(0);
    long now = System.nanoTime();

    journal.loaded(now, now);
    journal.drained(null, now, now);
    journal.close(listener);

    JobRecord.Loaded loaded = JobRecord.read(folder).loaded();
    assertThat(loaded.drainEndEpochMillis()).isGreaterThan(loaded.drainStartEpochMillis());
  }

  /**
   * Creates the journal of a driver whose load ended 70 s ago, and that was busy otherwise until
   * now.
   */
  private Path loadedAndDrained() throws Exception {
    Path folder = JobRecord.folderOf(store, "begun");
    JobJournal first = JobJournal.open(folder, null, Stride.ALL);
    first.record(record());
    first.journal().begun(0);
    long nowNanos = System.nanoTime();
    first.loaded(nowNanos - 100_000_000_000L, nowNanos - 70_000_000_000L);
    first.drained(
        nowNanos - 67_000_000_000L, nowNanos - 65_000_000_000L, nowNanos - 60_000_000_000L);
    first.close(listener);
    return folder;
  }

  private void resume(JobJournal journal) throws Exception {
    journal.resume(List.of(), false);
    journal.markAllUnconfirmed(listener);
  }

  private static JobRecord record() {
    return JobRecord.begun("01J", "begun", List.of(), Map.of(), 0, null, "now", 1);
  }
}
