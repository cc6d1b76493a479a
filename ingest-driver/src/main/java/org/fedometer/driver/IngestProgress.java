package org.fedometer.driver;

import org.fedometer.driver.request.Latency;

/**
 * How far an ingest is, for somebody who looks on. Times are service times, from when a request was
 * sent: in a closed model, and where objects wait for a worker, they are not what a user would wait
 * at a given rate.
 *
 * <p>An object of a mix is a step here, whatever it does.
 *
 * @param failedRequests requests answered by an error or not at all
 * @param outages how often Fedora was out of reach, now included
 * @param outage why Fedora is out of reach at present, or null
 * @param latency of all requests that ingested an object
 * @param recentLatency of those of the last minute or so, within 1 %; null in the first seconds
 * @param elapsedNanos since the first request, without pauses; up to the end, if it has ended
 * @param etaSeconds time still needed, or -1 if there is no telling
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
   * @param thing what is counted: {@code object}, or {@code step} of a mix
   * @param total asked for, or {@link Long#MAX_VALUE} where something else ends the load
   * @param done ingested or failed
   * @param contentBytes content of those that are ingested
   */
  public record ObjectCounts(
      String thing, long total, long done, long ingested, long failed, long contentBytes) {

    /** Whether they end the load, and not something else alone. */
    public boolean endLoad() {
      return total != Long.MAX_VALUE;
    }
  }

  /**
   * @param objectsPerSecond ingested per second since the start, without pauses
   * @param recentObjectsPerSecond ingested per second in the last ten seconds or so
   * @param trend whether it gets slower
   */
  public record Rates(double objectsPerSecond, double recentObjectsPerSecond, Trend trend) {}

  /**
   * The rate of the last hour, or of the latter half of a younger load.
   *
   * @param seconds how long that is, without pauses
   * @param objectsPerSecond ingested per second in it
   * @param before the same in a stretch as long before it, or null where there was none
   * @param growthSeconds how much longer an object takes than the one before it; 0 where none does
   */
  public record Trend(
      double seconds, double objectsPerSecond, Double before, double growthSeconds) {}

  /**
   * @param stopping it ends as soon as the requests under way have
   * @param workers concurrent requests, at most
   * @param ratePerSecond how many objects are due in a second, or null in a closed model
   * @param behindSchedule objects that are due at the fixed rate and wait for a worker; 0 in a
   *     closed model
   */
  public record LoadState(
      boolean paused, boolean stopping, int workers, Double ratePerSecond, long behindSchedule) {}
}
