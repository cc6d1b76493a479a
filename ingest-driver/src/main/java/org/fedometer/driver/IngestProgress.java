package org.fedometer.driver;

/**
 * How far an ingest is, for somebody who looks on. Times are service times, from when a request was
 * sent: in a closed loop, and where objects wait for a worker, they are not what a user would wait
 * at a given rate.
 *
 * <p>An object of a mix is a step here, whatever it does.
 *
 * @param total objects asked for
 * @param done ingested or failed
 * @param ingested objects in Fedora
 * @param failed objects given up
 * @param sent requests, retries included
 * @param retried requests beyond each object's first
 * @param failedRequests requests answered by an error or not at all
 * @param contentBytes content of the ingested objects
 * @param elapsedNanos since the first request; up to the end, if it has ended
 * @param objectsPerSecond ingested per second since the start
 * @param recentObjectsPerSecond ingested per second in the last ten seconds or so
 * @param p50Millis median of the requests that ingested an object
 * @param p99Millis 99th percentile of the same
 * @param behindSchedule objects that are due at the fixed rate and wait for a worker; 0 in a closed
 *     loop
 * @param etaSeconds time still needed at the recent rate, or -1 if there is no telling
 * @param outage why Fedora is out of reach at present, or null
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
    double p50Millis,
    double p99Millis,
    long behindSchedule,
    long etaSeconds,
    String outage) {}
