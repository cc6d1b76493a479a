package org.fedometer.driver;

import org.fedometer.driver.request.Latency;

/**
 * Progress of an ingest. Latencies are service times, measured from sending. In a closed model, or
 * while objects wait for a worker, they differ from a user's waiting time at a given rate.
 *
 * <p>An object of a mix is a step, whatever it does.
 *
 * @param failedRequests requests with an error response or none
 * @param outages number of outages of Fedora, including a current one
 * @param outage reason of the current outage, or null
 * @param latency of all requests that ingested an object
 * @param recentLatency of about the last minute, within 1 %; null in the first seconds
 * @param elapsedNanos time since the first request, without pauses; up to the end, if it has ended
 * @param etaSeconds remaining time, or -1 if unknown
 */
public record IngestProgress(
    ObjectCounts objects,
    long failedRequests,
    int outages,
    String outage,
    Rates rates,
    Latency latency,
    Latency recentLatency,
    LoadState load,
    long elapsedNanos,
    long etaSeconds) {

  /**
   * @param thing unit of the counts: {@code object}, or {@code step} of a mix
   * @param total number requested, or {@link Long#MAX_VALUE} if another condition ends the load
   * @param done ingested or failed
   * @param contentBytes content of the ingested objects
   */
  public record ObjectCounts(
      String thing, long total, long done, long ingested, long failed, long contentBytes) {

    /** Returns whether the count ends the load, rather than another condition alone. */
    public boolean endLoad() {
      return total != Long.MAX_VALUE;
    }
  }

  /**
   * @param objectsPerSecond ingested per second since the start, without pauses
   * @param recentObjectsPerSecond ingested per second in about the last ten seconds
   * @param trend whether the load gets slower
   */
  public record Rates(double objectsPerSecond, double recentObjectsPerSecond, Trend trend) {}

  /**
   * The rate of the last hour, or of the latter half of a younger load.
   *
   * @param seconds length of that period, without pauses
   * @param objectsPerSecond ingested per second in that period
   * @param before the rate of the equally long period before, or null if there was none
   * @param growthSeconds how much longer each object takes than the one before; 0 if it does not
   */
  public record Trend(
      double seconds, double objectsPerSecond, Double before, double growthSeconds) {}

  /**
   * @param stopping true if the load ends after the requests under way
   * @param workers maximum number of concurrent requests
   * @param ratePerSecond objects due per second, or null in a closed model
   * @param behindSchedule objects due at the fixed rate that wait for a worker; 0 in a closed model
   */
  public record LoadState(
      boolean paused, boolean stopping, int workers, Double ratePerSecond, long behindSchedule) {}
}
