package org.fedometer.wire.record;

/** Takes the samples of a frame, one after the other, on the decoding thread. */
@FunctionalInterface
public interface SampleConsumer {
  /**
   * @param stageId number of the stage in the source's dictionary
   * @param threadId number of the thread in the source's dictionary
   * @param traceId request that the sample belongs to, 0 if none
   * @param startNanos {@code System.nanoTime()} at the stage's start
   * @param durationNanos from start to end
   * @param selfNanos total without the stages called by this one on the same thread
   * @param failed the stage ended by an exception
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
