package org.fedometer.aspects.recorder;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * What one thread of Fedora records: a ring of what begins and ends, the stages that are open, and
 * exact sums of those that found the ring full.
 *
 * <p>Two threads meet here. The <em>owner</em> calls the package-private methods above the line,
 * through {@link Recorder}; it never waits. It writes one word when a stage begins and one when it
 * ends: the time, the stage, and what happened. The <em>drainer</em> calls the methods below the
 * line; it keeps a stack of its own and makes samples of the words, so that total and own time are
 * not worked out on Fedora's thread. Beside the clock, the number of instructions is what a timed
 * call costs; whole samples took half as many again.
 *
 * <p>Who sees what: the owner writes a word, then {@code written}, which is a release; the drainer
 * reads {@code written} first, and so sees every word below it. {@code wordsRead}, which the
 * drainer writes when it has taken words, tells the owner over which of them it may write. In the
 * same way {@code tracesWritten} hands over the keys and texts of traces, and {@code tracesRead}
 * their places; {@code samplesDropped} hands over {@code droppedTotals}. Each of these numbers has
 * one writer.
 *
 * <p>A stage begins in the ring only if its end, and those of all stages around it, have room there
 * too. Where they have not, the owner keeps the beginning for itself. If there is room again before
 * the stage ends, it is recorded after all; otherwise it is dropped, counted and summed, and its
 * time is handed over with the end of the stage around it, whose own time so stays right.
 *
 * <p>Enter and exit come in pairs from woven code, but a {@link StackOverflowError} inside advice,
 * or a switch thrown in between, can break a pair. An exit whose stage lies deeper in the stack
 * closes it and discards what is above; an exit without any match is ignored.
 */
public final class ThreadRecorder {

  /**
   * How many stages can be open at once; deeper ones are counted as skipped and belong to their
   * caller's own time.
   */
  static final int DEPTH_LIMIT = 64;

  /** Longer texts are cut: they come from Fedora's clients. */
  static final int TEXT_LIMIT = 512;

  // A word of the ring: a number of 54 bits, the stage (7 bits), the kind (3 bits). Times lose
  // their upper bits: the drainer knows them, it comes within 100 days.
  private static final int NUMBER_SHIFT = 10;
  private static final int STAGE_SHIFT = 3;
  private static final int STAGE_MASK = Stages.LIMIT - 1;
  private static final int KIND_MASK = (1 << STAGE_SHIFT) - 1;

  /** A stage begins; the number is the time. */
  private static final int ENTER = 0;

  /** A stage ends normally, or by an exception; the number is the time. */
  static final int EXIT = 1;

  static final int FAIL = 2;

  /** The next word begins a root; the number is the trace's id. */
  private static final int TRACE = 3;

  /** Nanoseconds that dropped children took of the stage whose end comes next. */
  private static final int DROPPED_CHILDREN = 4;

  /** Kept free for each stage that is open in the ring: dropped children, and its end. */
  private static final int WORDS_TO_CLOSE = 2;

  /** With this many words free any stage can begin without a closer look. */
  private static final int WORDS_FOR_ANY = 1 + DEPTH_LIMIT * WORDS_TO_CLOSE;

  private static final int WORDS_PER_SAMPLE = 2;

  /** A root alone: its trace, its beginning, and its end. */
  private static final int LEAST_WORDS = 4;

  /** The drainer gives room back so often. */
  private static final int WORDS_PER_RETURN = 512;

  /** In {@link #open}: a closer look is needed when this stage ends. */
  private static final int SPECIAL = 1 << 30;

  /** Below the root in {@link #open}; no stage. */
  private static final int GROUND = -2;

  private static final int TRACE_TEXTS = 3;

  private static final int TOTALS_WORDS = 4;
  private static final int TOTALS_COUNT = 0;
  private static final int TOTALS_FAILED = 1;
  private static final int TOTALS_NANOS = 2;

  /** A trace's key is its id (52 bits), root stage (11 bits), failed (1 bit). */
  private static final int KEY_STAGE_SHIFT = 1;

  private static final int KEY_TRACE_SHIFT = 12;
  private static final int KEY_STAGE_MASK = (1 << (KEY_TRACE_SHIFT - KEY_STAGE_SHIFT)) - 1;

  /** How many trace ids a thread takes at a time, so that threads seldom meet there. */
  private static final int TRACE_ID_BLOCK = 64;

  private static final int OBJECT_BYTES = 16;
  private static final int REFERENCE_BYTES = 8;

  /** This object's fields, its atomic numbers, and the thread-local that leads here. */
  private static final int FIELD_BYTES = 600;

  /**
   * A release: who reads {@code written} sees the words that were written before it. Where the
   * processor keeps stores in order, it costs what a plain store does.
   */
  private static final AtomicLongFieldUpdater<ThreadRecorder> WRITTEN =
      AtomicLongFieldUpdater.newUpdater(ThreadRecorder.class, "written");

  private final Recording recording;
  private final Thread owner;
  private final Recorder.Place place;
  private final String threadName;
  private final int threadId;

  /**
   * The owner while its stages shall be recorded, else {@code null}; asked with every stage, by
   * {@link Recorder}.
   */
  volatile Thread seatedThread;

  // The owner's alone.

  /** Stages that are open, from index 1; the root's is special. */
  private final int[] open = new int[1 + DEPTH_LIMIT];

  /** Index behind the innermost open stage. */
  private int top = 1;

  /**
   * Below this many words written a stage can begin without a closer look: there is room, a root is
   * open, and all open stages are in the ring.
   */
  private long easyUntil;

  /** How many of the innermost open stages are not in the ring, and when they began. */
  private int waiting;

  private final long[] waitingSince = new long[1 + DEPTH_LIMIT];

  /** What dropped children took of each open stage. */
  private final long[] droppedChildren = new long[1 + DEPTH_LIMIT];

  private final int[] skippedByStage = new int[Stages.LIMIT];
  private int skippedOpen;
  private int epoch;

  /** A multiple of the block minus one asks for a new block. */
  private long traceId = -1;

  private boolean traceFailed;

  /** Operations of Fedora's that are under way, of the first one of the trace and those within. */
  private int operationsOpen;

  private boolean operationBegun;
  private boolean changeBegun;
  private String pid;
  private String traceparent;
  private String operation;
  private long traceHead;
  private long traceTailSeen;

  // Written by the owner, read by the drainer.
  private final long[] words;
  private volatile long written;
  private final long[] droppedTotals = new long[Stages.LIMIT * TOTALS_WORDS];
  private final long[] traceKeys;
  private final String[] traceTexts;
  private final int traceMask;
  private final AtomicLong samplesDropped = new AtomicLong();
  private final AtomicLong tracesWritten = new AtomicLong();
  private final AtomicLong tracesDropped = new AtomicLong();
  private final AtomicLong stagesSkipped = new AtomicLong();

  // Written by the drainer, read by the owner.
  private final AtomicLong wordsRead = new AtomicLong();
  private final AtomicLong tracesRead = new AtomicLong();

  // The drainer's alone: what is open at the place to which it has read.
  private final int[] drainedStages = new int[DEPTH_LIMIT];
  private final long[] drainedStarts = new long[DEPTH_LIMIT];
  private final long[] drainedChildren = new long[DEPTH_LIMIT];
  private int drainedDepth;
  private long drainedTraceId;
  private long drainedDroppedChildren;

  /**
   * @param ringSamples how many samples the ring holds, a power of two, see {@link Recording}
   */
  ThreadRecorder(
      Recording recording, Thread owner, Recorder.Place place, int threadId, int ringSamples) {
    this.recording = recording;
    this.owner = owner;
    this.place = place;
    this.threadName = owner.getName();
    this.threadId = threadId;
    this.open[0] = GROUND;
    this.words = new long[ringWords(ringSamples)];
    int ringTraces = ringTraces(ringSamples);
    this.traceKeys = new long[ringTraces];
    this.traceTexts = new String[ringTraces * TRACE_TEXTS];
    this.traceMask = ringTraces - 1;
  }

  /** What a recorder holds at most, without the texts of traces, which Fedora made. */
  static long bytes(int ringSamples) {
    long arrays =
        (long) Integer.BYTES * (1 + DEPTH_LIMIT + Stages.LIMIT + DEPTH_LIMIT)
            + (long) Long.BYTES
                * (2 * (1 + DEPTH_LIMIT) + 2 * DEPTH_LIMIT + Stages.LIMIT * TOTALS_WORDS)
            + (long) Long.BYTES * ringWords(ringSamples)
            + (long) (Long.BYTES + TRACE_TEXTS * REFERENCE_BYTES) * ringTraces(ringSamples);
    int arrayCount = 11;
    return FIELD_BYTES + (long) OBJECT_BYTES * arrayCount + arrays;
  }

  private static int ringWords(int ringSamples) {
    return Math.max(LEAST_WORDS, ringSamples * WORDS_PER_SAMPLE);
  }

  private static int ringTraces(int ringSamples) {
    return Math.max(ringSamples / 4, 1);
  }

  // --- The owner
  // ---------------------------------------------------------------------------------------------------------------------

  Thread owner() {
    return owner;
  }

  /** Where the owner finds this recorder. */
  Recorder.Place place() {
    return place;
  }

  int epoch() {
    return epoch;
  }

  /** Forgets every open stage: recording has been off, their beginnings are stale. */
  void beginEpoch(int newEpoch) {
    epoch = newEpoch;
    top = 1;
    easyUntil = 0;
    waiting = 0;
    Arrays.fill(droppedChildren, 0);
    forgetSkipped();
  }

  void enter(int stage, long nowNanos) {
    long at = written;
    int frame = top;
    if (at >= easyUntil || frame >= open.length || stage < 0) {
      withCare(stage, nowNanos, ENTER);
      return;
    }
    long[] ring = words;
    ring[(int) at & ring.length - 1] = nowNanos << NUMBER_SHIFT | stage << STAGE_SHIFT;
    WRITTEN.lazySet(this, at + 1);
    // After all calls: a StackOverflowError in one of them must leave the stack as it was.
    open[frame] = stage;
    top = frame + 1;
  }

  /**
   * @param kind {@link #EXIT} or {@link #FAIL}
   */
  void exit(int stage, long nowNanos, int kind) {
    int frame = top - 1;
    if (open[frame] != stage) {
      withCare(stage, nowNanos, kind);
      return;
    }
    long at = written;
    long[] ring = words;
    ring[(int) at & ring.length - 1] = nowNanos << NUMBER_SHIFT | stage << STAGE_SHIFT | kind;
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

  /** 0 while no stage is open. */
  long currentTraceId() {
    return top == 1 ? 0 : traceId;
  }

  /**
   * Whatever is not the plain case: a root, room that is short, a broken pair, too many open.
   *
   * <p>One method on purpose: HotSpot inlines none of more than 325 bytecodes. With this one
   * inlined as well, what is woven grew so large that a timed call took 1.7 instead of 1.3 times
   * two clock readings ({@code bench agent-overhead}; machines differ).
   */
  private void withCare(int stage, long nowNanos, int kind) {
    if (stage < 0) {
      return;
    }
    if (kind == ENTER) {
      int frame = top;
      if (frame == open.length) {
        skippedByStage[stage]++;
        skippedOpen++;
        open[frame - 1] |= SPECIAL;
        stagesSkipped.lazySet(stagesSkipped.get() + 1);
        return;
      }
      if (frame == 1) {
        // Kept when it is the thread's own: the stack may be too full for the call.
        long next = traceId + 1;
        traceId = next % TRACE_ID_BLOCK == 0 ? recording.takeTraceIds(TRACE_ID_BLOCK) : next;
        traceFailed = false;
        operationsOpen = 0;
        operationBegun = false;
        changeBegun = false;
        pid = null;
        traceparent = null;
        operation = null;
      }
      open[frame] = stage | SPECIAL;
      waitingSince[frame] = nowNanos;
      top = frame + 1;
      waiting++;
      try {
        recordWaiting();
      } catch (StackOverflowError full) {
        if (frame == 1) {
          // Its end would find no room either, and what follows would be taken for a part of it.
          top = 1;
          waiting = 0;
        }
        throw full;
      }
      return;
    }
    boolean failed = kind == FAIL;
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
    if (waiting > 0) {
      recordWaiting();
    }
    top = frame;
    if (frame == 1) {
      // The next stage is a root, even if one of the calls below finds the stack full.
      easyUntil = 0;
    }
    long childrenNanos = droppedChildren[frame];
    droppedChildren[frame] = 0;
    if (waiting > 0) {
      waiting--;
      long totalNanos = nowNanos - waitingSince[frame];
      int total = stage * TOTALS_WORDS;
      droppedTotals[total + TOTALS_COUNT]++;
      droppedTotals[total + TOTALS_NANOS] += totalNanos;
      if (failed) {
        droppedTotals[total + TOTALS_FAILED]++;
      }
      samplesDropped.lazySet(samplesDropped.get() + 1);
      if (frame > 1) {
        droppedChildren[frame - 1] += totalNanos;
        open[frame - 1] |= SPECIAL;
      }
    } else {
      if (childrenNanos != 0) {
        write(childrenNanos, 0, DROPPED_CHILDREN);
      }
      write(nowNanos, stage, kind);
    }
    if (frame == 1) {
      writeTrace(
          traceId << KEY_TRACE_SHIFT | stage << KEY_STAGE_SHIFT | (failed || traceFailed ? 1 : 0));
    }
  }

  /**
   * The open frame of this stage nearest to the top, or 0. Frames above it have lost their exits;
   * they go when it closes.
   */
  private int lastOpen(int stage) {
    int frame = top - 1;
    while (frame > 0 && (open[frame] & ~SPECIAL) != stage) {
      frame--;
    }
    return frame;
  }

  private void discardAbove(int frame) {
    for (int above = frame + 1; above < top; above++) {
      droppedChildren[above] = 0;
    }
    waiting = Math.max(0, waiting - (top - 1 - frame));
    top = frame + 1;
    forgetSkipped();
  }

  /** Brings open stages that found no room into the ring, all or none. */
  private void recordWaiting() {
    int first = top - waiting;
    long tail = wordsRead.get();
    long needed =
        (first == 1 ? 1 : 0) + waiting * (1L + WORDS_TO_CLOSE) + (first - 1L) * WORDS_TO_CLOSE;
    if (written + needed > tail + words.length) {
      easyUntil = 0;
      return;
    }
    if (first == 1) {
      write(traceId, 0, TRACE);
    }
    for (int frame = first; frame < top; frame++) {
      int stage = open[frame] & ~SPECIAL;
      write(waitingSince[frame], stage, ENTER);
      open[frame] = frame == 1 || droppedChildren[frame] != 0 ? stage | SPECIAL : stage;
    }
    waiting = 0;
    easyUntil = tail + words.length - WORDS_FOR_ANY;
  }

  private void write(long number, int stage, int kind) {
    long at = written;
    words[(int) at & words.length - 1] = number << NUMBER_SHIFT | stage << STAGE_SHIFT | kind;
    WRITTEN.lazySet(this, at + 1);
  }

  private void writeTrace(long key) {
    long head = traceHead;
    if (head - traceTailSeen > traceMask) {
      traceTailSeen = tracesRead.get();
      if (head - traceTailSeen > traceMask) {
        tracesDropped.lazySet(tracesDropped.get() + 1);
        return;
      }
    }
    int at = (int) head & traceMask;
    traceKeys[at] = key;
    int texts = at * TRACE_TEXTS;
    traceTexts[texts] = pid;
    traceTexts[texts + 1] = traceparent;
    traceTexts[texts + 2] = operation;
    traceHead = head + 1;
    tracesWritten.lazySet(head + 1);
  }

  private void forgetSkipped() {
    if (skippedOpen != 0) {
      Arrays.fill(skippedByStage, 0);
      // Last: where the stack is too full for the call, the next end of a stage forgets them.
      skippedOpen = 0;
    }
  }

  // --- The drainer
  // -------------------------------------------------------------------------------------------------------------------

  /** Number of this thread within the recording. */
  public int threadId() {
    return threadId;
  }

  /** The thread's name when it first met a stage. */
  public String threadName() {
    return threadName;
  }

  /** Any thread. */
  boolean isDrained() {
    return wordsRead.get() == written && tracesRead.get() == tracesWritten.get();
  }

  /** Whether the thread is over, so that nothing can follow what is in the rings now. */
  boolean isAbandoned() {
    return !owner.isAlive();
  }

  /**
   * Moves what is in the rings to the sinks, and adds the samples up.
   *
   * @param nowNanos a time within 100 days of those in the ring
   * @return how full the ring was, in thousandths
   */
  int drain(SampleSink sampleSink, TraceSink traceSink, StageSums sums, long nowNanos) {
    long end = written;
    long read = wordsRead.get();
    int fill = (int) ((end - read) * 1000 / words.length);
    try {
      while (read < end) {
        long word = words[(int) read & words.length - 1];
        read++;
        if (read % WORDS_PER_RETURN == 0) {
          wordsRead.lazySet(read);
        }
        drainWord(word, sampleSink, sums, nowNanos);
      }
    } finally {
      // A sink that fails has had its sample: none is given twice.
      wordsRead.lazySet(read);
    }
    drainTraces(traceSink);
    return fill;
  }

  private void drainWord(long word, SampleSink sink, StageSums sums, long nowNanos) {
    int stage = (int) word >>> STAGE_SHIFT & STAGE_MASK;
    int kind = (int) word & KIND_MASK;
    long number = word >> NUMBER_SHIFT;
    switch (kind) {
      case ENTER:
        // Never more than the owner has open, unless an error struck it between two lines.
        if (drainedDepth < DEPTH_LIMIT) {
          drainedStages[drainedDepth] = stage;
          drainedStarts[drainedDepth] = timeOf(number, nowNanos);
          drainedChildren[drainedDepth] = 0;
          drainedDepth++;
        }
        break;
      case EXIT:
      case FAIL:
        close(stage, timeOf(number, nowNanos), kind == FAIL, sink, sums);
        break;
      case TRACE:
        drainedTraceId = number;
        drainedDepth = 0;
        drainedDroppedChildren = 0;
        break;
      default:
        drainedDroppedChildren = number;
    }
  }

  private void close(int stage, long endNanos, boolean failed, SampleSink sink, StageSums sums) {
    int frame = drainedDepth - 1;
    while (frame >= 0 && drainedStages[frame] != stage) {
      frame--;
    }
    long children = drainedDroppedChildren;
    drainedDroppedChildren = 0;
    if (frame < 0) {
      return;
    }
    drainedDepth = frame;
    long startNanos = drainedStarts[frame];
    long totalNanos = endNanos - startNanos;
    children += drainedChildren[frame];
    if (frame > 0) {
      drainedChildren[frame - 1] += totalNanos;
    }
    sums.add(stage, failed, totalNanos);
    sink.sample(
        stage, threadId, drainedTraceId, startNanos, totalNanos, totalNanos - children, failed);
  }

  /** The time near {@code nowNanos} whose lower bits these are. */
  private static long timeOf(long number, long nowNanos) {
    long back = nowNanos - number;
    return nowNanos - (back << NUMBER_SHIFT >> NUMBER_SHIFT);
  }

  private void drainTraces(TraceSink sink) {
    long written = tracesWritten.get();
    long read = tracesRead.get();
    try {
      while (read < written) {
        int at = (int) read & traceMask;
        long key = traceKeys[at];
        int texts = at * TRACE_TEXTS;
        String tracePid = traceTexts[texts];
        String traceTraceparent = traceTexts[texts + 1];
        String traceOperation = traceTexts[texts + 2];
        Arrays.fill(traceTexts, texts, texts + TRACE_TEXTS, null);
        read++;
        sink.trace(
            traceIdOf(key),
            stageOf(key),
            cut(tracePid),
            cut(traceTraceparent),
            cut(traceOperation),
            failedOf(key));
      }
    } finally {
      tracesRead.lazySet(read);
    }
  }

  /** Adds what was dropped to {@code into}; exact for all there is once the thread is dead. */
  void addDropsTo(StageSums into) {
    into.samplesDropped += samplesDropped.get();
    into.tracesDropped += tracesDropped.get();
    into.stagesSkipped += stagesSkipped.get();
    for (int stage = 0; stage < Stages.LIMIT; stage++) {
      int total = stage * TOTALS_WORDS;
      into.count[stage] += droppedTotals[total + TOTALS_COUNT];
      into.failed[stage] += droppedTotals[total + TOTALS_FAILED];
      into.totalNanos[stage] += droppedTotals[total + TOTALS_NANOS];
    }
  }

  private static long traceIdOf(long key) {
    return key >>> KEY_TRACE_SHIFT;
  }

  private static int stageOf(long key) {
    return (int) (key >>> KEY_STAGE_SHIFT) & KEY_STAGE_MASK;
  }

  private static boolean failedOf(long key) {
    return (key & 1) != 0;
  }

  private static String cut(String text) {
    return text == null || text.length() <= TEXT_LIMIT ? text : text.substring(0, TEXT_LIMIT);
  }
}
