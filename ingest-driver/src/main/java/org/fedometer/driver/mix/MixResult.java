package org.fedometer.driver.mix;

import java.util.Map;
import java.util.Set;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.load.IngestTally;

/**
 * Result of the steps of a mix.
 *
 * @param steps requested
 * @param begun number of steps that were begun, the lowest ones
 * @param counts steps by operation, including ingests
 * @param failedFlushes requested flushes that failed or whose outcome is unknown
 * @param uncertain indices of objects that a failed or abandoned step may have changed, at most
 *     {@link IngestTally#MAX_NOT_INGESTED}
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

  /** Returns the number of purges with unknown outcome. */
  public long openPurges() {
    return counts(Operation.PURGE).failed() + counts(Operation.PURGE).abandoned();
  }

  /** Returns whether the set of uncertain objects is complete. */
  public boolean knowsUncertain() {
    return uncertain.size() < IngestTally.MAX_NOT_INGESTED;
  }

  Counts counts(Operation operation) {
    return counts.getOrDefault(operation, new Counts(0, 0, 0));
  }

  /** Returns the number of failed steps and flushes, without ingests. */
  public long failedOperations() {
    long failed = failedFlushes;
    for (Map.Entry<Operation, Counts> entry : counts.entrySet()) {
      failed += entry.getKey() == Operation.INGEST ? 0 : entry.getValue().failed();
    }
    return failed;
  }
}
