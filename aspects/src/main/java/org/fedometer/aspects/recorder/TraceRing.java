package org.fedometer.aspects.recorder;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The finished traces of a thread that are not drained: a key and three texts each. One owner
 * writes, one drainer reads, neither waits: {@code written} hands over keys and texts, {@code read}
 * hands back their slots.
 */
final class TraceRing {

  /** Longer texts are truncated: they come from Fedora's clients. */
  static final int TEXT_LIMIT = 512;

  private static final int REFERENCE_BYTES = 8;
  private static final int TEXTS = 3;

  /** A trace's key is its id (52 bits), root stage (11 bits), failed (1 bit). */
  private static final int KEY_STAGE_SHIFT = 1;

  private static final int KEY_TRACE_SHIFT = 12;
  private static final int KEY_STAGE_MASK = (1 << (KEY_TRACE_SHIFT - KEY_STAGE_SHIFT)) - 1;

  private final int mask;

  // Written by the owner, read by the drainer.
  private final long[] keys;
  private final String[] texts;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();

  // Written by the drainer, read by the owner.
  private final AtomicLong read = new AtomicLong();

  // Owner only.
  private long head;
  private long tailSeen;

  /** Kept beside {@code dropped}: the stack may be too full for the call that updates it. */
  private long droppedByOwner;

  /**
   * @param places capacity in traces, a power of two
   */
  TraceRing(int places) {
    this.keys = new long[places];
    this.texts = new String[places * TEXTS];
    this.mask = places - 1;
  }

  /** Returns the size of a ring's arrays, without the texts, which belong to Fedora. */
  static long arrayBytes(int places) {
    return (long) (Long.BYTES + TEXTS * REFERENCE_BYTES) * places;
  }

  /** Owner only. Drops and counts the trace if the ring is full. */
  void write(
      long traceId, int stage, boolean failed, String pid, String traceparent, String operation) {
    if (head - tailSeen > mask) {
      tailSeen = read.get();
      if (head - tailSeen > mask) {
        dropped.lazySet(++droppedByOwner);
        return;
      }
    }
    int at = (int) head & mask;
    keys[at] = traceId << KEY_TRACE_SHIFT | stage << KEY_STAGE_SHIFT | (failed ? 1 : 0);
    texts[at * TEXTS] = pid;
    texts[at * TEXTS + 1] = traceparent;
    texts[at * TEXTS + 2] = operation;
    head++;
    written.lazySet(head);
  }

  /** Moves the content of the ring to the sink. Drainer only. */
  void drain(TraceSink sink) {
    long end = written.get();
    long next = read.get();
    try {
      while (next < end) {
        int at = (int) next & mask;
        long key = keys[at];
        int first = at * TEXTS;
        String pid = texts[first];
        String traceparent = texts[first + 1];
        String operation = texts[first + 2];
        Arrays.fill(texts, first, first + TEXTS, null);
        next++;
        sink.trace(
            key >>> KEY_TRACE_SHIFT,
            (int) (key >>> KEY_STAGE_SHIFT) & KEY_STAGE_MASK,
            cut(pid),
            cut(traceparent),
            cut(operation),
            (key & 1) != 0);
      }
    } finally {
      // A failing sink has received its trace: none is sent twice.
      read.lazySet(next);
    }
  }

  /** Any thread. */
  boolean isDrained() {
    return read.get() == written.get();
  }

  /** Returns the number of traces dropped by a full ring. Any thread. */
  long dropped() {
    return dropped.get();
  }

  private static String cut(String text) {
    return text == null || text.length() <= TEXT_LIMIT ? text : text.substring(0, TEXT_LIMIT);
  }
}
