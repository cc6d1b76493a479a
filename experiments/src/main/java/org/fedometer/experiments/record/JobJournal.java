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
 * What a job keeps to be taken up after its process was killed: the driver's journal and, once
 * something may have been sent, the record beside it. While it is open no other driver has it. Used
 * by the job's one thread, but for {@link #recordOutage}, {@link #changed} and {@link #pausesSent},
 * which any thread calls.
 */
public final class JobJournal implements LoadRecord {
  /** Null where it is kept nowhere. */
  private final Path folder;

  private final JobRecord earlier;
  private final Journal journal;

  private final JobClock clock;

  /** When an earlier driver last wrote to the journal. */
  private final long lastActivityMillis;

  /** Guarded by this. */
  private JobRecord record;

  /** From the earlier driver's end to the beginning of this one's load; null before it is known. */
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
   * @param folder of journal and record, made where it is missing
   * @param earlierOrNull what an earlier process has left, to go on with
   * @param stride which objects are this driver's
   * @throws IOException if another driver has it, or there is one where none was left
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
              + " has just ended; see how, and try again.");
    }
    return new JobJournal(folder, earlierOrNull, journal, clock, clock.whenWritten(fileMillis));
  }

  /** Of a job that nobody can take up in its midst: it is kept nowhere, and never on record. */
  public static JobJournal none(JobClock clock) {
    return new JobJournal(null, null, Journal.inMemory(0), clock, 0);
  }

  /** The earlier driver's. Where the host has been started since, no time goes back behind it. */
  private static JobClock clockOf(JobRecord earlier, long lastWrittenMillis) {
    return earlier.clock() != null && earlier.clock().countsHere()
        ? earlier.clock()
        : JobClock.notBefore(Math.max(earlier.latestEpochMillis(), lastWrittenMillis));
  }

  /** That all of the job's times of day are by. */
  public JobClock clock() {
    return clock;
  }

  /** A driver that was killed before it sent anything has left a journal and no record. */
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

  /** The driver's own; closed with this one. */
  public Journal journal() {
    return journal;
  }

  /** Whether something may have been sent, so that somebody may want to go on with it. */
  public synchronized boolean isOnRecord() {
    return record != null;
  }

  /** Null if nothing was sent. */
  public synchronized JobRecord record() {
    return record;
  }

  /** From here on the job is on record, in this form. */
  public synchronized void record(JobRecord now) throws IOException {
    JobRecord dated = now.by(clock);
    dated.write(folder);
    record = dated;
  }

  /** The run's own Fedora on record, with what of its logs is in the run, not to be sent again. */
  public Optional<JobRecord.RecordedStack> stack() {
    return Optional.ofNullable(record()).map(JobRecord::stack);
  }

  /**
   * {@code fedora.log} is in the run as far as it goes.
   *
   * @param bytes length of the present file
   * @param beginning of that file, null where it is empty
   */
  public synchronized void logSent(long bytes, String beginning, JobListener listener) {
    if (record != null && record.stack() != null) {
      tryToRecord(record.withStack(record.stack().withLogSent(bytes, beginning)), listener);
    }
  }

  /** Pauses for garbage collections that began until then are in the run. Called by any thread. */
  public synchronized void pausesSent(long untilEpochNanos, JobListener listener) {
    if (record != null && record.stack() != null) {
      tryToRecord(record.withStack(record.stack().withPausesSent(untilEpochNanos)), listener);
    }
  }

  /** The same; that it could not be written is told, since nobody can do more about it. */
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
   * Puts on record how the job has ended, where something was sent. Where that fails, say because
   * the disk is full, the journal stays whole, and the note names the command that ends the job.
   *
   * @param state how {@code run.json} has it
   * @param goOn the command that goes on with the job
   */
  public void recordEnd(RunState state, String goOn, JobListener listener) {
    if (isOnRecord() && !tryToRecord(record().ended(state.id()), listener)) {
      listener.note(
          "The journal does not say that the job has ended ("
              + state.id()
              + "). When it can be written again, "
              + goOn
              + " looks at the objects once more and ends it.");
    }
  }

  /** Called by any thread. */
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

  /** Called by the driver's thread. */
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
                // Of no length it would be one that has not ended.
                Math.max(drainStart + 1, now.epochMillisOf(endNanos)))));
  }

  /** Called by any thread. */
  @Override
  public synchronized void changed(
      List<RunDocument.Pause> pauses, List<RunDocument.LoadChange> changes) throws IOException {
    if (record != null) {
      record(record.withLoad(earlier, pauses, changes, clock.now()));
    }
  }

  /** Says in a run's document what earlier drivers have done, should this one come to nothing. */
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

  /** Goes on where the earlier driver was killed or had ended, and notes that this one does. */
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

  /**
   * What the earlier driver may have lost will be looked at: nobody knows what became of Fedora.
   */
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

  /** Since when no driver has loaded; no time is to be in two outages. */
  private long awaySinceMillis() {
    // What came after a load that somebody goes on with, a flush or a check, is none of its time.
    long since = earlier.loaded() == null ? lastActivityMillis : earlier.loaded().endEpochMillis();
    for (JobRecord.PastOutage past : earlier.outages()) {
      if (RunDocument.Outage.DRIVER.equals(past.who())) {
        since = Math.max(since, past.endEpochMillis());
      }
    }
    return since;
  }

  /** Null unless the earlier driver has come as far as that its triples were written. */
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

  /** Lets other drivers have it. Where nothing was sent, nobody can go on with it: it goes. */
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

  /** Nobody will go on with it. It is closed by this, and no other driver has it before. */
  void delete() throws IOException {
    if (folder != null) {
      JobRecord.delete(folder);
    }
    journal.closeAndDelete();
  }
}
