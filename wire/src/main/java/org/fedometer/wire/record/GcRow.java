package org.fedometer.wire.record;

/**
 * A garbage collection of a frame. {@link GcDecoder} reuses the instance: a consumer reads it at
 * once, on the decoding thread, and neither keeps nor changes it.
 */
public final class GcRow {
  /** For example {@code G1 Young Generation}. */
  public String collector;

  /** For example {@code end of minor GC}. */
  public String action;

  /** For example {@code Allocation Failure}. */
  public String cause;

  /** {@code System.nanoTime()} at its start. */
  public long startNanos;

  /** From start to end. */
  public long durationNanos;

  /** Heap in use before it. */
  public long heapBeforeBytes;

  /** Heap in use after it. */
  public long heapAfterBytes;

  GcRow() {}
}
