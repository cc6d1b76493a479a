package org.fedometer.aspects.recorder;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The record of one thread of Fedora: a ring of starts and ends, the open stages, and exact sums of
 * samples dropped by a full ring.
 *
 * <p>Two threads use it. The <em>owner</em> calls the package-private methods above the line
 * through {@link Recorder}; it never waits. It writes one word (time, stage, kind) at the start of
 * a stage and one at its end. The <em>drainer</em> calls the methods below the line. It turns words
 * into samples with a {@link DrainedStack}, so that Fedora's thread need not compute duration and
 * self time. Besides the clock, the cost of a timed call is its number of instructions; writing
 * whole samples needed half as many again.
 *
 * <p>Visibility: the owner writes a word, then {@code written}, which is a release. The drainer
 * reads {@code written} first, and so sees every word below it. The drainer writes {@code
 * wordsRead} after reading words, which allows the owner to overwrite them. In the same way a
 * {@link TraceRing} hands over traces, and {@code samplesDropped} {@code droppedTotals}. Each of
 * these numbers has one writer.
 *
 * <p>A stage begins in the ring only if its end, and those of all stages around it, also fit.
 * Otherwise the owner keeps the start. If space becomes free before the stage ends, it is recorded
 * after all. If not, it is dropped, counted and summed. Its duration is then handed over with the
 * end of the surrounding stage, whose self time stays correct.
 *
 * <p>Woven code calls enter and exit in pairs, but a {@link StackOverflowError} inside advice, or a
 * switch in between, can break a pair. An exit of a deeper stage closes it and discards the stages
 * above; an exit without a match is ignored.
 */
public final class ThreadRecorder {

  /**
   * Limit of stages open at once; deeper ones are counted as skipped and belong to their caller's
   * self time.
   */
  static final int DEPTH_LIMIT = 64;

  /** Reserved for each open stage in the ring: dropped children, and its end. */
  private static final int WORDS_TO_CLOSE = 2;

  /** Free words with which any stage can begin without the slow path. */
  private static final int WORDS_FOR_FAST_PATH = 1 + DEPTH_LIMIT * WORDS_TO_CLOSE;

  private static final int WORDS_PER_SAMPLE = 2;

  /** A root alone: its trace, its start, and its end. */
  private static final int MIN_WORDS = 4;

  /** Words between two updates by which the drainer frees space. */
  private static final int WORDS_PER_READ_UPDATE = 512;

  /** Flag in {@link #open}: the end of this stage needs the slow path. */
  private static final int SLOW_EXIT = 1 << 30;

  /** Below the root in {@link #open}; no stage. */
  private static final int NO_STAGE = -2;

  private static final int TOTALS_WORDS = 4;
  private static final int TOTALS_COUNT = 0;
  private static final int TOTALS_FAILED = 1;
  private static final int TOTALS_NANOS = 2;

  /** Trace ids that a thread reserves at a time, to limit contention. */
  private static final int TRACE_ID_BLOCK = 64;

  private static final int OBJECT_BYTES = 16;

  /** The fields of this object and of its parts, and the thread-local that refers to it. */
  private static final int FIELD_BYTES = 660;

  /**
   * A release: a thread that reads {@code written} sees the words written before. On processors
   * that keep stores in order, it costs as much as a plain store.
   */
  private static final AtomicLongFieldUpdater<ThreadRecorder> WRITTEN =
      AtomicLongFieldUpdater.newUpdater(ThreadRecorder.class, "written");

  private final Recording recording;
  private final Thread owner;
  private final Recorder.RecorderHolder holder;
  private final String threadName;
  private final int threadId;

  /**
   * The owner while its stages are recorded, else {@code null}; {@link Recorder} reads it at every
   * stage.
   */
  volatile Thread activeThread;

  // Owner only.

  /** Open stages, from index 1; the root's is special. */
  private final int[] open = new int[1 + DEPTH_LIMIT];

  /** Index behind the innermost open stage. */
  private int top = 1;

  /**
   * Number of written words below which a stage can begin without the slow path: space is free, a
   * root is open, and all open stages are in the ring.
   */
  private long fastPathLimit;

  /** Number of innermost open stages that are not in the ring, and their start times. */
  private int pendingCount;

  private final long[] pendingStartNanos = new long[1 + DEPTH_LIMIT];

  /** Time of dropped children, per open stage. */
  private final long[] droppedChildren = new long[1 + DEPTH_LIMIT];

  private final int[] skippedByStage = new int[Stages.LIMIT];
  private int skippedOpen;
  private int epoch;

  /** A multiple of the block minus one requires a new block. */
  private long traceId = -1;

  private boolean traceFailed;

  /** Operations of Fedora in progress: the first one of the trace and those nested in it. */
  private int operationsOpen;

  private boolean operationBegun;
  private boolean changeBegun;
  private String pid;
  private String traceparent;
  private String operation;

  /** Kept beside the shared counters: the stack may be too full for that call. */
  private long dropped;

  private long skipped;

  // Written by the owner, read by the drainer.
  private final long[] words;
  private volatile long written;
  private final long[] droppedTotals = new long[Stages.LIMIT * TOTALS_WORDS];
  private final AtomicLong samplesDropped = new AtomicLong();
  private final AtomicLong stagesSkipped = new AtomicLong();

  // Written by the drainer, read by the owner.
  private final AtomicLong wordsRead = new AtomicLong();

  private final TraceRing traces;

  /** Drainer only. */
  private final DrainedStack drained = new DrainedStack();

  /**
   * @param ringSamples capacity of the ring in samples, a power of two, see {@link Recording}
   */
  ThreadRecorder(
      Recording recording,
      Thread owner,
      Recorder.RecorderHolder holder,
      int threadId,
      int ringSamples) {
    this.recording = recording;
    this.owner = owner;
    this.holder = holder;
    this.threadName = owner.getName();
    this.threadId = threadId;
    this.open[0] = NO_STAGE;
    this.words = new long[ringWords(ringSamples)];
    this.traces = new TraceRing(ringTraces(ringSamples));
  }

  /**
   * Returns the maximum size of a recorder, without the texts of traces, which belong to Fedora.
   */
  static long bytes(int ringSamples) {
    long arrays =
        (long) Integer.BYTES * (1 + DEPTH_LIMIT + Stages.LIMIT + DEPTH_LIMIT)
            + (long) Long.BYTES
                * (2 * (1 + DEPTH_LIMIT) + 2 * DEPTH_LIMIT + Stages.LIMIT * TOTALS_WORDS)
            + (long) Long.BYTES * ringWords(ringSamples)
            + TraceRing.arrayBytes(ringTraces(ringSamples));
    int arrayCount = 11;
    return FIELD_BYTES + (long) OBJECT_BYTES * arrayCount + arrays;
  }

  private static int ringWords(int ringSamples) {
    return Math.max(MIN_WORDS, ringSamples * WORDS_PER_SAMPLE);
  }

  private static int ringTraces(int ringSamples) {
    return Math.max(ringSamples / 4, 1);
  }

  // --- The owner ---

  Thread owner() {
    return owner;
  }

  Recorder.RecorderHolder holder() {
    return holder;
  }

  int epoch() {
    return epoch;
  }

  /** Discards every open stage: recording has been off, so their starts are stale. */
  void beginEpoch(int newEpoch) {
    epoch = newEpoch;
    top = 1;
    fastPathLimit = 0;
    pendingCount = 0;
    Arrays.fill(droppedChildren, 0);
    forgetSkipped();
  }

  void enter(int stage, long nowNanos) {
    long at = written;
    int frame = top;
    if (at >= fastPathLimit || frame >= open.length || stage < 0) {
      slowPath(stage, nowNanos, RingWord.ENTER);
      return;
    }
    long[] ring = words;
    ring[(int) at & ring.length - 1] =
        nowNanos << RingWord.NUMBER_SHIFT | stage << RingWord.STAGE_SHIFT;
    WRITTEN.lazySet(this, at + 1);
    // After all calls: a StackOverflowError in one of them must leave the stack unchanged.
    open[frame] = stage;
    top = frame + 1;
  }

  /**
   * @param kind {@link RingWord#EXIT} or {@link RingWord#FAIL}
   */
  void exit(int stage, long nowNanos, int kind) {
    int frame = top - 1;
    if (open[frame] != stage) {
      slowPath(stage, nowNanos, kind);
      return;
    }
    long at = written;
    long[] ring = words;
    ring[(int) at & ring.length - 1] =
        nowNanos << RingWord.NUMBER_SHIFT | stage << RingWord.STAGE_SHIFT | kind;
    WRITTEN.lazySet(this, at + 1);
    top = frame;
  }

  void notePid(String noted) {
    if (top != 1 && noted != null) {
      pid = noted;
    }
  }

  void noteTraceparent(String noted) {
    if (top != 1 && noted != null) {
      traceparent = noted;
    }
  }

  void noteOperation(String noted) {
    if (top != 1 && noted != null) {
      operation = noted;
    }
  }

  void noteFailure() {
    traceFailed = true;
  }

  void operationBegins(String noted, String notedPid, boolean changes) {
    if (operationsOpen > 0) {
      operationsOpen++;
    } else if (top != 1 && (changes || !operationBegun)) {
      operationsOpen = 1;
      operationBegun = true;
      if (!changeBegun) {
        changeBegun = changes;
        traceFailed = false;
        noteOperation(noted);
        notePid(notedPid);
      }
    }
  }

  void operationEnds(boolean failed) {
    if (operationsOpen > 0 && --operationsOpen == 0 && failed) {
      traceFailed = true;
    }
  }

  /** Returns 0 while no stage is open. */
  long currentTraceId() {
    return top == 1 ? 0 : traceId;
  }

  /**
   * Handles all other cases: a root, lack of space, a broken pair, too many open stages.
   *
   * <p>One method on purpose: HotSpot inlines none of more than 325 bytecodes. If this one were
   * inlined too, woven code would grow so large that a timed call costs 1.7 instead of 1.3 times
   * two clock readings ({@code bench agent-overhead}; machines differ).
   */
  private void slowPath(int stage, long nowNanos, int kind) {
    if (stage < 0) {
      return;
    }
    if (kind == RingWord.ENTER) {
      int frame = top;
      if (frame == open.length) {
        skippedByStage[stage]++;
        skippedOpen++;
        open[frame - 1] |= SLOW_EXIT;
        stagesSkipped.lazySet(++skipped);
        return;
      }
      if (frame == 1) {
        // Stored once it is the thread's own: the stack may be too full for the call.
        long next = traceId + 1;
        traceId = next % TRACE_ID_BLOCK == 0 ? recording.reserveTraceIds(TRACE_ID_BLOCK) : next;
        traceFailed = false;
        operationsOpen = 0;
        operationBegun = false;
        changeBegun = false;
        pid = null;
        traceparent = null;
        operation = null;
      }
      open[frame] = stage | SLOW_EXIT;
      pendingStartNanos[frame] = nowNanos;
      top = frame + 1;
      pendingCount++;
      try {
        writePending();
      } catch (StackOverflowError full) {
        if (frame == 1) {
          // Its end would not fit either, and later stages would seem to be part of it.
          top = 1;
          pendingCount = 0;
        }
        throw full;
      }
      return;
    }
    boolean failed = kind == RingWord.FAIL;
    if (skippedOpen != 0 && skippedByStage[stage] != 0) {
      skippedByStage[stage]--;
      skippedOpen--;
      return;
    }
    int frame = lastOpen(stage);
    if (frame == 0) {
      return;
    }
    discardAbove(frame);
    if (pendingCount > 0) {
      writePending();
    }
    top = frame;
    if (frame == 1) {
      // The next stage is a root, even if one of the calls below overflows the stack.
      fastPathLimit = 0;
    }
    long childrenNanos = droppedChildren[frame];
    droppedChildren[frame] = 0;
    if (pendingCount > 0) {
      pendingCount--;
      long durationNanos = nowNanos - pendingStartNanos[frame];
      int total = stage * TOTALS_WORDS;
      droppedTotals[total + TOTALS_COUNT]++;
      droppedTotals[total + TOTALS_NANOS] += durationNanos;
      if (failed) {
        droppedTotals[total + TOTALS_FAILED]++;
      }
      samplesDropped.lazySet(++dropped);
      if (frame > 1) {
        droppedChildren[frame - 1] += durationNanos;
        open[frame - 1] |= SLOW_EXIT;
      }
    } else {
      if (childrenNanos != 0) {
        write(childrenNanos, 0, RingWord.DROPPED_CHILDREN);
      }
      write(nowNanos, stage, kind);
    }
    if (frame == 1) {
      traces.write(traceId, stage, failed || traceFailed, pid, traceparent, operation);
    }
  }

  /**
   * Returns the topmost open frame of this stage, or 0. Frames above it have lost their exits and
   * are discarded when it closes.
   */
  private int lastOpen(int stage) {
    int frame = top - 1;
    while (frame > 0 && (open[frame] & ~SLOW_EXIT) != stage) {
      frame--;
    }
    return frame;
  }

  private void discardAbove(int frame) {
    for (int above = frame + 1; above < top; above++) {
      droppedChildren[above] = 0;
    }
    pendingCount = Math.max(0, pendingCount - (top - 1 - frame));
    top = frame + 1;
    forgetSkipped();
  }

  /** Writes open stages that did not fit before to the ring, all or none. */
  private void writePending() {
    int first = top - pendingCount;
    long tail = wordsRead.get();
    long needed =
        (first == 1 ? 1 : 0) + pendingCount * (1L + WORDS_TO_CLOSE) + (first - 1L) * WORDS_TO_CLOSE;
    if (written + needed > tail + words.length) {
      fastPathLimit = 0;
      return;
    }
    if (first == 1) {
      write(traceId, 0, RingWord.TRACE);
    }
    for (int frame = first; frame < top; frame++) {
      int stage = open[frame] & ~SLOW_EXIT;
      write(pendingStartNanos[frame], stage, RingWord.ENTER);
      open[frame] = frame == 1 || droppedChildren[frame] != 0 ? stage | SLOW_EXIT : stage;
    }
    pendingCount = 0;
    fastPathLimit = tail + words.length - WORDS_FOR_FAST_PATH;
  }

  private void write(long number, int stage, int kind) {
    long at = written;
    words[(int) at & words.length - 1] =
        number << RingWord.NUMBER_SHIFT | stage << RingWord.STAGE_SHIFT | kind;
    WRITTEN.lazySet(this, at + 1);
  }

  private void forgetSkipped() {
    if (skippedOpen != 0) {
      Arrays.fill(skippedByStage, 0);
      // Last: if the stack is too full for the call, the next end of a stage clears them.
      skippedOpen = 0;
    }
  }

  // --- The drainer ---

  /** Returns the number of this thread within the recording. */
  public int threadId() {
    return threadId;
  }

  /** Returns the thread's name at its first stage. */
  public String threadName() {
    return threadName;
  }

  /** Any thread. */
  boolean isDrained() {
    return wordsRead.get() == written && traces.isDrained();
  }

  /** Returns whether the thread has ended, so that nothing more enters the rings. */
  boolean isOwnerDead() {
    return !owner.isAlive();
  }

  /**
   * Moves the content of the rings to the sinks, and adds the samples up.
   *
   * @param nowNanos a time within 100 days of those in the ring
   * @return fill of the ring, in thousandths
   */
  int drain(SampleSink sampleSink, TraceSink traceSink, StageSums sums, long nowNanos) {
    long end = written;
    long read = wordsRead.get();
    int fill = (int) ((end - read) * 1000 / words.length);
    try {
      while (read < end) {
        long word = words[(int) read & words.length - 1];
        read++;
        if (read % WORDS_PER_READ_UPDATE == 0) {
          wordsRead.lazySet(read);
        }
        drained.accept(word, threadId, sampleSink, sums, nowNanos);
      }
    } finally {
      // A failing sink has received its sample: none is sent twice.
      wordsRead.lazySet(read);
    }
    traces.drain(traceSink);
    return fill;
  }

  /** Adds the dropped samples to {@code into}; exact and complete once the thread is dead. */
  void addDropsTo(StageSums into) {
    into.samplesDropped += samplesDropped.get();
    into.tracesDropped += traces.dropped();
    into.stagesSkipped += stagesSkipped.get();
    for (int stage = 0; stage < Stages.LIMIT; stage++) {
      int total = stage * TOTALS_WORDS;
      into.count[stage] += droppedTotals[total + TOTALS_COUNT];
      into.failed[stage] += droppedTotals[total + TOTALS_FAILED];
      into.durationNanos[stage] += droppedTotals[total + TOTALS_NANOS];
    }
  }
}
