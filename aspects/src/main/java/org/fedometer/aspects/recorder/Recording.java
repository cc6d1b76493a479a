package org.fedometer.aspects.recorder;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * All that is recorded between one attach and its end: one {@link ThreadRecorder} for each of
 * Fedora's threads that met a stage.
 *
 * <p>Example use, by an agent:
 *
 * <pre>{@code
 * Recording recording = new Recording(2048, 100);
 * Recorder.start(recording); // woven code on any thread records from now on
 * recording.drain(samples, traces); // again and again, on the drainer's thread
 * Recorder.stop();
 * recording.drain(samples, traces); // what was still in the rings
 * StageSums totals = recording.totals(); // exact, dropped samples included
 * }</pre>
 *
 * <p>Three kinds of threads meet here. Fedora's come through {@link Recorder}: for their recorder,
 * each time recording was switched on; for more ids of traces; and, where they have no recorder,
 * with each stage, to ask whether they may have one now. Whoever switches recording off calls
 * {@link #unregisterThreads}. The <em>drainer</em> empties the rings and adds up, one thread at a
 * time. So all state is atomic, volatile or in a concurrent queue, but the sums that are the
 * drainer's alone; each method says whose it is.
 *
 * <p>The recorder of a thread that died is emptied once more, its sums are kept, and it is let go,
 * and the thread with it.
 *
 * <p>Memory is bounded: {@link #bytesPerThread} for each of at most {@code threadLimit} threads at
 * once. Threads past the limit are not recorded, and counted. If the JVM has no memory for one
 * more, nobody new is admitted for {@value #REGISTRATION_PAUSE_SECONDS} s.
 */
public final class Recording {

  /**
   * Tomcat starts and stops its webapps on threads named so. At the start Fedora ingests its own
   * system objects there, before any other thread works: those are left out. At the stop it writes
   * its last triples: those are kept.
   */
  private static final String STARTING_THREAD = "startStop";

  static final int REGISTRATION_PAUSE_SECONDS = 10;

  /** A multiple of every thread's block of ids; 0 would mean no trace. */
  private static final long FIRST_TRACE_ID = 64;

  private static final AtomicLong NUMBERS = new AtomicLong();

  /** As the constructor of {@link ThreadRecorder}; a test's may fail. */
  interface RecorderFactory {
    ThreadRecorder create(
        Recording recording,
        Thread owner,
        Recorder.RecorderHolder holder,
        int threadId,
        int ringSamples);
  }

  private final long number = NUMBERS.incrementAndGet();
  private final ConcurrentLinkedQueue<ThreadRecorder> recorders = new ConcurrentLinkedQueue<>();
  private final AtomicInteger liveThreads = new AtomicInteger();
  private final AtomicInteger threadIds = new AtomicInteger();
  private final AtomicInteger threadsRefused = new AtomicInteger();
  private final AtomicLong traceIds = new AtomicLong(FIRST_TRACE_ID);

  /** The drainer's: all samples drained so far, and the drops of threads that are dead. */
  private final StageSums drainedSums = new StageSums();

  private final int ringSamples;
  private final int threadLimit;
  private final RecorderFactory factory;
  private final LongSupplier nanoClock;
  private volatile boolean registrationPaused;
  private volatile long registrationPausedUntilNanos;

  /**
   * @param ringSamples about how many samples each thread can hold until the drainer comes, a power
   *     of two from 2 to 1,048,576: there is room for twice as many words, of which a sample takes
   *     two, each trace one more, and each stage that is open keeps two free for its end
   * @param threadLimit threads recorded at once, at least 1
   */
  public Recording(int ringSamples, int threadLimit) {
    this(ringSamples, threadLimit, ThreadRecorder::new, System::nanoTime);
  }

  Recording(int ringSamples, int threadLimit, RecorderFactory factory, LongSupplier nanoClock) {
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
    this.factory = factory;
    this.nanoClock = nanoClock;
  }

  /**
   * What is held for each thread that is recorded, in bytes, rounded up; the texts of its traces
   * (at most one in four samples has any) are Fedora's own and not in it.
   */
  public static long bytesPerThread(int ringSamples) {
    return ThreadRecorder.bytes(ringSamples);
  }

  /** What is held now for all threads, in bytes; see {@link #bytesPerThread}. Any thread. */
  public long memoryBytes() {
    return liveThreads.get() * bytesPerThread(ringSamples);
  }

  /** Threads that are recorded now; any thread. */
  public int liveThreads() {
    return liveThreads.get();
  }

  /** Tells this recording from all others of the JVM, without keeping it; any thread. */
  long number() {
    return number;
  }

  /**
   * Called on the thread itself when it meets its first stage since recording was switched on.
   *
   * @return {@code null} when this thread is not to be recorded
   */
  ThreadRecorder recorderOf(Thread thread, Recorder.RecorderHolder holder) {
    for (ThreadRecorder known : recorders) {
      if (known.owner() == thread) {
        return known;
      }
    }
    if (threadIds.get() == 0 && thread.getName().contains(STARTING_THREAD)) {
      return null;
    }
    if (liveThreads.incrementAndGet() > threadLimit) {
      liveThreads.decrementAndGet();
      threadsRefused.incrementAndGet();
      return null;
    }
    boolean admitted = false;
    try {
      ThreadRecorder recorder =
          factory.create(this, thread, holder, threadIds.getAndIncrement(), ringSamples);
      recorders.add(recorder);
      admitted = true;
      return recorder;
    } finally {
      if (!admitted) {
        liveThreads.decrementAndGet();
      }
    }
  }

  /** The JVM had no memory for the calling thread's recorder: nobody new for a while. */
  void pauseRegistration() {
    threadsRefused.incrementAndGet();
    registrationPausedUntilNanos =
        nanoClock.getAsLong() + TimeUnit.SECONDS.toNanos(REGISTRATION_PAUSE_SECONDS);
    registrationPaused = true;
  }

  /** Whether no new thread is admitted now; asked by threads without a recorder, at each stage. */
  boolean isRegistrationPaused() {
    if (registrationPaused && nanoClock.getAsLong() - registrationPausedUntilNanos >= 0) {
      registrationPaused = false;
    }
    return registrationPaused;
  }

  /** Recording is off: no thread shall find its recorder, nor keep it. */
  void unregisterThreads() {
    for (ThreadRecorder recorder : recorders) {
      Recorder.unregister(recorder);
    }
  }

  /** The first of {@code count} ids that are the caller's. */
  long reserveTraceIds(int count) {
    return traceIds.getAndAdd(count);
  }

  /** The recorders there are now, for their names and numbers; the drainer's. */
  public List<ThreadRecorder> threads() {
    return new ArrayList<>(recorders);
  }

  /**
   * Moves all finished samples and traces to the sinks; the drainer's.
   *
   * @return how full the fullest ring was, in thousandths: come sooner when this is high
   */
  public int drain(SampleSink samples, TraceSink traces) {
    int fullest = 0;
    long nowNanos = System.nanoTime();
    for (Iterator<ThreadRecorder> all = recorders.iterator(); all.hasNext(); ) {
      ThreadRecorder recorder = all.next();
      // Asked before draining: what a dead thread wrote is all there.
      boolean abandoned = recorder.isOwnerDead();
      fullest = Math.max(fullest, recorder.drain(samples, traces, drainedSums, nowNanos));
      if (abandoned) {
        recorder.addDropsTo(drainedSums);
        all.remove();
        Recorder.unregister(recorder);
        liveThreads.decrementAndGet();
      }
    }
    return fullest;
  }

  /** Whether all that threads have written so far is drained; any thread. */
  public boolean isDrained() {
    for (ThreadRecorder recorder : recorders) {
      if (!recorder.isDrained()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Exact sums over all threads, dead ones included, of what was drained or dropped so far; the
   * drainer's.
   */
  public StageSums totals() {
    StageSums sum = new StageSums();
    sum.add(drainedSums);
    for (ThreadRecorder recorder : recorders) {
      recorder.addDropsTo(sum);
    }
    return sum;
  }

  /** How often a thread was past the limit, or there was no memory for it; any thread. */
  public int threadsRefused() {
    return threadsRefused.get();
  }
}
