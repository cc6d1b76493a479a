package org.fedometer.driver.mix;

import java.util.Map;
import java.util.Set;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.load.IngestTally;

/**
 * What came of the steps of a mix.
 *
 * @param steps asked for
 * @param begun steps that were begun: all below this number
 * @param counts steps by operation, ingests among them
 * @param failedFlushes how often Fedora could not write its triples on request, or did not say
 * @param uncertain indices of objects that a step which failed or was abandoned may have changed,
 *     at most {@link IngestTally#MAX_NOT_INGESTED}
 */
public record MixResult(
    MixOptions options,
    long steps,
    long begun,
    Map<Operation, Counts> counts,
    long failedFlushes,
    Set<Long> uncertain) {

  /**
   * Steps of one operation.
   *
   * @param abandoned begun, and open when the run stopped
   */
  public record Counts(long done, long failed, long abandoned) {}

  public MixResult {
    counts = Map.copyOf(counts);
    uncertain = Set.copyOf(uncertain);
  }

  public long purged() {
    return counts(Operation.PURGE).done();
  }

  /** Purges of which nobody knows whether they were done. */
  public long openPurges() {
    return counts(Operation.PURGE).failed() + counts(Operation.PURGE).abandoned();
  }

  /** Whether it is known of each object whether a step may have changed it. */
  public boolean knowsUncertain() {
    return uncertain.size() < IngestTally.MAX_NOT_INGESTED;
  }

  Counts counts(Operation operation) {
    return counts.getOrDefault(operation, new Counts(0, 0, 0));
  }

  /** Steps and flushes that were given up, ingests not counted. */
  public long failedOperations() {
    long failed = failedFlushes;
    for (Map.Entry<Operation, Counts> entry : counts.entrySet()) {
      failed += entry.getKey() == Operation.INGEST ? 0 : entry.getValue().failed();
    }
    return failed;
  }
}
