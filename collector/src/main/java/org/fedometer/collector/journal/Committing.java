package org.fedometer.collector.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.collector.journal.SourceConnection.PauseReason;
import org.fedometer.collector.log.Trouble;
import org.fedometer.wire.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts what runs have taken on disk, acknowledges it, and hands full segments to the sealer. A run
 * that cannot be written is tried again from time to time, and its sources are held back. For the
 * journal's thread, but for what others may ask.
 */
final class Committing {
  private static final Logger LOG = LoggerFactory.getLogger(Committing.class);

  /** What is remembered of a run; changed here alone. For the journal's thread. */
  static final class Writing {
    /** Why nothing can be written, if so. */
    private final Trouble committing = new Trouble();

    /** Why no new segment can be begun, if so. */
    private final Trouble rotating = new Trouble();

    private boolean paused;

    /** Whether the run's sources are not read, because too much of it waits for the disk. */
    boolean isPaused() {
      return paused;
    }

    /** Why the run cannot be written, or goes on in a segment that is full; empty if it can. */
    String reason() {
      return committing.reason().isEmpty() ? rotating.reason() : committing.reason();
    }
  }

  private final JournalOptions options;
  private final Sealing sealing;
  private final Syncing syncing = new Syncing();

  private final Set<RunJournal> dirty = new LinkedHashSet<>();

  private final Set<RunJournal> inTrouble = new LinkedHashSet<>();

  private boolean stopping;

  // For whoever asks how it goes; written by the journal's thread only.
  private final AtomicLong syncs = new AtomicLong();
  private final AtomicLong syncNanos = new AtomicLong();
  private volatile long lastDurableNanos = System.nanoTime();

  Committing(JournalOptions options, Sealing sealing) {
    this.options = options;
    this.sealing = sealing;
  }

  /** Batches of runs that were put on disk; any thread. */
  long syncs() {
    return syncs.get();
  }

  /** What these have taken; any thread. */
  long syncNanos() {
    return syncNanos.get();
  }

  /** Reading of nanoTime when frames became durable last; any thread. */
  long lastDurableNanos() {
    return lastDurableNanos;
  }

  void markDirty(RunJournal run) {
    dirty.add(run);
  }

  boolean isInTrouble(RunJournal run) {
    return inTrouble.contains(run);
  }

  /** A copy: runs that cannot be written. */
  List<RunJournal> inTrouble() {
    return new ArrayList<>(inTrouble);
  }

  /** Whether it cannot be written, and has been tried only just now. */
  boolean isToBeTriedLater(RunJournal run) {
    return inTrouble.contains(run)
        && run.writing.committing.failedWithin(options.retryPause(), System.nanoTime());
  }

  void forget(RunJournal run) {
    dirty.remove(run);
    inTrouble.remove(run);
  }

  /** From now on segments are handed to the sealer only by whoever wants that. */
  void stop() {
    stopping = true;
  }

  void close() {
    syncing.close();
  }

  // ---- writing ----

  /** Writes all runs that have taken something, but for those that are to be tried later. */
  void commit() throws InterruptedException {
    List<RunJournal> due = new ArrayList<>(dirty);
    dirty.clear();
    due.removeIf(inTrouble::contains);
    for (RunJournal run : inTrouble) {
      if (!isToBeTriedLater(run)) {
        due.add(run);
      }
    }
    commit(due);
    holdBackTroubled();
  }

  void commit(List<RunJournal> due) throws InterruptedException {
    long beginNanos = System.nanoTime();
    Map<RunJournal, Throwable> failures = syncing.commit(due);
    long endNanos = System.nanoTime();
    if (!due.isEmpty()) {
      syncs.incrementAndGet();
      syncNanos.addAndGet(endNanos - beginNanos);
    }
    for (RunJournal run : due) {
      Throwable failure = failures.get(run);
      if (failure == null) {
        dirty.remove(run);
        untroubled(run);
        List<Source> touched = run.takeTouched();
        if (!touched.isEmpty()) {
          lastDurableNanos = endNanos;
        }
        touched.forEach(Source::acknowledge);
        run.tellListener();
        if (!stopping && run.grownBytes() >= options.segmentBytes()) {
          rotateAndSeal(run);
        }
      } else {
        troubled(run, "the collector cannot write to " + run.folder().path(), failure);
      }
    }
  }

  private void troubled(RunJournal run, String what, Throwable failure) {
    String reason = what + ": " + FailureText.of(failure);
    if (run.writing.committing.failed(reason, System.nanoTime())) {
      LOG.error("{}; nothing of this run is acknowledged until it works again", reason);
    }
    inTrouble.add(run);
  }

  private void untroubled(RunJournal run) {
    if (!run.writing.committing.over()) {
      return;
    }
    LOG.info("{}: writing works again", run.folder().name());
    inTrouble.remove(run);
    if (run.writing.paused) {
      run.writing.paused = false;
      connectionsOf(run).forEach(connection -> connection.resume(PauseReason.RUN_NOT_WRITABLE));
    }
  }

  /** What waits for a disk is bounded, for each run and for all of them together. */
  private void holdBackTroubled() {
    if (inTrouble.isEmpty()) {
      return;
    }
    long all = inTrouble.stream().mapToLong(RunJournal::notDurableBytes).sum();
    for (RunJournal run : inTrouble) {
      boolean enough =
          all > options.queueBytes() / 2 || run.notDurableBytes() > options.queueBytes() / 8;
      if (enough && !run.writing.paused) {
        run.writing.paused = true;
        connectionsOf(run).forEach(connection -> connection.pause(PauseReason.RUN_NOT_WRITABLE));
      }
    }
  }

  private static List<SourceConnection> connectionsOf(RunJournal run) {
    return run.sources().stream()
        .map(source -> source.connection)
        .filter(Objects::nonNull)
        .toList();
  }

  // ---- sealing ----

  /** False when the disk did not let it; to be tried again. */
  boolean rotateAndSeal(RunJournal run) {
    if (!run.hasUnsealedFrames()) {
      return true;
    }
    Trouble rotating = run.writing.rotating;
    long now = System.nanoTime();
    if (rotating.failedWithin(options.retryPause(), now) || inTrouble.contains(run)) {
      return false;
    }
    try {
      run.rotate();
    } catch (IOException | RuntimeException | Error e) {
      String reason =
          "the collector cannot begin a segment of "
              + run.folder().path()
              + ": "
              + FailureText.of(e);
      if (rotating.failed(reason, now)) {
        LOG.error("{}; the old one goes on", reason);
      }
      return false;
    }
    rotating.over();
    sealing.take(run);
    return true;
  }
}
