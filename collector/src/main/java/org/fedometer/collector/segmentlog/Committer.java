package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.collector.segmentlog.SourceConnection.PauseReason;
import org.fedometer.wire.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts what runs have taken on disk, acknowledges it, and hands full segments to the sealer. A run
 * that cannot be written is tried again from time to time, and its sources are held back. For the
 * journal's thread, but for what others may ask.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  /** What is remembered of a run; changed here alone. For the journal's thread. */
  static final class WriteState {
    /** Why nothing can be written, if so. */
    private final FailureTracker commitFailures = new FailureTracker();

    /** Why no new segment can be begun, if so. */
    private final FailureTracker rotationFailures = new FailureTracker();

    private boolean paused;

    /** Whether the run's sources are not read, because too much of it waits for the disk. */
    boolean isPaused() {
      return paused;
    }

    /** Why the run cannot be written, or goes on in a segment that is full; empty if it can. */
    String reason() {
      return commitFailures.reason().isEmpty()
          ? rotationFailures.reason()
          : commitFailures.reason();
    }
  }

  private final SegmentLogOptions options;
  private final SealScheduler sealScheduler;
  private final ParallelCommits parallelCommits = new ParallelCommits();

  private final Set<RunSegmentLog> dirty = new LinkedHashSet<>();

  private final Set<RunSegmentLog> failing = new LinkedHashSet<>();

  private boolean stopping;

  // For whoever asks how it goes; written by the journal's thread only.
  private final AtomicLong syncs = new AtomicLong();
  private final AtomicLong syncNanos = new AtomicLong();
  private volatile long lastDurableNanos = System.nanoTime();

  Committer(SegmentLogOptions options, SealScheduler sealScheduler) {
    this.options = options;
    this.sealScheduler = sealScheduler;
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

  void markDirty(RunSegmentLog run) {
    dirty.add(run);
  }

  boolean isFailing(RunSegmentLog run) {
    return failing.contains(run);
  }

  /** A copy: runs that cannot be written. */
  List<RunSegmentLog> failing() {
    return new ArrayList<>(failing);
  }

  /** Whether it cannot be written, and has been tried only just now. */
  boolean isBackingOff(RunSegmentLog run) {
    return failing.contains(run)
        && run.writing.commitFailures.failedWithin(options.retryPause(), System.nanoTime());
  }

  void forget(RunSegmentLog run) {
    dirty.remove(run);
    failing.remove(run);
  }

  /** From now on segments are handed to the sealer only by whoever wants that. */
  void stop() {
    stopping = true;
  }

  void close() {
    parallelCommits.close();
  }

  // ---- writing ----

  /** Writes all runs that have taken something, but for those that are to be tried later. */
  void commit() throws InterruptedException {
    List<RunSegmentLog> pending = new ArrayList<>(dirty);
    dirty.clear();
    pending.removeIf(failing::contains);
    for (RunSegmentLog run : failing) {
      if (!isBackingOff(run)) {
        pending.add(run);
      }
    }
    commit(pending);
    pauseFailing();
  }

  void commit(List<RunSegmentLog> pending) throws InterruptedException {
    long beginNanos = System.nanoTime();
    Map<RunSegmentLog, Throwable> failures = parallelCommits.commit(pending);
    long endNanos = System.nanoTime();
    if (!pending.isEmpty()) {
      syncs.incrementAndGet();
      syncNanos.addAndGet(endNanos - beginNanos);
    }
    for (RunSegmentLog run : pending) {
      Throwable failure = failures.get(run);
      if (failure == null) {
        dirty.remove(run);
        markRecovered(run);
        List<Source> touched = run.takeTouched();
        if (!touched.isEmpty()) {
          lastDurableNanos = endNanos;
        }
        touched.forEach(Source::acknowledge);
        run.notifyListener();
        if (!stopping && run.grownBytes() >= options.segmentBytes()) {
          rotateAndSeal(run);
        }
      } else {
        markFailed(run, "the collector cannot write to " + run.folder().path(), failure);
      }
    }
  }

  private void markFailed(RunSegmentLog run, String problem, Throwable failure) {
    String reason = problem + ": " + FailureText.of(failure);
    if (run.writing.commitFailures.recordFailure(reason, System.nanoTime())) {
      LOG.error("{}; nothing of this run is acknowledged until it works again", reason);
    }
    failing.add(run);
  }

  private void markRecovered(RunSegmentLog run) {
    if (!run.writing.commitFailures.recordSuccess()) {
      return;
    }
    LOG.info("{}: writing works again", run.folder().name());
    failing.remove(run);
    if (run.writing.paused) {
      run.writing.paused = false;
      connectionsOf(run).forEach(connection -> connection.resume(PauseReason.RUN_NOT_WRITABLE));
    }
  }

  /** What waits for a disk is bounded, for each run and for all of them together. */
  private void pauseFailing() {
    if (failing.isEmpty()) {
      return;
    }
    long all = failing.stream().mapToLong(RunSegmentLog::notDurableBytes).sum();
    for (RunSegmentLog run : failing) {
      boolean enough =
          all > options.queueBytes() / 2 || run.notDurableBytes() > options.queueBytes() / 8;
      if (enough && !run.writing.paused) {
        run.writing.paused = true;
        connectionsOf(run).forEach(connection -> connection.pause(PauseReason.RUN_NOT_WRITABLE));
      }
    }
  }

  private static List<SourceConnection> connectionsOf(RunSegmentLog run) {
    return run.sources().stream()
        .map(source -> source.connection)
        .filter(Objects::nonNull)
        .toList();
  }

  // ---- sealing ----

  /** False when the disk did not let it; to be tried again. */
  boolean rotateAndSeal(RunSegmentLog run) {
    if (!run.hasUnsealedFrames()) {
      return true;
    }
    FailureTracker rotationFailures = run.writing.rotationFailures;
    long now = System.nanoTime();
    if (rotationFailures.failedWithin(options.retryPause(), now) || failing.contains(run)) {
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
      if (rotationFailures.recordFailure(reason, now)) {
        LOG.error("{}; the old one goes on", reason);
      }
      return false;
    }
    rotationFailures.recordSuccess();
    sealScheduler.submit(run);
    return true;
  }
}
