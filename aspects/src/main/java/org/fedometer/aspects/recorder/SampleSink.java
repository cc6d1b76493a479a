package org.fedometer.aspects.recorder;

/** Accepts samples from the threads' rings, on the drainer's thread. */
public interface SampleSink {

  /**
   * Accepts one timed execution of a stage.
   *
   * @param stage number of {@link Stages}
   * @param threadId number of the thread within the {@link Recording}
   * @param traceId the same for all samples of one root stage, unique within the recording
   * @param startNanos {@link System#nanoTime()} at its start
   * @param durationNanos from start to end
   * @param selfNanos {@code durationNanos} without the stages that ran inside it on the same thread
   * @param failed true if it ended by an exception
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
