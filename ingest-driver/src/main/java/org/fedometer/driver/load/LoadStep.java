package org.fedometer.driver.load;

import java.util.List;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.Latency;

/**
 * What came of a step of a load. A request belongs to the step that it was due in.
 *
 * @param workers concurrent requests, at most
 * @param ratePerSecond how many objects were due in a second, or null in a closed model
 * @param startNanos {@code System.nanoTime()} when it began
 * @param seconds how long that was, without pauses
 * @param ingested objects that Fedora acknowledged meanwhile
 * @param failedRequests of its requests, those answered by an error or not at all
 * @param late of its objects, those begun late, or not at all, though due long enough
 * @param serviceTimes from when a request was sent, of those that did what they should
 * @param responseTimes of the same, from when it was due
 * @param operations of its requests, by kind; in the order of {@link Operation}
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
   * What came of the requests of one kind.
   *
   * @param done that did what they should
   * @param failedRequests answered by an error or not at all
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
