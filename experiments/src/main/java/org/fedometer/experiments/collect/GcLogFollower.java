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
import org.fedometer.experiments.threads.OwnThreads;

/**
 * Hands on the pauses of a log of garbage collections while the JVM still writes it, each once, and
 * the rest when it has ended. A thread of its own reads; {@link #finish} and {@link #close} are the
 * job's.
 */
public final class GcLogFollower implements AutoCloseable {
  /** Of the reader's time at most this part is spent reading: a core is measured beside it. */
  private static final int REST_TO_READING = 200;

  /** Far below what fits into a frame. */
  private static final int MOST_AT_ONCE = 1000;

  private static final long END_SECONDS = 90;

  /** Whatever it does can be interrupted. */
  private static final long INTERRUPTED_END_SECONDS = 5;

  private final Log log;
  private final Sink sink;

  /** Pauses up to then were handed on by an earlier process. */
  private final long handedOnUntil;

  private final Set<Key> handedOn = new HashSet<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(OwnThreads.daemons("fedometer-gc-log"));
  private long bytesSeen;
  private long restUntilNanos = System.nanoTime();

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
    void take(List<Pause> pauses) throws IOException;

    /**
     * Waits until all that was taken is durable; returns at once if it is.
     *
     * @throws IOException it is not yet
     */
    void settle() throws IOException;
  }

  /** What else is known of a pause changes as the log's beginning goes. */
  private record Key(long startEpochNanos, long durationNanos) {}

  private GcLogFollower(Log log, Sink sink, long handedOnUntilEpochNanos) {
    this.log = log;
    this.sink = sink;
    this.handedOnUntil = handedOnUntilEpochNanos;
  }

  /**
   * Begins to follow a log, which may be written later or never.
   *
   * @param handedOnUntilEpochNanos pauses that began until then are left out
   */
  public static GcLogFollower follow(
      Log log, Sink sink, long handedOnUntilEpochNanos, Duration interval) {
    GcLogFollower follower = new GcLogFollower(log, sink, handedOnUntilEpochNanos);
    follower.thread.scheduleWithFixedDelay(
        follower::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    return follower;
  }

  private void look() {
    try {
      List<Path> parts = log.parts();
      long bytes = 0;
      for (Path part : parts) {
        bytes += Files.size(part);
      }
      if (bytes != bytesSeen && System.nanoTime() - restUntilNanos >= 0) {
        bytesSeen = bytes;
        handOn(readBetweenRests(parts));
      }
      sink.settle();
    } catch (IOException | RuntimeException e) {
      // The JVM moved a part, or the collector is away: finish() reads all, and says what it lacks.
    }
  }

  private GcLog.Reading readBetweenRests(List<Path> parts) throws IOException {
    long begin = System.nanoTime();
    try {
      return GcLog.read(parts, collector, fraction -> {});
    } finally {
      long end = System.nanoTime();
      restUntilNanos = end + REST_TO_READING * (end - begin);
    }
  }

  private void handOn(GcLog.Reading read) throws IOException {
    collector = read.collector();
    List<Pause> fresh = read.pauses().stream().filter(pause -> !isHandedOn(pause)).toList();
    // What follows one that was handed on has no gap before it.
    missed |= read.cut() && !read.pauses().isEmpty() && fresh.contains(read.pauses().get(0));
    for (int from = 0; from < fresh.size(); from += MOST_AT_ONCE) {
      List<Pause> some = fresh.subList(from, Math.min(fresh.size(), from + MOST_AT_ONCE));
      sink.take(some);
      some.forEach(pause -> handedOn.add(keyOf(pause)));
    }
  }

  private boolean isHandedOn(Pause pause) {
    return pause.startEpochNanos() <= handedOnUntil || handedOn.contains(keyOf(pause));
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
    awaitLastLook();
    List<Path> parts = log.parts();
    if (parts.isEmpty()) {
      return List.of();
    }
    GcLog.Reading read = GcLog.read(parts, collector, progress);
    handOn(read);
    sink.settle();
    List<String> notes = new ArrayList<>(read.notes());
    if (missed) {
      notes.add(
          "The JVM keeps no more of Fedora's log of garbage collections: earlier pauses are not in"
              + " the table gc.");
    }
    return notes;
  }

  private void awaitLastLook() throws IOException {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
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
      thread.awaitTermination(INTERRUPTED_END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
