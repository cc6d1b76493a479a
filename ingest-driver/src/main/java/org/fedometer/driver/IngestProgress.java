package org.fedometer.driver;

/**
 * How far an ingest is, for somebody who looks on. Times are service times, from when a request was
 * sent: in a closed loop, and where objects wait for a worker, they are not what a user would wait
 * at a given rate.
 *
 * <p>An object of a mix is a step here, whatever it does.
 *
 * @param total objects asked for, or {@link Long#MAX_VALUE} where something else ends it
 * @param done ingested or failed
 * @param ingested objects in Fedora
 * @param failed objects given up
 * @param sent requests, retries included
 * @param retried requests beyond each object's first
 * @param failedRequests requests answered by an error or not at all
 * @param contentBytes content of the ingested objects
 * @param elapsedNanos since the first request, without pauses; up to the end, if it has ended
 * @param objectsPerSecond ingested per second since the start, without pauses
 * @param recentObjectsPerSecond ingested per second in the last ten seconds or so
 * @param latency of all requests that ingested an object
 * @param recentLatency of those of the last minute or so, within 1 %; null in the first seconds
 * @param trend whether it gets slower
 * @param behindSchedule objects that are due at the fixed rate and wait for a worker; 0 in a closed
 *     loop
 * @param etaSeconds time still needed, or -1 if there is no telling
 * @param outages how often Fedora was out of reach, now included
 * @param outage why Fedora is out of reach at present, or null
 * @param paused somebody has paused it
 * @param stopping it ends as soon as the requests under way have
 * @param workers concurrent requests, at most
 * @param ratePerSecond how many objects are due in a second, or null in a closed loop
 * @param thing what is counted: {@code object}, or {@code step} of a mix
 */
public record IngestProgress(
    long total,
    long done,
    long ingested,
    long failed,
    long sent,
    long retried,
    long failedRequests,
    long contentBytes,
    long elapsedNanos,
    double objectsPerSecond,
    double recentObjectsPerSecond,
    IngestResult.Latency latency,
    IngestResult.Latency recentLatency,
    Trend trend,
    long behindSchedule,
    long etaSeconds,
    int outages,
    String outage,
    boolean paused,
    boolean stopping,
    int workers,
    Double ratePerSecond,
    String thing) {

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

  /** Whether objects end it, and not something else alone. */
  public boolean endsByObjects() {
    return total != Long.MAX_VALUE;
  }
}
