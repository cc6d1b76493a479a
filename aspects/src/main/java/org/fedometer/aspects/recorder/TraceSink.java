package org.fedometer.aspects.recorder;

/** Accepts finished traces from the threads' rings, on the drainer's thread. */
public interface TraceSink {

  /**
   * Accepts one finished root stage.
   *
   * @param traceId as in {@link SampleSink}
   * @param rootStage number of the outermost stage
   * @param pid object of the trace, or {@code null}
   * @param traceparent W3C header of the request, or {@code null}
   * @param operation its operation, or {@code null}
   * @param failed true if the root or the operation failed
   */
  void trace(
      long traceId,
      int rootStage,
      String pid,
      String traceparent,
      String operation,
      boolean failed);
}
