package org.fedometer.wire.record;

/**
 * A garbage collection of a frame. {@link GcDecoder} fills one again and again: a consumer reads it
 * at once, on the decoding thread; it neither keeps nor changes it.
 */
public final class GcRow {
  /** Such as {@code G1 Young Generation}. */
  public String collector;

  /** Such as {@code end of minor GC}. */
  public String action;

  /** Such as {@code Allocation Failure}. */
  public String cause;

  /** {@code System.nanoTime()} at its start. */
  public long startNanos;

  /** From start to end. */
  public long durationNanos;

  /** In use before it. */
  public long heapBeforeBytes;

  /** In use after it. */
  public long heapAfterBytes;

  GcRow() {}
}
