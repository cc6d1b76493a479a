package org.fedometer.wire.record;

/** Accepts the samples of a frame one by one, on the decoding thread. */
@FunctionalInterface
public interface SampleConsumer {
  /**
   * @param stageId number of the stage in the source's dictionary
   * @param threadId number of the thread in the source's dictionary
   * @param traceId request of the sample, 0 if none
   * @param startNanos {@code System.nanoTime()} at the stage's start
   * @param durationNanos from start to end
   * @param selfNanos duration without the stages that this one called on the same thread
   * @param failed true if the stage ended by an exception
   */
  void sample(
      int stageId,
      int threadId,
      long traceId,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed);
}
