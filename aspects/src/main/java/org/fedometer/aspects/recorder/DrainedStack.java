package org.fedometer.aspects.recorder;

/**
 * The open stages at the drainer's position in a thread's ring. Turns ring words into samples, so
 * that Fedora's thread need not compute duration and self time. Drainer only.
 */
final class DrainedStack {

  private final int[] stages = new int[ThreadRecorder.DEPTH_LIMIT];
  private final long[] startNanos = new long[ThreadRecorder.DEPTH_LIMIT];
  private final long[] childrenNanos = new long[ThreadRecorder.DEPTH_LIMIT];
  private int depth;
  private long traceId;
  private long droppedChildrenNanos;

  /**
   * Processes the next word of the ring; emits a sample if the word ends a stage.
   *
   * @param nowNanos a time within 100 days of the word's
   */
  void accept(long word, int threadId, SampleSink sink, StageSums sums, long nowNanos) {
    long number = RingWord.numberOf(word);
    int kind = RingWord.kindOf(word);
    switch (kind) {
      case RingWord.ENTER:
        // The owner never has more open, unless an error occurred between two of its statements.
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
