package org.fedometer.wire.record;

/** Takes the traces of a frame, one after the other, on the decoding thread. */
@FunctionalInterface
public interface TraceConsumer {
  /**
   * @param traceId the number that the request's samples carry
   * @param rootStageId number of the outermost stage in the source's dictionary
   * @param pid of the object, empty if unknown
   * @param traceparent W3C header of the request, empty if there was none
   * @param operation what the request set out to do, such as {@code ingest}, or else its HTTP
   *     method; empty if unknown
   * @param failed the request ended by an exception
   */
  void trace(
      long traceId,
      int rootStageId,
      String pid,
      String traceparent,
      String operation,
      boolean failed);
}
