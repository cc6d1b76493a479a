package org.fedometer.aspects.recorder;

/** Takes samples out of the threads' rings, on the drainer's thread. */
public interface SampleSink {

  /**
   * One timed execution of a stage.
   *
   * @param stage number of {@link Stages}
   * @param threadId number that the {@link Recording} gave the thread
   * @param traceId the same for all samples of one root stage, unique within the recording
   * @param startNanos {@link System#nanoTime()} at its beginning
   * @param durationNanos time from beginning to end
   * @param selfNanos {@code totalNanos} without the stages that ran inside it on the same thread
   * @param failed whether it ended by an exception
   */
  void sample(
      int stage,
      int threadId,
      long traceId,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed);
}
