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
 * Hands on the pauses of a log of garbage collections while the JVM still writes it, each once, and
 * the rest when it has ended. A thread of its own reads; {@link #finish} and {@link #close} are the
 * job's.
 */
public final class GcLogFollower implements AutoCloseable {
  /** Of the reader's time at most this part is spent reading: a core is measured beside it. */
  private static final int IDLE_FACTOR = 200;

  /** Far below what fits into a frame. */
  private static final int MAX_BATCH_SIZE = 1000;

  private static final long END_TIMEOUT_SECONDS = 90;

  /** Whatever it does can be interrupted. */
  private static final long INTERRUPTED_END_TIMEOUT_SECONDS = 5;

  private final Log log;
  private final Sink sink;

  /** Pauses up to then were handed on by an earlier process. */
  private final long forwardedUntil;

  private final Set<Key> forwarded = new HashSet<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.factory("fedometer-gc-log"));
  private long bytesSeen;
  private long idleUntilNanos = System.nanoTime();

  /** As the log's beginning tells it; null before that was read. */
  private String collector;

  /** Whether the JVM threw pauses away before they were read. */
  private boolean missed;

  /** The parts of a log that there are now, the oldest first. */
  public interface Log {
    List<Path> parts() throws IOException;
  }

  /** Takes what is new; one thread at a time. */
  public interface Sink {
    /**
     * Takes pauses for good, all or none.
     *
     * @param pauses by start
     * @throws IOException none was taken, so that they will be handed on again
     */
    void accept(List<Pause> pauses) throws IOException;

    /**
     * Waits until all that was taken is durable; returns at once if it is.
     *
     * @throws IOException it is not yet
     */
    void awaitDurable() throws IOException;
  }

  /** What else is known of a pause changes as the log's beginning goes. */
  private record Key(long startEpochNanos, long durationNanos) {}

  private GcLogFollower(Log log, Sink sink, long forwardedUntilEpochNanos) {
    this.log = log;
    this.sink = sink;
    this.forwardedUntil = forwardedUntilEpochNanos;
  }

  /**
   * Begins to follow a log, which may be written later or never.
   *
   * @param forwardedUntilEpochNanos pauses that began until then are left out
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
      // The JVM moved a part, or the collector is away: finish() reads all, and says what it lacks.
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
    // What follows one that was handed on has no gap before it.
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
   * Reads the whole log, to which nobody writes any more, and hands on what was not.
   *
   * @return what is missing in what was handed on, a sentence each; nothing if there is no log
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
          "The JVM keeps no more of Fedora's log of garbage collections: earlier pauses are not in"
              + " the table gc.");
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
      throw new IOException("what was read of it is still being sent");
    }
  }

  /** Looks no more, and waits for nobody: what was not handed on is not. */
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
