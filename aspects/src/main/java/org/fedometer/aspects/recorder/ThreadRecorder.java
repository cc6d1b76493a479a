package org.fedometer.aspects.recorder;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one thread of Fedora records: its open stages, a ring of finished samples, and exact sums of
 * those samples that found the ring full.
 *
 * <p>Two threads meet here. The <em>owner</em> calls the package-private methods above the line,
 * through {@link Recorder}; it never waits: a sample without room is dropped, counted and summed.
 * The <em>drainer</em> calls the methods below the line. Ring positions and drop counts are handed
 * over by ordered writes, after what they stand for.
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

  private static final int FRAME_WORDS = 4;
  private static final int FRAME_START = 0;
  private static final int FRAME_CHILDREN = 1;
  private static final int FRAME_STAGE = 2;

  private static final int SAMPLE_WORDS = 4;
  private static final int SAMPLE_KEY = 0;
  private static final int SAMPLE_START = 1;
  private static final int SAMPLE_TOTAL = 2;
  private static final int SAMPLE_OWN = 3;

  private static final int TRACE_TEXTS = 3;

  private static final int TOTALS_WORDS = 4;
  private static final int TOTALS_COUNT = 0;
  private static final int TOTALS_FAILED = 1;
  private static final int TOTALS_NANOS = 2;

  /** A key is trace id (52 bits), stage (11 bits), failed (1 bit). */
  private static final int KEY_STAGE_SHIFT = 1;

  private static final int KEY_TRACE_SHIFT = 12;
  private static final int KEY_STAGE_MASK = (1 << (KEY_TRACE_SHIFT - KEY_STAGE_SHIFT)) - 1;

  /** How many trace ids a thread takes at a time, so that threads seldom meet there. */
  private static final int TRACE_ID_BLOCK = 64;

  private final Recording recording;
  private final Thread owner;
  private final String threadName;
  private final int threadId;

  // The owner's alone.
  private final long[] frames;
  private final int[] skippedByStage = new int[Stages.LIMIT];
  private int epoch;
  private int top;
  private int skippedOpen;

  /** A multiple of the block minus one asks for a new block. */
  private long traceId = -1;

  private boolean traceFailed;
  private String pid;
  private String traceparent;
  private String operation;
  private long sampleHead;
  private long sampleTailSeen;
  private long traceHead;
  private long traceTailSeen;

  // Written by the owner, read by the drainer.
  private final long[] droppedTotals = new long[Stages.LIMIT * TOTALS_WORDS];
  private final long[] samples;
  private final int sampleMask;
  private final long[] traceKeys;
  private final String[] traceTexts;
  private final int traceMask;
  private final AtomicLong samplesWritten = new AtomicLong();
  private final AtomicLong samplesDropped = new AtomicLong();
  private final AtomicLong tracesWritten = new AtomicLong();
  private final AtomicLong tracesDropped = new AtomicLong();
  private final AtomicLong stagesSkipped = new AtomicLong();

  // Written by the drainer, read by the owner.
  private final AtomicLong samplesRead = new AtomicLong();
  private final AtomicLong tracesRead = new AtomicLong();

  /**
   * @param ringSamples how many samples the ring holds, a power of two; 0 makes a recorder that
   *     ignores its thread
   */
  ThreadRecorder(Recording recording, Thread owner, int threadId, int ringSamples) {
    this.recording = recording;
    this.owner = owner;
    this.threadName = owner.getName();
    this.threadId = threadId;
    int ringTraces = Math.max(ringSamples / 4, Math.min(ringSamples, 1));
    this.frames = new long[ringSamples == 0 ? 0 : DEPTH_LIMIT * FRAME_WORDS];
    this.samples = new long[ringSamples * SAMPLE_WORDS];
    this.sampleMask = ringSamples - 1;
    this.traceKeys = new long[ringTraces];
    this.traceTexts = new String[ringTraces * TRACE_TEXTS];
    this.traceMask = ringTraces - 1;
  }

  // --- The owner
  // ---------------------------------------------------------------------------------------------------------------------

  Thread owner() {
    return owner;
  }

  boolean ignoresItsThread() {
    return frames.length == 0;
  }

  Recording recording() {
    return recording;
  }

  int epoch() {
    return epoch;
  }

  /** Forgets every open stage: recording has been off, their beginnings are stale. */
  void beginEpoch(int newEpoch) {
    epoch = newEpoch;
    top = 0;
    if (skippedOpen != 0) {
      skippedOpen = 0;
      Arrays.fill(skippedByStage, 0);
    }
  }

  void enter(int stage, long nowNanos) {
    int frame = top;
    if (frame >= frames.length || stage < 0) {
      skip(stage);
      return;
    }
    if (frame == 0) {
      beginTrace();
    }
    frames[frame + FRAME_START] = nowNanos;
    frames[frame + FRAME_CHILDREN] = 0;
    frames[frame + FRAME_STAGE] = stage;
    top = frame + FRAME_WORDS;
  }

  void exit(int stage, long nowNanos, boolean failed) {
    if (skippedOpen != 0 && unskip(stage)) {
      return;
    }
    int frame = top - FRAME_WORDS;
    if (frame < 0 || frames[frame + FRAME_STAGE] != stage) {
      frame = lastOpen(stage, frame);
      if (frame < 0) {
        return;
      }
    }
    long totalNanos = nowNanos - frames[frame + FRAME_START];
    long ownNanos = totalNanos - frames[frame + FRAME_CHILDREN];
    top = frame;

    long key = traceId << KEY_TRACE_SHIFT | (long) stage << KEY_STAGE_SHIFT | (failed ? 1 : 0);
    if (!writeSample(key, frames[frame + FRAME_START], totalNanos, ownNanos)) {
      drop(stage, totalNanos, failed);
    }
    if (frame == 0) {
      writeTrace(traceFailed ? key | 1 : key);
    } else {
      frames[frame - FRAME_WORDS + FRAME_CHILDREN] += totalNanos;
    }
  }

  void notePid(String noted) {
    if (top != 0 && noted != null) {
      pid = noted;
    }
  }

  void noteTraceparent(String noted) {
    if (top != 0 && noted != null) {
      traceparent = noted;
    }
  }

  void noteOperation(String noted) {
    if (top != 0 && noted != null) {
      operation = noted;
    }
  }

  void noteFailure() {
    traceFailed = true;
  }

  private void beginTrace() {
    traceId++;
    if (traceId % TRACE_ID_BLOCK == 0) {
      traceId = recording.takeTraceIds(TRACE_ID_BLOCK);
    }
    traceFailed = false;
    pid = null;
    traceparent = null;
    operation = null;
  }

  private boolean writeSample(long key, long startNanos, long totalNanos, long ownNanos) {
    long head = sampleHead;
    if (head - sampleTailSeen > sampleMask) {
      sampleTailSeen = samplesRead.get();
      if (head - sampleTailSeen > sampleMask) {
        return false;
      }
    }
    int at = ((int) head & sampleMask) * SAMPLE_WORDS;
    samples[at + SAMPLE_KEY] = key;
    samples[at + SAMPLE_START] = startNanos;
    samples[at + SAMPLE_TOTAL] = totalNanos;
    samples[at + SAMPLE_OWN] = ownNanos;
    sampleHead = head + 1;
    samplesWritten.lazySet(head + 1);
    return true;
  }

  private void drop(int stage, long totalNanos, boolean failed) {
    int total = stage * TOTALS_WORDS;
    droppedTotals[total + TOTALS_COUNT]++;
    droppedTotals[total + TOTALS_NANOS] += totalNanos;
    if (failed) {
      droppedTotals[total + TOTALS_FAILED]++;
    }
    samplesDropped.lazySet(samplesDropped.get() + 1);
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

  /**
   * The open frame of this stage nearest to the top, or -1. Frames above it have lost their exits;
   * they go when it closes.
   */
  private int lastOpen(int stage, int from) {
    int frame = from;
    while (frame >= 0 && frames[frame + FRAME_STAGE] != stage) {
      frame -= FRAME_WORDS;
    }
    return frame;
  }

  private void skip(int stage) {
    if (frames.length != 0 && stage >= 0) {
      skippedByStage[stage]++;
      skippedOpen++;
      stagesSkipped.lazySet(stagesSkipped.get() + 1);
    }
  }

  private boolean unskip(int stage) {
    if (stage < 0 || skippedByStage[stage] == 0) {
      return false;
    }
    skippedByStage[stage]--;
    skippedOpen--;
    return true;
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

  /** Whether the thread is over, so that nothing can follow what is in the rings now. */
  boolean isAbandoned() {
    return !owner.isAlive();
  }

  /**
   * Moves what is in the rings to the sinks, and adds the samples up.
   *
   * @return how full the sample ring was, in thousandths
   */
  int drain(SampleSink sampleSink, TraceSink traceSink, Totals sums) {
    long written = samplesWritten.get();
    long read = samplesRead.get();
    int fill = samples.length == 0 ? 0 : (int) ((written - read) * 1000 / (sampleMask + 1));
    try {
      while (read < written) {
        int at = ((int) read & sampleMask) * SAMPLE_WORDS;
        long key = samples[at + SAMPLE_KEY];
        int stage = stageOf(key);
        boolean failed = failedOf(key);
        long totalNanos = samples[at + SAMPLE_TOTAL];
        read++;
        sums.add(stage, failed, totalNanos);
        sampleSink.sample(
            stage,
            threadId,
            traceIdOf(key),
            samples[at + SAMPLE_START],
            totalNanos,
            samples[at + SAMPLE_OWN],
            failed);
      }
    } finally {
      // A sink that fails has had its sample: none is given twice.
      samplesRead.lazySet(read);
    }
    drainTraces(traceSink);
    return fill;
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
  void addDropsTo(Totals into) {
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
