package org.fedometer.aspects.recorder;

/**
 * What is open at the place to which the drainer has read a thread's ring: makes samples of its
 * words, so that total and self time are not worked out on Fedora's thread. The drainer's alone.
 */
final class DrainedStack {

  private final int[] stages = new int[ThreadRecorder.DEPTH_LIMIT];
  private final long[] startNanos = new long[ThreadRecorder.DEPTH_LIMIT];
  private final long[] childrenNanos = new long[ThreadRecorder.DEPTH_LIMIT];
  private int depth;
  private long traceId;
  private long droppedChildrenNanos;

  /**
   * Takes the next word of the ring; where it ends a stage, that is a sample.
   *
   * @param nowNanos a time within 100 days of the word's
   */
  void accept(long word, int threadId, SampleSink sink, StageSums sums, long nowNanos) {
    long number = RingWord.numberOf(word);
    int kind = RingWord.kindOf(word);
    switch (kind) {
      case RingWord.ENTER:
        // Never more than the owner has open, unless an error struck it between two lines.
        if (depth < ThreadRecorder.DEPTH_LIMIT) {
          stages[depth] = RingWord.stageOf(word);
          startNanos[depth] = RingWord.timeOf(number, nowNanos);
          childrenNanos[depth] = 0;
          depth++;
        }
        break;
      case RingWord.EXIT:
      case RingWord.FAIL:
        close(
            RingWord.stageOf(word),
            threadId,
            RingWord.timeOf(number, nowNanos),
            kind == RingWord.FAIL,
            sink,
            sums);
        break;
      case RingWord.TRACE:
        traceId = number;
        depth = 0;
        droppedChildrenNanos = 0;
        break;
      default:
        droppedChildrenNanos = number;
    }
  }

  private void close(
      int stage, int threadId, long endNanos, boolean failed, SampleSink sink, StageSums sums) {
    int frame = depth - 1;
    while (frame >= 0 && stages[frame] != stage) {
      frame--;
    }
    long children = droppedChildrenNanos;
    droppedChildrenNanos = 0;
    if (frame < 0) {
      return;
    }
    depth = frame;
    long start = startNanos[frame];
    long durationNanos = endNanos - start;
    children += childrenNanos[frame];
    if (frame > 0) {
      childrenNanos[frame - 1] += durationNanos;
    }
    sums.add(stage, failed, durationNanos);
    sink.sample(stage, threadId, traceId, start, durationNanos, durationNanos - children, failed);
  }
}
