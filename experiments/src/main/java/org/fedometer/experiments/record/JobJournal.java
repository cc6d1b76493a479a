package org.fedometer.experiments.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fedometer.driver.journal.FirstDriver;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.journal.JournalState;
import org.fedometer.driver.journal.Stride;
import org.fedometer.driver.verify.Verifier;
import org.fedometer.experiments.host.JobClock;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Moment;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.load.EarlierLoad;
import org.fedometer.experiments.load.LoadHistory;
import org.fedometer.experiments.load.LoadRecord;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.wire.Counted;

/**
 * Data for resuming a job whose process was killed: the driver's journal and, once something may
 * have been sent, the record beside it. While open, it is locked against other drivers. Confined to
 * the job's thread, except {@link #recordOutage}, {@link #changed} and {@link #pausesSent}, which
 * are thread-safe.
 */
public final class JobJournal implements LoadRecord {
  /** Null if it is not stored. */
  private final Path folder;

  private final JobRecord earlier;
  private final Journal journal;

  private final JobClock clock;

  /** When an earlier driver last wrote to the journal. */
  private final long lastActivityMillis;

  /** Guarded by this. */
  private JobRecord record;

  /** From the earlier driver's end to the start of this one's load; null before it is known. */
  private JobRecord.PastOutage absence;

  private JobJournal(
      Path folder, JobRecord earlier, Journal journal, JobClock clock, long lastSignMillis) {
    this.folder = folder;
    this.earlier = earlier;
    this.journal = journal;
    this.clock = clock;
    this.lastActivityMillis = lastSignMillis;
    this.record = earlier;
  }

  /**
   * @param folder of journal and record, created if missing
   * @param earlierOrNull state of an earlier process, to resume
   * @param stride this driver's objects
   * @throws IOException if another driver has it, or an unexpected one exists
   */
  public static JobJournal open(Path folder, JobRecord earlierOrNull, Stride stride)
      throws IOException {
    if (earlierOrNull == null) {
      deleteUnusedJournal(folder);
      return new JobJournal(folder, null, Journal.create(folder, 0, stride), JobClock.begins(), 0);
    }
    long fileMillis = Journal.lastWrittenEpochMillis(folder);
    JobClock clock = clockOf(earlierOrNull, fileMillis);
    Journal journal =
        Journal.resume(
            folder,
            new FirstDriver(
                Instant.ofEpochMilli(earlierOrNull.startedEpochMillis()), clock.leap()));
    if (!JobRecord.read(folder).equals(earlierOrNull)) {
      journal.close();
      throw new IOException(
          "Another driver of "
              + earlierOrNull.runName()
              + " has just ended; check its result, and try again.");
    }
    return new JobJournal(folder, earlierOrNull, journal, clock, clock.whenWritten(fileMillis));
  }

  /** Returns a journal that is not stored, for a job that cannot be resumed. */
  public static JobJournal none(JobClock clock) {
    return new JobJournal(null, null, Journal.inMemory(0), clock, 0);
  }

  /** Returns the earlier driver's clock. After a restart of the host, no time precedes its last. */
  private static JobClock clockOf(JobRecord earlier, long lastWrittenMillis) {
    return earlier.clock() != null && earlier.clock().countsHere()
        ? earlier.clock()
        : JobClock.notBefore(Math.max(earlier.latestEpochMillis(), lastWrittenMillis));
  }

  /** Returns the clock of all of the job's times. */
  public JobClock clock() {
    return clock;
  }

  /** Deletes the journal without record of a driver that was killed before it sent anything. */
  private static void deleteUnusedJournal(Path folder) throws IOException {
    if (!Files.isDirectory(folder) || JobRecord.isIn(folder) || !Journal.isIn(folder)) {
      return;
    }
    Journal.requireNotInUse(folder);
    if (!Journal.isWithoutObjects(folder)) {
      throw new IOException(
          "The journal in "
              + folder
              + " lists objects that were sent, but "
              + JobRecord.FILE
              + ", which --resume needs, is missing beside it: restore that file, give the run"
              + " another name, or delete the folder.");
    }
    Journal.delete(folder);
  }

  Path folder() {
    return folder;
  }

  /** Returns the driver's journal; closed with this one. */
  public Journal journal() {
    return journal;
  }

  /** Returns whether something may have been sent, so that a resume is possible. */
  public synchronized boolean isOnRecord() {
    return record != null;
  }

  /** Null if nothing was sent. */
  public synchronized JobRecord record() {
    return record;
  }

  /** Stores the job's record. */
  public synchronized void record(JobRecord now) throws IOException {
    JobRecord dated = now.by(clock);
    dated.write(folder);
    record = dated;
  }

  /** Returns the run's own Fedora, with the parts of its logs that are in the run already. */
  public Optional<JobRecord.RecordedStack> stack() {
    return Optional.ofNullable(record()).map(JobRecord::stack);
  }

  /**
   * Records that {@code fedora.log} has been sent up to its current end.
   *
   * @param bytes length of the current file
   * @param beginning of that file, null if it is empty
   */
  public synchronized void logSent(long bytes, String beginning, JobListener listener) {
    if (record != null && record.stack() != null) {
      tryToRecord(record.withStack(record.stack().withLogSent(bytes, beginning)), listener);
    }
  }

  /** Records that GC pauses that began until then have been sent. Thread-safe. */
  public synchronized void pausesSent(long untilEpochNanos, JobListener listener) {
    if (record != null && record.stack() != null) {
      tryToRecord(record.withStack(record.stack().withPausesSent(untilEpochNanos)), listener);
    }
  }

  /** Stores the job's record; reports a failure without throwing. */
  boolean tryToRecord(JobRecord now, JobListener listener) {
    try {
      record(now);
      return true;
    } catch (IOException e) {
      listener.note("The record in " + folder + " could not be written: " + Reason.of(e));
      return false;
    }
  }

  /**
   * Records the end of a job that sent something. If that fails, for example on a full disk, the
   * journal stays whole, and the note names the command that ends the job.
   *
   * @param state state of {@code run.json}
   * @param goOn the command that resumes the job
   */
  public void recordEnd(RunState state, String goOn, JobListener listener) {
    if (isOnRecord() && !tryToRecord(record().ended(state.id()), listener)) {
      listener.note(
          "The end of the job could not be written to the journal ("
              + state.id()
              + "). When the journal is writable again, "
              + goOn
              + " checks the objects again and ends the job.");
    }
  }

  /** Thread-safe. */
  @Override
  public synchronized void recordOutage(RunDocument.Outage over) throws IOException {
    if (record != null) {
      record(record.withOutage(JobRecord.PastOutage.of(over, clock.now())));
    }
  }

  @Override
  public synchronized void loaded(long startNanos, long endNanos) throws IOException {
    if (record == null) {
      return;
    }
    Moment now = clock.now();
    JobRecord loaded = record;
    if (absence != null) {
      JobRecord.PastOutage complete =
          new JobRecord.PastOutage(
              absence.who(),
              absence.startEpochMillis(),
              now.epochMillisOf(startNanos),
              absence.reason());
      loaded = loaded.withOutageInPlaceOf(absence, complete);
      absence = complete;
    }
    record(loaded.withLoaded(new JobRecord.Loaded(now.epochMillisOf(endNanos), null, null, null)));
  }

  /** Called on the driver's thread. */
  @Override
  public synchronized void checking() throws IOException {
    if (record != null) {
      record(record.withLoaded(new JobRecord.Loaded(clock.now().epochMillis(), null, null, null)));
    }
  }

  @Override
  public synchronized void nothingSent() throws IOException {
    record(record.withoutOutage(absence).withLoaded(earlier.loaded()));
  }

  @Override
  public synchronized void drained(Long checkStartNanos, long startNanos, long endNanos)
      throws IOException {
    if (record == null || record.loaded() == null) {
      return;
    }
    Moment now = clock.now();
    long drainStart = now.epochMillisOf(startNanos);
    record(
        record.withLoaded(
            new JobRecord.Loaded(
                record.loaded().endEpochMillis(),
                checkStartNanos == null ? null : now.epochMillisOf(checkStartNanos),
                drainStart,
                // A zero length would mean that it has not ended.
                Math.max(drainStart + 1, now.epochMillisOf(endNanos)))));
  }

  /** Thread-safe. */
  @Override
  public synchronized void changed(
      List<RunDocument.Pause> pauses, List<RunDocument.LoadChange> changes) throws IOException {
    if (record != null) {
      record(record.withLoad(earlier, pauses, changes, clock.now()));
    }
  }

  /** Adds the results of earlier drivers to a run's document, in case this one adds none. */
  public void describe(RunDocumentWriter document) {
    if (earlier == null) {
      return;
    }
    JournalState state = journal.state();
    document.objects(
        new RunDocument.ObjectCounts(
            document.objects().requested(),
            state.acknowledged().size(),
            state.failed().size(),
            null,
            0,
            state.totals().contentBytes()));
    if (earlier.triplesBefore() != null) {
      document.triples(
          new RunDocument.TripleCounts(earlier.triplesBefore(), state.totals().triples(), null));
    }
    LoadHistory history = earlier.history(clock.now());
    document.outages(history.outages());
    if (!history.pauses().isEmpty() || !history.changes().isEmpty()) {
      document.load(
          new RunDocument.Load(null, null, List.of(), history.pauses(), history.changes()));
    }
  }

  /** Resumes after the earlier driver, and records that. */
  public EarlierLoad resume(List<String> arguments, boolean triples) throws IOException {
    Moment now = clock.now();
    RunDocument.Outage away =
        new RunDocument.Outage(
            RunDocument.Outage.DRIVER,
            now.nanosOf(awaySinceMillis()),
            now.nanos(),
            "The driver was not running.");
    absence = JobRecord.PastOutage.of(away, now);
    record(earlier.resumed(arguments).withOutage(absence));
    return new EarlierLoad(
        new Verifier.Before(
            earlier.objectsBefore(),
            triples && earlier.triplesBefore() != null ? earlier.triplesBefore() : 0),
        now.nanosOf(earlier.startedEpochMillis()),
        earlier.history(now),
        away,
        earlierLoaded(now));
  }

  /** Marks the earlier driver's objects as unconfirmed, since Fedora's state is unknown. */
  public void markAllUnconfirmed(JobListener listener) throws IOException {
    journal.allUnconfirmed();
    var state = journal.state();
    listener.note(
        String.format(
            Locale.ROOT,
            "Resuming %s: %s ingested, %,d pending, %,d failed; %,d unconfirmed to check.",
            earlier.runName(),
            Counted.of(state.acknowledged().size(), "object is", "objects are"),
            state.pending().size(),
            state.failed().size(),
            state.unconfirmed().size()));
  }

  /** Returns since when no driver has loaded, after all known absences of drivers. */
  private long awaySinceMillis() {
    // A flush or check after a resumed load is not part of the load's time.
    long since = earlier.loaded() == null ? lastActivityMillis : earlier.loaded().endEpochMillis();
    for (JobRecord.PastOutage past : earlier.outages()) {
      if (RunDocument.Outage.DRIVER.equals(past.who())) {
        since = Math.max(since, past.endEpochMillis());
      }
    }
    return since;
  }

  /** Returns null unless the earlier driver completed the drain. */
  private EarlierLoad.Loaded earlierLoaded(Moment now) {
    JobRecord.Loaded loaded = earlier.loaded();
    return loaded == null || !loaded.drained()
        ? null
        : new EarlierLoad.Loaded(
            now.nanosOf(loaded.endEpochMillis()),
            loaded.checkStartEpochMillis() == null
                ? null
                : now.nanosOf(loaded.checkStartEpochMillis()),
            now.nanosOf(loaded.drainStartEpochMillis()),
            now.nanosOf(loaded.drainEndEpochMillis()));
  }

  /** Releases the journal to other drivers, or deletes it if nothing was sent. */
  public void close(JobListener listener) {
    try {
      if (isOnRecord()) {
        journal.close();
      } else {
        journal.closeAndDelete();
      }
    } catch (IOException e) {
      listener.note("The journal in " + folder + " could not be closed: " + Reason.of(e));
    }
  }

  /** Deletes the journal, closes it, then releases it. */
  void delete() throws IOException {
    if (folder != null) {
      JobRecord.delete(folder);
    }
    journal.closeAndDelete();
  }
}
