package org.fedometer.experiments.collect;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.fedometer.experiments.collect.GcLog.Pause;
import org.fedometer.experiments.threads.DaemonThreads;

/**
 * Forwards the pauses of a growing GC log, each once, and the rest when the JVM has ended. Reads on
 * its own thread; {@link #finish} and {@link #close} are the job's.
 */
public final class GcLogFollower implements AutoCloseable {
  /** Limits the reader's share of time, since it runs beside a measurement. */
  private static final int IDLE_FACTOR = 200;

  /** Far below the capacity of a frame. */
  private static final int MAX_BATCH_SIZE = 1000;

  private static final long END_TIMEOUT_SECONDS = 90;

  /** All of its work is interruptible. */
  private static final long INTERRUPTED_END_TIMEOUT_SECONDS = 5;

  private final Log log;
  private final Sink sink;

  /** An earlier process forwarded the pauses up to then. */
  private final long forwardedUntil;

  private final Set<Key> forwarded = new HashSet<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.factory("fedometer-gc-log"));
  private long bytesSeen;
  private long idleUntilNanos = System.nanoTime();

  /** From the log's beginning; null before that was read. */
  private String collector;

  /** True if the JVM discarded pauses before they were read. */
  private boolean missed;

  /** Supplier of the current parts of a log, oldest first. */
  public interface Log {
    List<Path> parts() throws IOException;
  }

  /** Accepts new pauses; called by one thread at a time. */
  public interface Sink {
    /**
     * Accepts pauses permanently, all or none.
     *
     * @param pauses by start
     * @throws IOException if none was accepted; they will be forwarded again
     */
    void accept(List<Pause> pauses) throws IOException;

    /**
     * Waits until all accepted pauses are durable; returns at once if they are.
     *
     * @throws IOException if they are not yet
     */
    void awaitDurable() throws IOException;
  }

  /** Other attributes of a pause change when the log's beginning is lost. */
  private record Key(long startEpochNanos, long durationNanos) {}

  private GcLogFollower(Log log, Sink sink, long forwardedUntilEpochNanos) {
    this.log = log;
    this.sink = sink;
    this.forwardedUntil = forwardedUntilEpochNanos;
  }

  /**
   * Starts to follow a log, which may appear later or never.
   *
   * @param forwardedUntilEpochNanos pauses that began until then are skipped
   */
  public static GcLogFollower follow(
      Log log, Sink sink, long forwardedUntilEpochNanos, Duration interval) {
    GcLogFollower follower = new GcLogFollower(log, sink, forwardedUntilEpochNanos);
    follower.thread.scheduleWithFixedDelay(
        follower::poll, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    return follower;
  }

  private void poll() {
    try {
      List<Path> parts = log.parts();
      long bytes = 0;
      for (Path part : parts) {
        bytes += Files.size(part);
      }
      if (bytes != bytesSeen && System.nanoTime() - idleUntilNanos >= 0) {
        bytesSeen = bytes;
        forward(readThrottled(parts));
      }
      sink.awaitDurable();
    } catch (IOException | RuntimeException e) {
      // The JVM rotated a part, or the collector is away: finish() reads all, and reports gaps.
    }
  }

  private GcLog.Reading readThrottled(List<Path> parts) throws IOException {
    long begin = System.nanoTime();
    try {
      return GcLog.read(parts, collector, fraction -> {});
    } finally {
      long end = System.nanoTime();
      idleUntilNanos = end + IDLE_FACTOR * (end - begin);
    }
  }

  private void forward(GcLog.Reading read) throws IOException {
    collector = read.collector();
    List<Pause> fresh = read.pauses().stream().filter(pause -> !isForwarded(pause)).toList();
    // A pause after a forwarded one has no gap before it.
    missed |= read.cut() && !read.pauses().isEmpty() && fresh.contains(read.pauses().get(0));
    for (int from = 0; from < fresh.size(); from += MAX_BATCH_SIZE) {
      List<Pause> some = fresh.subList(from, Math.min(fresh.size(), from + MAX_BATCH_SIZE));
      sink.accept(some);
      some.forEach(pause -> forwarded.add(keyOf(pause)));
    }
  }

  private boolean isForwarded(Pause pause) {
    return pause.startEpochNanos() <= forwardedUntil || forwarded.contains(keyOf(pause));
  }

  private static Key keyOf(Pause pause) {
    return new Key(pause.startEpochNanos(), pause.durationNanos());
  }

  /**
   * Reads the whole finished log, and forwards the remaining pauses.
   *
   * @return what is missing, a sentence each; empty without a log
   */
  public List<String> finish(GcLog.Progress progress) throws IOException {
    awaitLastPoll();
    List<Path> parts = log.parts();
    if (parts.isEmpty()) {
      return List.of();
    }
    GcLog.Reading read = GcLog.read(parts, collector, progress);
    forward(read);
    sink.awaitDurable();
    List<String> notes = new ArrayList<>(read.notes());
    if (missed) {
      notes.add(
          "The JVM has overwritten the start of Fedora's log of garbage collections:"
              + " earlier pauses are not in the table gc.");
    }
    return notes;
  }

  private void awaitLastPoll() throws IOException {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the wait for its last pauses was interrupted");
    }
    if (!thread.isTerminated()) {
      throw new IOException("its pauses are still being sent");
    }
  }

  /** Stops without waiting for others; remaining pauses are lost. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      thread.awaitTermination(INTERRUPTED_END_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
