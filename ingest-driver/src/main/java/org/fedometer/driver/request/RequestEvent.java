package org.fedometer.driver.request;

import java.util.Objects;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.wire.record.RequestEncoder;

/**
 * One judged attempt of a request. Its service time is {@code durationNanos}; its response time
 * lasts from {@code intendedStartNanos} to the same end.
 *
 * @param objectIndex index in the dataset, or {@link #NO_OBJECT}
 * @param pid identifier, empty for a request without an object
 * @param traceparent value of the sent header
 * @param worker number of the worker, from zero
 * @param attempt number of the attempt, from one
 * @param intendedStartNanos intended start on the clock of {@code startNanos}, never after it: its
 *     scheduled time under a fixed rate, {@code startNanos} in a closed model
 * @param startNanos {@code System.nanoTime()} before the request
 * @param durationNanos until the response was read, or the request failed
 * @param status HTTP status, or 0 without a response
 * @param contentBytes content that Fedora receives by this request, before any encoding; for a
 *     read, content received from it
 * @param message empty on success; otherwise Fedora's message, or a description
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

  /** Index of a request without an object. */
  public static final long NO_OBJECT = -1;

  public enum Outcome {
    /** Fedora answered 201, and has the object with all its datastreams. */
    INGESTED,
    /** Fedora performed the request, which completes no object. */
    DONE,
    /** The response was lost or an error, yet Fedora has performed everything. */
    FOUND_COMPLETE,
    /** To be sent again. */
    RETRIED,
    FAILED,
    /** The run was stopped before the outcome was known. */
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
   * Adds the request to the collector's next frame.
   *
   * @throws IllegalStateException if the frame is full
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
