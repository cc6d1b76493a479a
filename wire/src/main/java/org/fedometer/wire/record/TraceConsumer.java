package org.fedometer.wire.record;

/** Accepts the traces of a frame one by one, on the decoding thread. */
@FunctionalInterface
public interface TraceConsumer {
  /**
   * @param traceId trace number of the request's samples
   * @param rootStageId number of the outermost stage in the source's dictionary
   * @param pid of the object, empty if unknown
   * @param traceparent W3C header of the request, empty if none
   * @param operation operation of the request, such as {@code ingest}, or else its HTTP method;
   *     empty if unknown
   * @param failed true if the request ended by an exception
   */
  void trace(
      long traceId,
      int rootStageId,
      String pid,
      String traceparent,
      String operation,
      boolean failed);
}
