package org.fedometer.store.rollup;

/**
 * What one stage did in ten seconds.
 *
 * @param beginEpochSeconds a multiple of ten, by the collector's clock
 * @param stage its name; for the driver's requests as {@link Rollups#DRIVER_REQUEST} says
 * @param count how many ended in that time
 * @param minNanos shortest total time
 * @param maxNanos longest total time
 * @param histogram of total times in nanoseconds: HdrHistogram's V2 compressed encoding, two
 *     significant digits
 */
public record Rollup(
    long beginEpochSeconds,
    String stage,
    long count,
    long failed,
    long sumDurationNanos,
    long sumSelfNanos,
    long minNanos,
    long maxNanos,
    byte[] histogram) {}
