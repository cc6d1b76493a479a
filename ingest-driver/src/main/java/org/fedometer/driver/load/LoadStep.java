package org.fedometer.driver.load;

import java.util.List;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.Latency;

/**
 * Result of one step of a load. A request belongs to the step in which it was due.
 *
 * @param workers maximum number of concurrent requests
 * @param ratePerSecond objects due per second, or null in a closed model
 * @param startNanos {@code System.nanoTime()} of its start
 * @param seconds duration, without pauses
 * @param ingested objects acknowledged meanwhile
 * @param failedRequests its requests with an error response or none
 * @param late its objects that began late, or not at all although due long enough
 * @param serviceTimes of successful requests, from sending
 * @param responseTimes of the same, from the intended start
 * @param operations its requests by kind, in the order of {@link Operation}
 */
public record LoadStep(
    Outcome outcome,
    int workers,
    Double ratePerSecond,
    long startNanos,
    long endNanos,
    double seconds,
    long ingested,
    long failedRequests,
    long late,
    Latency serviceTimes,
    Latency responseTimes,
    List<Kind> operations) {

  /**
   * Result of the requests of one kind.
   *
   * @param done successful requests
   * @param failedRequests requests with an error response or none
   */
  public record Kind(
      Operation operation,
      long done,
      long failedRequests,
      Latency serviceTimes,
      Latency responseTimes) {}

  public enum Outcome {
    /** Before the first step; not to be reported with the others. */
    WARM_UP,
    /** No request failed, and a rate was held. */
    CLEAN,
    ERRORS,
    /** Too many objects were late. */
    NOT_HELD,
    /** The load ended before the step did. */
    CUT
  }

  public double objectsPerSecond() {
    return seconds > 0 ? ingested / seconds : 0;
  }
}
