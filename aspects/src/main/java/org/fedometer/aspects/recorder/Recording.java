package org.fedometer.aspects.recorder;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All that is recorded between one attach and its end: one {@link ThreadRecorder} for each of
 * Fedora's threads that met a stage.
 *
 * <p>Fedora's threads come here once each, through {@link Recorder}. All other methods are the
 * drainer's, one thread at a time. The recorder of a thread that died is emptied once more, its
 * sums are kept, and it is let go, and the thread with it.
 *
 * <p>Memory is bounded: {@code ringSamples} times 36 bytes and about 8 KiB per thread, {@code
 * threadLimit} threads at once. Threads past the limit are not recorded, and counted.
 */
public final class Recording {

  /**
   * Tomcat starts and stops its webapps on threads named so. At the start Fedora ingests its own
   * system objects there, before any other thread works: those are left out. At the stop it writes
   * its last triples: those are kept.
   */
  private static final String STARTING_THREAD = "startStop";

  /** A multiple of every thread's block of ids; 0 would mean no trace. */
  private static final long FIRST_TRACE_ID = 64;

  private final ConcurrentLinkedQueue<ThreadRecorder> recorders = new ConcurrentLinkedQueue<>();
  private final AtomicInteger threadsLive = new AtomicInteger();
  private final AtomicInteger threadIds = new AtomicInteger();
  private final AtomicInteger threadsRefused = new AtomicInteger();
  private final AtomicLong traceIds = new AtomicLong(FIRST_TRACE_ID);

  /** The drainer's: all samples drained so far, and the drops of threads that are dead. */
  private final Totals settled = new Totals();

  private final int ringSamples;
  private final int threadLimit;

  /**
   * @param ringSamples samples that each thread can hold until the drainer comes, a power of two
   *     from 2 to 1,048,576
   * @param threadLimit threads recorded at once, at least 1
   */
  public Recording(int ringSamples, int threadLimit) {
    if (ringSamples < 2 || ringSamples > 1 << 20 || Integer.bitCount(ringSamples) != 1) {
      throw new IllegalArgumentException(
          "ring of "
              + ringSamples
              + " samples: give a power of two from 2 to "
              + (1 << 20)
              + ", such as 4096");
    }
    if (threadLimit < 1) {
      throw new IllegalArgumentException("thread limit " + threadLimit + ": give at least 1");
    }
    this.ringSamples = ringSamples;
    this.threadLimit = threadLimit;
  }

  /** What one thread's recorder takes. */
  public static long bytesPerThread(int ringSamples) {
    return ringSamples * 36L + 8 * 1024;
  }

  /** What the recorders of all threads take now; any thread. */
  public long memoryBytes() {
    return threadsLive.get() * bytesPerThread(ringSamples);
  }

  /** Threads that are recorded now; any thread. */
  public int threadsLive() {
    return threadsLive.get();
  }

  /** Called on the thread itself when it meets its first stage. */
  ThreadRecorder newThreadRecorder(Thread thread) {
    if (threadIds.get() == 0 && thread.getName().contains(STARTING_THREAD)) {
      return new ThreadRecorder(this, thread, 0, 0);
    }
    if (threadsLive.incrementAndGet() > threadLimit) {
      threadsLive.decrementAndGet();
      threadsRefused.incrementAndGet();
      return new ThreadRecorder(this, thread, 0, 0);
    }
    ThreadRecorder recorder =
        new ThreadRecorder(this, thread, threadIds.getAndIncrement(), ringSamples);
    recorders.add(recorder);
    return recorder;
  }

  /** Called by threads that begin a trace: the first of {@code count} ids that are theirs. */
  long takeTraceIds(int count) {
    return traceIds.getAndAdd(count);
  }

  /** The recorders there are now, for their names and numbers. */
  public List<ThreadRecorder> threads() {
    return new ArrayList<>(recorders);
  }

  /**
   * Moves all finished samples and traces to the sinks.
   *
   * @return how full the fullest ring was, in thousandths: come sooner when this is high
   */
  public int drain(SampleSink samples, TraceSink traces) {
    int fullest = 0;
    for (Iterator<ThreadRecorder> all = recorders.iterator(); all.hasNext(); ) {
      ThreadRecorder recorder = all.next();
      // Asked before draining: what a dead thread wrote is all there.
      boolean abandoned = recorder.isAbandoned();
      fullest = Math.max(fullest, recorder.drain(samples, traces, settled));
      if (abandoned) {
        recorder.addDropsTo(settled);
        all.remove();
        Recorder.vacate(recorder);
        threadsLive.decrementAndGet();
      }
    }
    return fullest;
  }

  /** Exact sums over all threads, dead ones included, of what was drained or dropped so far. */
  public Totals totals() {
    Totals sum = new Totals();
    sum.add(settled);
    for (ThreadRecorder recorder : recorders) {
      recorder.addDropsTo(sum);
    }
    return sum;
  }

  /** Threads that were not recorded because there were too many. */
  public int threadsRefused() {
    return threadsRefused.get();
  }
}
