package org.fedometer.collector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.collector.segmentlog.ReopenWatch;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.threads.DaemonThreads;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.wire.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the runs that exceed a {@link Retention}, on a dedicated thread. */
final class RetentionJob implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionJob.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final RunStore store;
  private final SegmentLog segmentLog;
  private final Retention retention;
  private final Duration pause;
  private final ClockCheck clockCheck = new ClockCheck();
  private boolean clockUnreliable;
  private boolean storeOverLimit;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.daemons("fedometer-retention"));

  private final FailureTracker unreadable = new FailureTracker();

  /**
   * @param protectedByFile whether it has a file {@code KEEP}
   * @param unreadable whether a file could not be examined, so that the run may be newer
   */
  private record Candidate(
      RunFolder run,
      long lastWrittenMillis,
      long bytes,
      boolean protectedByFile,
      boolean unreadable) {
    boolean isProtected() {
      return protectedByFile || unreadable;
    }
  }

  RetentionJob(RunStore store, SegmentLog segmentLog, Retention retention) {
    this(store, segmentLog, retention, PAUSE);
  }

  RetentionJob(RunStore store, SegmentLog segmentLog, Retention retention, Duration pause) {
    this.store = store;
    this.segmentLog = segmentLog;
    this.retention = retention;
    this.pause = pause;
  }

  /** Checks now and then every minute for expired runs and interrupted deletions. */
  void start() {
    Runnable work = retention.isForever() ? this::deleteHidden : this::check;
    thread.scheduleWithFixedDelay(work, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void check() {
    try {
      deleteOld(System.currentTimeMillis(), System.nanoTime());
    } catch (IOException | RuntimeException | Error e) {
      // Errors too: they would silently end the schedule, and the disk would fill.
      LOG.warn("Old runs could not be deleted: {}", FailureText.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void deleteOld(long nowMillis, long nowNanos) throws IOException, InterruptedException {
    // Left by an earlier attempt.
    deleteHidden();
    List<Candidate> runs = new ArrayList<>();
    long bytes = 0;
    long bytesThatStay = 0;
    for (RunFolder run : store.runs()) {
      Candidate candidate = candidate(run);
      runs.add(candidate);
      bytes += candidate.bytes();
      bytesThatStay +=
          candidate.isProtected() || segmentLog.isOpen(run.name()) ? candidate.bytes() : 0;
    }
    logUnreadable(runs);
    runs.sort(Comparator.comparingLong(Candidate::lastWrittenMillis));
    boolean agesAreKnown = agesAreKnown(runs, nowMillis, nowNanos);
    boolean deletingHelps = deletingHelps(bytesThatStay);
    for (Candidate run : runs) {
      boolean tooOld =
          retention.maxAge() != null
              && agesAreKnown
              && nowMillis - run.lastWrittenMillis() > retention.maxAge().toMillis();
      boolean tooMuch = retention.maxBytes() > 0 && deletingHelps && bytes > retention.maxBytes();
      if ((tooOld || tooMuch) && !run.isProtected() && hide(run)) {
        LOG.info(
            "{}: deleted, {} bytes, {}",
            run.run().name(),
            run.bytes(),
            tooOld ? "older than " + retention.maxAge() : "the store had " + bytes + " bytes");
        bytes -= run.bytes();
      }
    }
    deleteHidden();
  }

  private void logUnreadable(List<Candidate> runs) {
    List<String> names =
        runs.stream()
            .filter(Candidate::unreadable)
            .map(candidate -> candidate.run().name())
            .toList();
    if (names.isEmpty()) {
      unreadable.recordSuccess();
    } else if (unreadable.recordFailure("some files cannot be read", System.nanoTime())) {
      LOG.warn("Some files of {} cannot be read; retention keeps these runs", names);
    }
  }

  /** Returns whether the ages are reliable. Runs are in order of time. */
  private boolean agesAreKnown(List<Candidate> runs, long nowMillis, long nowNanos) {
    long newest = runs.isEmpty() ? nowMillis : runs.get(runs.size() - 1).lastWrittenMillis();
    boolean known = clockCheck.isReliable(nowMillis, nowNanos, newest);
    if (!known && !clockUnreliable && retention.maxAge() != null) {
      LOG.warn(
          "The clock shows {}, more than a day later than expected; no run is deleted for its"
              + " age until the clock has been steady for a day",
          Instant.ofEpochMilli(nowMillis));
    }
    clockUnreliable = !known;
    return known;
  }

  private boolean deletingHelps(long bytesThatStay) {
    boolean helps = retention.maxBytes() <= 0 || bytesThatStay <= retention.maxBytes();
    if (!helps && !storeOverLimit) {
      LOG.warn(
          "Runs that are open, have a file KEEP or cannot be read take {} bytes, more than the"
              + " limit of {}; deleting other runs would not help, so none is deleted",
          bytesThatStay,
          retention.maxBytes());
    }
    storeOverLimit = !helps;
    return helps;
  }

  /**
   * Finishes deletions; a failure does not prevent others from being hidden, which eventually frees
   * space.
   */
  private void deleteHidden() {
    try {
      RunDeletion.finishInterrupted(store);
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("Some files of deleted runs remain: {}", FailureText.of(e));
    }
  }

  /** Returns false if the run is open or cannot be deleted; the next one may. */
  private boolean hide(Candidate old) throws InterruptedException {
    RunFolder run = old.run();
    if (segmentLog.isOpen(run.name())) {
      return false;
    }
    AtomicBoolean hidden = new AtomicBoolean();
    try (ReopenWatch still = segmentLog.watchReopening(run.name())) {
      // A source may have written since the decision. Checking many files takes long and would
      // block the segment log's thread, so only the rename is done there.
      if (!candidate(run).equals(old)) {
        return false;
      }
      segmentLog.release(
          run.name(),
          () -> {
            try {
              if (still.isUnopened()) {
                RunDeletion.hide(run);
                hidden.set(true);
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      return hidden.get();
    } catch (IOException e) {
      LOG.warn("{} cannot be checked before its deletion: {}", run.name(), FailureText.of(e));
      return false;
    } catch (RuntimeException e) {
      LOG.warn(
          "{} could not be deleted: {}",
          run.name(),
          FailureText.of(e.getCause() == null ? e : e.getCause()));
      return false;
    }
  }

  /** Sums up a run's files. Counts links themselves and does not follow them. */
  private static Candidate candidate(RunFolder run) throws IOException {
    long[] newestAndBytes = new long[2];
    AtomicBoolean unreadable = new AtomicBoolean();
    Files.walkFileTree(
        run.path(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            // A run that is being copied here may have no file yet.
            count(attributes, 0);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            count(attributes, attributes.size());
            return FileVisitResult.CONTINUE;
          }

          private void count(BasicFileAttributes attributes, long bytes) {
            newestAndBytes[0] =
                Math.max(newestAndBytes[0], attributes.lastModifiedTime().toMillis());
            newestAndBytes[1] += bytes;
          }

          /** Ignores files that have disappeared meanwhile. */
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            if (file.equals(run.path()) || !(failure instanceof NoSuchFileException)) {
              unreadable.set(true);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failureOrNull) {
            if (failureOrNull != null) {
              unreadable.set(true);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    boolean protectedByFile = Files.exists(run.path().resolve("KEEP"), LinkOption.NOFOLLOW_LINKS);
    return new Candidate(
        run, newestAndBytes[0], newestAndBytes[1], protectedByFile, unreadable.get());
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      thread.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
