package org.fedometer.wire.record;

/** Takes the requests of a frame, one after the other, on the decoding thread. */
@FunctionalInterface
public interface RequestConsumer {
  /**
   * @param objectIndex number of the object in its dataset
   * @param pid of the object
   * @param traceparent W3C header sent with the request, empty if none
   * @param worker number of the driver's worker, from 0
   * @param attempt 1 for the first
   * @param startNanos {@code System.nanoTime()} when the request was begun
   * @param durationNanos until the answer was read
   * @param status HTTP status, 0 where there was no answer
   * @param contentBytes bytes of the object's content
   * @param message what went wrong, in Fedora's words if it had any; usually empty
   * @param operation what the request set out to do, such as {@link RequestEncoder#INGEST}; one
   *     that this version does not know is as good as any
   * @param intendedStartNanos {@code System.nanoTime()} when the request was due; {@code
   *     startNanos} where a worker sends the next request as soon as it has the last answer
   */
  void request(
      long objectIndex,
      String pid,
      String traceparent,
      int worker,
      int attempt,
      long startNanos,
      long durationNanos,
      int status,
      long contentBytes,
      String message,
      String operation,
      long intendedStartNanos);
}
