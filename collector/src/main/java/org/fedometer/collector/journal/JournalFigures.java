package org.fedometer.collector.journal;

import java.util.Map;

/**
 * How a journal goes. Counts are since its start.
 *
 * @param running whether it takes anything at all
 * @param runsOpen runs of which something is still to be written or sealed
 * @param sourcesConnected sources that have introduced themselves
 * @param queuedBytes received and not yet durable
 * @param syncs how often what had gathered was put on disk, of all runs together
 * @param syncNanos how long that took, all in all
 * @param segmentsSealed segments of which Parquet files were made
 * @param nanosSinceDurable since something was last put on disk; at first since the start
 * @param troubles what is wrong, by the run's name
 */
public record JournalFigures(
    boolean running,
    int runsOpen,
    int sourcesConnected,
    long queuedBytes,
    long syncs,
    long syncNanos,
    long segmentsSealed,
    long nanosSinceDurable,
    int runsNotWritable,
    Map<String, String> troubles) {}
