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
 * All data recorded between one attach and its end: one {@link ThreadRecorder} for each of Fedora's
 * threads that met a stage.
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
 * <p>Three kinds of threads call it. Fedora's threads call through {@link Recorder}: for their
 * recorder after each switch-on, for more trace ids, and, without a recorder, at each stage to
 * request one. The thread that switches recording off calls {@link #unregisterThreads}. The
 * <em>drainer</em>, one thread at a time, empties the rings and adds up. All state is atomic,
 * volatile or in a concurrent queue, except the drainer's own sums; each method names its thread.
 *
 * <p>The recorder of a dead thread is drained once more, its sums are kept, and it is released with
 * its thread.
 *
 * <p>Memory is bounded: {@link #bytesPerThread} for each of at most {@code threadLimit} threads at
 * once. Further threads are counted, not recorded. If the JVM has no memory for one more, no new
 * thread is admitted for {@value #REGISTRATION_PAUSE_SECONDS} s.
 */
public final class Recording {

  /**
   * Name part of Tomcat's threads that start and stop web applications. Before any other thread
   * works, Fedora ingests its system objects there: those are excluded. At shutdown it writes its
   * last triples: those are kept.
   */
  private static final String STARTING_THREAD = "startStop";

  static final int REGISTRATION_PAUSE_SECONDS = 10;

  /** A multiple of every thread's block of ids; 0 would mean no trace. */
  private static final long FIRST_TRACE_ID = 64;

  private static final AtomicLong NUMBERS = new AtomicLong();

  /** Signature of the {@link ThreadRecorder} constructor; a test's factory may fail. */
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

  /** Drainer only: all samples drained so far, and the drops of dead threads. */
  private final StageSums drainedSums = new StageSums();

  private final int ringSamples;
  private final int threadLimit;
  private final RecorderFactory factory;
  private final LongSupplier nanoClock;
  private volatile boolean registrationPaused;
  private volatile long registrationPausedUntilNanos;

  /**
   * @param ringSamples approximate samples per thread between two drains, a power of two from 2 to
   *     1,048,576. The ring has twice as many words: a sample needs two, each trace one more, and
   *     each open stage reserves two for its end.
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
              + " samples is invalid; give a power of two from 2 to "
              + (1 << 20)
              + ", for example 4096");
    }
    if (threadLimit < 1) {
      throw new IllegalArgumentException(
          "thread limit " + threadLimit + " is too low; give at least 1");
    }
    this.ringSamples = ringSamples;
    this.threadLimit = threadLimit;
    this.factory = factory;
    this.nanoClock = nanoClock;
  }

  /**
   * Returns an upper bound of the memory per recorded thread, in bytes. Excludes the texts of
   * traces (at most one in four samples has any), which belong to Fedora.
   */
  public static long bytesPerThread(int ringSamples) {
    return ThreadRecorder.bytes(ringSamples);
  }

  /**
   * Returns the current memory of all threads, in bytes; see {@link #bytesPerThread}. Any thread.
   */
  public long memoryBytes() {
    return liveThreads.get() * bytesPerThread(ringSamples);
  }

  /** Returns the number of threads recorded now; any thread. */
  public int liveThreads() {
    return liveThreads.get();
  }

  /**
   * Returns a number unique in the JVM, which identifies this recording without retaining it; any
   * thread.
   */
  long number() {
    return number;
  }

  /**
   * Called on the thread itself at its first stage since recording was switched on.
   *
   * @return {@code null} if this thread is not to be recorded
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

  /** Pauses registration after the JVM had no memory for the calling thread's recorder. */
  void pauseRegistration() {
    threadsRefused.incrementAndGet();
    registrationPausedUntilNanos =
        nanoClock.getAsLong() + TimeUnit.SECONDS.toNanos(REGISTRATION_PAUSE_SECONDS);
    registrationPaused = true;
  }

  /**
   * Returns whether no new thread is admitted now; called by threads without a recorder, at each
   * stage.
   */
  boolean isRegistrationPaused() {
    if (registrationPaused && nanoClock.getAsLong() - registrationPausedUntilNanos >= 0) {
      registrationPaused = false;
    }
    return registrationPaused;
  }

  /** Detaches all threads from their recorders when recording is switched off. */
  void unregisterThreads() {
    for (ThreadRecorder recorder : recorders) {
      Recorder.unregister(recorder);
    }
  }

  /** Returns the first of {@code count} ids reserved for the caller. */
  long reserveTraceIds(int count) {
    return traceIds.getAndAdd(count);
  }

  /** Returns the current recorders, for their names and numbers; drainer only. */
  public List<ThreadRecorder> threads() {
    return new ArrayList<>(recorders);
  }

  /**
   * Moves all finished samples and traces to the sinks; drainer only.
   *
   * @return fill of the fullest ring, in thousandths: drain sooner if it is high
   */
  public int drain(SampleSink samples, TraceSink traces) {
    int fullest = 0;
    long nowNanos = System.nanoTime();
    for (Iterator<ThreadRecorder> all = recorders.iterator(); all.hasNext(); ) {
      ThreadRecorder recorder = all.next();
      // Checked before draining: a dead thread has written everything.
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

  /** Returns whether everything written so far is drained; any thread. */
  public boolean isDrained() {
    for (ThreadRecorder recorder : recorders) {
      if (!recorder.isDrained()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns exact sums of everything drained or dropped so far, including dead threads; drainer
   * only.
   */
  public StageSums totals() {
    StageSums sum = new StageSums();
    sum.add(drainedSums);
    for (ThreadRecorder recorder : recorders) {
      recorder.addDropsTo(sum);
    }
    return sum;
  }

  /** Returns how often a thread was rejected by the limit or for lack of memory; any thread. */
  public int threadsRefused() {
    return threadsRefused.get();
  }
}
