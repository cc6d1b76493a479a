package org.fedometer.aspects.recorder;

/**
 * A word of a recorder's ring: a number of 54 bits, the stage (7 bits), the kind (3 bits). Times
 * lose their upper bits; the drainer restores them, since it runs within 100 days. Stateless.
 */
final class RingWord {

  static final int NUMBER_SHIFT = 10;
  static final int STAGE_SHIFT = 3;

  /** A stage begins; the number is the time. */
  static final int ENTER = 0;

  /** A stage ends normally; the number is the time. */
  static final int EXIT = 1;

  /** A stage ends by an exception; the number is the time. */
  static final int FAIL = 2;

  /** The next word begins a root; the number is the trace's id. */
  static final int TRACE = 3;

  /** Nanoseconds of dropped children of the stage whose end comes next. */
  static final int DROPPED_CHILDREN = 4;

  private static final int STAGE_MASK = Stages.LIMIT - 1;
  private static final int KIND_MASK = (1 << STAGE_SHIFT) - 1;

  private RingWord() {}

  static int kindOf(long word) {
    return (int) word & KIND_MASK;
  }

  static int stageOf(long word) {
    return (int) word >>> STAGE_SHIFT & STAGE_MASK;
  }

  static long numberOf(long word) {
    return word >> NUMBER_SHIFT;
  }

  /** Returns the time near {@code nowNanos} with the lower bits of a word's number. */
  static long timeOf(long number, long nowNanos) {
    long back = nowNanos - number;
    return nowNanos - (back << NUMBER_SHIFT >> NUMBER_SHIFT);
  }
}
