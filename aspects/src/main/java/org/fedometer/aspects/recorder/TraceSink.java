package org.fedometer.aspects.recorder;

/** Takes finished traces out of the threads' rings, on the drainer's thread. */
public interface TraceSink {

  /**
   * One finished root stage.
   *
   * @param traceId as in {@link SampleSink}
   * @param rootStage number of the outermost stage
   * @param pid object it worked on, or {@code null}
   * @param traceparent W3C header of the request, or {@code null}
   * @param operation what it set out to do, or {@code null}
   * @param failed whether the root, or what it set out to do, failed
   */
  void trace(
      long traceId,
      int rootStage,
      String pid,
      String traceparent,
      String operation,
      boolean failed);
}
