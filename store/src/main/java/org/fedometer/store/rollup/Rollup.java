package org.fedometer.store.rollup;

/**
 * Ten seconds of one stage.
 *
 * @param beginEpochSeconds a multiple of ten, by the collector's clock
 * @param stage its name; for the driver's requests see {@link Rollups#DRIVER_REQUEST}
 * @param count executions that ended in that time
 * @param minNanos shortest duration
 * @param maxNanos longest duration
 * @param histogram of durations in nanoseconds: HdrHistogram's V2 compressed encoding, two
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
