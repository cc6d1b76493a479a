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
 * Writes runs to disk, acknowledges frames, and hands full segments to the sealer. Retries a run
 * that cannot be written and pauses its sources. For the segment log's thread, except statistics.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  /** State of a run's writing, changed only here. For the segment log's thread. */
  static final class WriteState {
    private final FailureTracker commitFailures = new FailureTracker();

    /** Failures to begin a new segment, if any. */
    private final FailureTracker rotationFailures = new FailureTracker();

    private boolean paused;

    /** Returns whether the run's sources are paused, because too much waits for the disk. */
    boolean isPaused() {
      return paused;
    }

    /** Returns why the run cannot be written, or continues in a full segment; empty if neither. */
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

  // Statistics, written by the segment log's thread only.
  private final AtomicLong syncs = new AtomicLong();
  private final AtomicLong syncNanos = new AtomicLong();
  private volatile long lastDurableNanos = System.nanoTime();

  Committer(SegmentLogOptions options, SealScheduler sealScheduler) {
    this.options = options;
    this.sealScheduler = sealScheduler;
  }

  /** Returns the number of batches written to disk; any thread. */
  long syncs() {
    return syncs.get();
  }

  /** Returns the total time of these; any thread. */
  long syncNanos() {
    return syncNanos.get();
  }

  /** Returns the nanoTime when frames last became durable; any thread. */
  long lastDurableNanos() {
    return lastDurableNanos;
  }

  void markDirty(RunSegmentLog run) {
    dirty.add(run);
  }

  boolean isFailing(RunSegmentLog run) {
    return failing.contains(run);
  }

  /** Returns a copy of the runs that cannot be written. */
  List<RunSegmentLog> failing() {
    return new ArrayList<>(failing);
  }

  /** Returns whether the run cannot be written and was retried only recently. */
  boolean isBackingOff(RunSegmentLog run) {
    return failing.contains(run)
        && run.writing.commitFailures.failedWithin(options.retryPause(), System.nanoTime());
  }

  void forget(RunSegmentLog run) {
    dirty.remove(run);
    failing.remove(run);
  }

  /** Stops automatic sealing; only explicit calls seal. */
  void stop() {
    stopping = true;
  }

  void close() {
    parallelCommits.close();
  }

  // ---- writing ----

  /** Writes all runs with new data, except those that wait for a retry. */
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
      LOG.error("{}; nothing of this run is acknowledged until writing works again", reason);
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

  /** Pauses sources of failing runs, to bound waiting data per run and in total. */
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

  /** Returns false if the disk failed; retry later. */
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
        LOG.error("{}; the collector continues the old segment", reason);
      }
      return false;
    }
    rotationFailures.recordSuccess();
    sealScheduler.submit(run);
    return true;
  }
}
