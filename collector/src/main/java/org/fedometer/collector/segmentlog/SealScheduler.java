package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.SegmentName;
import org.fedometer.store.seal.Merger;
import org.fedometer.store.seal.SealResult;
import org.fedometer.store.seal.Sealer;
import org.fedometer.wire.Counted;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.disk.Durable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals segments one by one on a dedicated thread, with retries.
 *
 * <p>Segments of one run and store are sealed strictly in order, because recovery assumes that
 * everything from the oldest remaining one on exists. Called on the segment log's thread. Outcomes
 * arrive on the sealer's thread and must be passed to {@link #complete} on the segment log's.
 */
final class SealScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(SealScheduler.class);
  private static final Duration MAX_RETRY_PAUSE = Duration.ofSeconds(60);
  private static final int MAX_PAUSE_DOUBLINGS = 10;

  /** Longer than a reader takes from listing files to opening the last of them. */
  private static final Duration MERGED_FILES_GRACE = Duration.ofMinutes(5);

  /** Deletes none before that. */
  private static final Duration MERGED_FILES_DELETION_DELAY = MERGED_FILES_GRACE.plusSeconds(5);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(60);

  private final String storeId;
  private final Sealer sealer;
  private final Merger merger;
  private final Duration retryPause;
  private final Consumer<Outcome> outcomes;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "fedometer-sealer"));

  /** The oldest unsealed segment of each chain; later ones wait in their run. */
  private final Map<SegmentChain, Path> submitted = new HashMap<>();

  /** The next attempt of each chain whose sealing failed. */
  private final Map<SegmentChain, Runnable> retries = new HashMap<>();

  /** Held while files are merged, when a run must not be moved or deleted. */
  private final ReentrantLock merging = new ReentrantLock();

  /** Runs to compact again. On the sealer's thread. */
  private final Set<Path> compactionPending = new HashSet<>();

  private boolean retrying = true;

  /** The segments of a run that one store wrote. */
  private record SegmentChain(RunSegmentLog run, String storeId) {}

  sealed interface Outcome {
    RunSegmentLog run();

    Path segment();
  }

  /**
   * The disk has damaged the segment since it was written. Pass it to {@link #resubmit} once the
   * loss is recorded.
   *
   * @param readableFrames readable frames per source
   */
  record Damaged(
      RunSegmentLog run, Path segment, Set<Path> unsyncedDocuments, Map<UUID, Long> readableFrames)
      implements Outcome {}

  private record Sealed(RunSegmentLog run, Path segment, SealResult result) implements Outcome {}

  private record NotSealed(
      RunSegmentLog run, Path segment, Set<Path> unsyncedDocuments, Throwable failure)
      implements Outcome {}

  SealScheduler(
      String storeId, long mergeMemoryBytes, Duration retryPause, Consumer<Outcome> outcomes) {
    this.storeId = storeId;
    this.sealer = new Sealer(storeId);
    this.merger = new Merger(storeId, mergeMemoryBytes);
    this.retryPause = retryPause;
    this.outcomes = outcomes;
  }

  boolean isBusy() {
    return !submitted.isEmpty();
  }

  /**
   * Returns the number of segments that wait for the sealer, without those that wait for a retry.
   */
  int backlog() {
    int segments = 0;
    for (SegmentChain chain : submitted.keySet()) {
      if (!isBlocked(chain)) {
        for (Path segment : chain.run().unsealed()) {
          segments += storeOf(segment).equals(chain.storeId()) ? 1 : 0;
        }
      }
    }
    return segments;
  }

  /** Returns whether sealing of this store's segments of the run currently fails. */
  boolean isBlocked(RunSegmentLog run) {
    return isBlocked(new SegmentChain(run, storeId));
  }

  private boolean isBlocked(SegmentChain chain) {
    Path segment = submitted.get(chain);
    return segment != null && chain.run().sealFailures().containsKey(segment);
  }

  /** Submits the oldest unsealed segment of the run, unless already submitted. */
  void submit(RunSegmentLog run) {
    Set<String> stores = new HashSet<>();
    for (Path segment : run.unsealed()) {
      String store = storeOf(segment);
      if (stores.add(store)
          && submitted.putIfAbsent(new SegmentChain(run, store), segment) == null) {
        thread.execute(attempt(run, segment));
      }
    }
  }

  /** Returns empty for a file with another name pattern. */
  private static String storeOf(Path segment) {
    return SegmentName.ofSegment(segment).map(SegmentName::storeId).orElse("");
  }

  private Runnable attempt(RunSegmentLog run, Path segment) {
    Set<Path> documents = run.takeUnsyncedDocuments();
    RunFolder folder = run.folder();
    return () -> sealNow(run, folder, segment, documents);
  }

  /** Seals the readable part of a damaged segment. */
  void resubmit(Damaged damaged) {
    damaged.run().addUnsynced(damaged.unsyncedDocuments());
    thread.execute(attempt(damaged.run(), damaged.segment()));
  }

  /**
   * Leaves further failures to the next collector. Waiting retries run once more now, so that
   * shutdown does not wait for a pause of a minute.
   */
  void stopRetrying() {
    retrying = false;
    retries.values().forEach(thread::execute);
    retries.clear();
  }

  /**
   * Completes merges of an earlier collector, after the first of each run's waiting segments and
   * before all others.
   */
  void compactAll(RunStore store) {
    thread.execute(
        () -> {
          try {
            for (RunFolder run : store.runs()) {
              compactLocked(run);
            }
          } catch (IOException | RuntimeException | Error e) {
            // Errors too: the executor would swallow them.
            LOG.warn("The files of the runs cannot be merged: {}", FailureText.of(e));
          }
        });
  }

  /** Runs an action while no merge is running; returns false if one is: retry soon. */
  boolean runUnlessMerging(Runnable work) {
    if (!merging.tryLock()) {
      return false;
    }
    try {
      work.run();
      return true;
    } finally {
      merging.unlock();
    }
  }

  /**
   * Waits for the current seal or merge within a timeout. The store's lock must be kept until
   * {@link #awaitEnd()} returns.
   */
  void close() {
    close(CLOSE_TIMEOUT);
  }

  void close(Duration timeout) {
    thread.shutdownNow();
    try {
      if (thread.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        sealer.close();
      } else {
        LOG.error("The sealer has not stopped in time: a segment is still being sealed or merged");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether all writing has ended; any thread. */
  boolean hasEnded() {
    return thread.isTerminated();
  }

  /** Waits without timeout until all writing has ended; call after closing. */
  void awaitEnd() throws InterruptedException {
    if (thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS)) {
      sealer.close(); // again, if it was in time
    }
  }

  // ---- the sealer's thread ----

  private void sealNow(RunSegmentLog run, RunFolder folder, Path segment, Set<Path> documents) {
    try {
      sync(documents, folder);
      Map<UUID, Long> left = readableFrames(segment);
      if (left != null) {
        outcomes.accept(new Damaged(run, segment, documents, left));
        return;
      }
      SealResult result = seal(folder, segment);
      // Before the outcome is known, since the segment log may then release the run at once.
      merging.lock();
      try {
        outcomes.accept(new Sealed(run, segment, result));
        compact(folder);
      } finally {
        merging.unlock();
      }
    } catch (IOException | RuntimeException | Error e) {
      // Errors too, for example if zstd's library cannot be loaded.
      outcomes.accept(new NotSealed(run, segment, documents, e));
    }
  }

  private void compactLocked(RunFolder folder) {
    merging.lock();
    try {
      compact(folder);
    } finally {
      merging.unlock();
    }
  }

  /** Merges files. Failures do not affect sealing; the files stay unmerged. */
  private void compact(RunFolder folder) {
    if (!Files.isDirectory(folder.path())) {
      return;
    }
    try {
      Merger.CompactionResult tidied = merger.compact(folder, MERGED_FILES_GRACE);
      if (tidied.merged() > 0) {
        LOG.info("{}: merged {}", folder.name(), Counted.of(tidied.merged(), "file"));
      }
      if (tidied.remaining() > 0 && !thread.isShutdown() && compactionPending.add(folder.path())) {
        thread.schedule(
            () -> {
              compactionPending.remove(folder.path());
              compactLocked(folder);
            },
            MERGED_FILES_DELETION_DELAY.toMillis(),
            TimeUnit.MILLISECONDS);
      }
    } catch (IOException | RuntimeException | Error e) {
      // Shutdown interrupts a merge; the next start repeats it.
      if (!thread.isShutdown()) {
        LOG.warn("{}: files stay unmerged for now: {}", folder.name(), FailureText.of(e));
      }
    }
  }

  private static void sync(Set<Path> documents, RunFolder folder) throws IOException {
    Set<Path> directories = new LinkedHashSet<>();
    for (Path document : documents) {
      if (Files.exists(document)) {
        Durable.syncFile(document);
        for (Path up = document.getParent(); up.startsWith(folder.path()); up = up.getParent()) {
          directories.add(up);
        }
      }
    }
    for (Path directory : directories) {
      Durable.syncDirectory(directory);
    }
  }

  /**
   * Checks a segment before its deletion, so that disk damage since its writing is noticed.
   *
   * @return null if it is intact
   */
  private static Map<UUID, Long> readableFrames(Path segment) throws IOException {
    if (!Files.exists(segment)) {
      return null;
    }
    SegmentRepair.Segment repaired = SegmentRepair.repair(segment, true);
    if (repaired == null) {
      return Map.of();
    }
    return repaired.damaged() ? SegmentRepair.framesIn(segment) : null;
  }

  private SealResult seal(RunFolder folder, Path segment) throws IOException {
    if (!Files.exists(segment)) {
      LOG.warn(
          "{} is missing: it was sealed earlier, was entirely damaged, or was deleted", segment);
      return new SealResult(0, 0, 0, 0, 0);
    }
    return sealer.seal(folder, segment);
  }

  // ---- the segment log's thread again ----

  /** Returns whether the segment is sealed. */
  boolean complete(Outcome outcome) {
    RunSegmentLog run = outcome.run();
    Path segment = outcome.segment();
    SegmentChain chain = new SegmentChain(run, storeOf(segment));
    retries.remove(chain);
    if (outcome instanceof NotSealed failed) {
      run.addUnsynced(failed.unsyncedDocuments());
      FailureTracker failures =
          run.sealFailures().computeIfAbsent(segment, file -> new FailureTracker());
      if (failures.recordFailure(
          "the run cannot be sealed: " + failed.failure(), System.nanoTime())) {
        LOG.error(
            "{} cannot be sealed; it and later segments stay unsealed until a retry succeeds",
            segment,
            failed.failure());
      }
      if (retrying) {
        retryLater(chain, attempt(run, segment), pauseMillis(failures.failureCount()));
      } else {
        submitted.remove(chain);
      }
      return false;
    }
    submitted.remove(chain);
    run.sealed(segment);
    submit(run);
    if (run.sealFailures().remove(segment) != null) {
      LOG.info("{}: sealing works again", run.folder().name());
    }
    SealResult result = ((Sealed) outcome).result();
    LOG.info(
        "{}: sealed {} ({}, {}, {}, {})",
        run.folder().name(),
        segment.getFileName(),
        Counted.of(result.samples(), "sample"),
        Counted.of(result.requests(), "request"),
        Counted.of(result.traces(), "trace"),
        Counted.of(result.logLines(), "log line"));
    if (result.unreadableFrames() > 0) {
      LOG.warn(
          "{}: {} could not be read",
          run.folder().name(),
          Counted.of(result.unreadableFrames(), "frame"));
    }
    return true;
  }

  private void retryLater(SegmentChain chain, Runnable attempt, long pauseMillis) {
    Runnable once = runOnce(attempt);
    retries.put(chain, once);
    thread.schedule(once, pauseMillis, TimeUnit.MILLISECONDS);
  }

  /** Makes an attempt safe to submit again, even while it runs. */
  private static Runnable runOnce(Runnable attempt) {
    AtomicBoolean begun = new AtomicBoolean();
    return () -> {
      if (begun.compareAndSet(false, true)) {
        attempt.run();
      }
    };
  }

  private long pauseMillis(int failures) {
    return Math.min(
        MAX_RETRY_PAUSE.toMillis(),
        retryPause.toMillis() << Math.min(failures, MAX_PAUSE_DOUBLINGS));
  }
}
