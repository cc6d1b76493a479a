package org.fedometer.experiments.collect;

import java.io.IOException;
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

  private static final long END_SECONDS = 90;

  private final Log log;
  private final Sink sink;

  /** Pauses up to then were handed on by an earlier process. */
  private final long handedOnUntil;

  private final Set<Key> handedOn = new HashSet<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(OwnThreads.daemons("fedometer-gc-log"));
  private long bytesSeen;
  private long restUntilNanos = System.nanoTime();

  /** The parts of a log that there are now, the oldest first. */
  public interface Log {
    List<Path> parts() throws IOException;
  }

  /** Takes pauses that are new, by start; one thread at a time. */
  public interface Sink {
    void pauses(List<Pause> pauses) throws IOException;
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
   * @param interval between two looks
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
      long begin = System.nanoTime();
      if (bytes == bytesSeen || begin - restUntilNanos < 0) {
        return;
      }
      bytesSeen = bytes;
      handOn(GcLog.read(parts, fraction -> {}).pauses());
      long end = System.nanoTime();
      restUntilNanos = end + REST_TO_READING * (end - begin);
    } catch (IOException | RuntimeException e) {
      // The JVM moved a part, or the collector is away: finish() reads all, and says what it lacks.
    }
  }

  private void handOn(List<Pause> pauses) throws IOException {
    List<Pause> fresh = new ArrayList<>();
    for (Pause pause : pauses) {
      if (pause.startEpochNanos() > handedOnUntil && !handedOn.contains(keyOf(pause))) {
        fresh.add(pause);
      }
    }
    if (!fresh.isEmpty()) {
      sink.pauses(fresh);
      fresh.forEach(pause -> handedOn.add(keyOf(pause)));
    }
  }

  private static Key keyOf(Pause pause) {
    return new Key(pause.startEpochNanos(), pause.durationNanos());
  }

  /**
   * Reads the whole log, to which nobody writes any more, and hands on what was not.
   *
   * @return what the log says; null if there is none
   */
  public GcLog.Reading finish(GcLog.Progress progress) throws IOException {
    close();
    List<Path> parts = log.parts();
    if (parts.isEmpty()) {
      return null;
    }
    GcLog.Reading read = GcLog.read(parts, progress);
    handOn(read.pauses());
    return read;
  }

  /** Looks no more. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
