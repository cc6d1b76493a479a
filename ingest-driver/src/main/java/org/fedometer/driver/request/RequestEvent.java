package org.fedometer.driver.request;

import java.util.Objects;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.wire.record.RequestEncoder;

/**
 * One attempt of one request, over and judged. Its service time is {@code durationNanos}; its
 * response time lasts from {@code intendedStartNanos} to the same end.
 *
 * @param objectIndex index in the dataset, or {@link #NO_OBJECT}
 * @param pid identifier, empty for a request that is about no object
 * @param traceparent value of the header that was sent
 * @param worker number of the worker, from zero
 * @param attempt one for the first
 * @param intendedStartNanos when it was due, on the clock of {@code startNanos} and never after it:
 *     {@code startNanos} itself in a closed model, under a fixed rate its time in that rate
 * @param startNanos {@code System.nanoTime()} before the request
 * @param durationNanos until the answer was read, or the request failed
 * @param status HTTP status, or 0 if there was no answer
 * @param contentBytes content that Fedora takes in by this request, before any encoding; of a read,
 *     what came
 * @param message empty if all is well; otherwise Fedora's words, or what happened
 */
public record RequestEvent(
    Operation operation,
    long objectIndex,
    String pid,
    String traceparent,
    int worker,
    int attempt,
    long intendedStartNanos,
    long startNanos,
    long durationNanos,
    int status,
    long contentBytes,
    String message,
    Outcome outcome) {

  /** In the place of an index, of a request that is about no object. */
  public static final long NO_OBJECT = -1;

  public enum Outcome {
    /** Fedora has the object with all its datastreams: it said 201. */
    INGESTED,
    /** Fedora did what was asked for, and no object is complete by it. */
    DONE,
    /** The answer was lost or an error, yet Fedora has done all that was asked. */
    FOUND_COMPLETE,
    /** Will be sent again. */
    RETRIED,
    /** Given up. */
    FAILED,
    /** The run was stopped before it was known. */
    ABANDONED
  }

  public RequestEvent {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(pid, "pid");
    Objects.requireNonNull(traceparent, "traceparent");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(outcome, "outcome");
    if (startNanos - intendedStartNanos < 0) {
      throw new IllegalArgumentException(
          "A request starts when it is due or later, not "
              + (intendedStartNanos - startNanos)
              + " ns before.");
    }
  }

  /**
   * Puts the request among those of the next frame to a collector.
   *
   * @throws IllegalStateException when the frame is full
   */
  public void addTo(RequestEncoder encoder) {
    encoder.add(
        objectIndex,
        pid,
        traceparent,
        worker,
        attempt,
        startNanos,
        durationNanos,
        status,
        contentBytes,
        message,
        operation.wireName(),
        intendedStartNanos);
  }
}
