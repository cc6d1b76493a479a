package org.fedometer.aspects.recorder;

/**
 * Exact sums per stage over all threads of a {@link Recording}. Arrays are indexed by stage number.
 * Drainer only; not thread-safe.
 */
public final class StageSums {

  /** Finished executions, recorded as a sample or not. */
  public final long[] count = new long[Stages.LIMIT];

  /** Those of {@link #count} that ended by an exception. */
  public final long[] failed = new long[Stages.LIMIT];

  /** Sum of their durations. */
  public final long[] durationNanos = new long[Stages.LIMIT];

  /** Samples dropped by a full ring; they are in the sums above. */
  public long samplesDropped;

  /** Traces dropped by a full ring. */
  public long tracesDropped;

  /** Stages nested too deep to be timed. */
  public long stagesSkipped;

  StageSums() {}

  void add(int stage, boolean stageFailed, long nanos) {
    count[stage]++;
    durationNanos[stage] += nanos;
    if (stageFailed) {
      failed[stage]++;
    }
  }

  void add(StageSums other) {
    samplesDropped += other.samplesDropped;
    tracesDropped += other.tracesDropped;
    stagesSkipped += other.stagesSkipped;
    for (int stage = 0; stage < Stages.LIMIT; stage++) {
      count[stage] += other.count[stage];
      failed[stage] += other.failed[stage];
      durationNanos[stage] += other.durationNanos[stage];
    }
  }
}
