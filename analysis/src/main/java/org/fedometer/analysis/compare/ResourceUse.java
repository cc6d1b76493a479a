package org.fedometer.analysis.compare;

import java.util.List;

/**
 * What a run used in its measured part. What is not on record is null, also processor time of less
 * than ten ticks of 10 ms, and what Fedora and a database server used together where one of them is
 * not. Immutable.
 *
 * @param processors that the machine or the container had
 * @param fedoraCpuNanos processor time of Fedora's process for each object; of a Derby, too
 * @param databaseCpuNanos of a database server of the stack's own, for each object
 * @param cpuNanos of Fedora and the database together, for each object
 * @param driverCpuNanos of the driver, for each object
 * @param processorsBusy share of all processors that the three kept busy, 0 to 1
 * @param machineBusy share of all processors that anything kept busy, as Fedora's JVM saw it, 0 to
 *     1
 * @param gcShare share of the time in which Fedora's threads stood still for garbage collection
 * @param diskWrittenBytes what the disks of Fedora and its database wrote, for each object, whoever
 *     asked for it, the collector among them where it is on the same disk
 * @param memoryBytes largest resident memory of Fedora plus that of the database
 * @param waits where requests waited for each other, longest first; empty without samples
 */
public record ResourceUse(
    Double processors,
    Double fedoraCpuNanos,
    Double databaseCpuNanos,
    Double cpuNanos,
    Double driverCpuNanos,
    Double processorsBusy,
    Double machineBusy,
    Double gcShare,
    Long gcPauses,
    Double diskWrittenBytes,
    Double memoryBytes,
    List<Wait> waits) {

  public ResourceUse {
    waits = List.copyOf(waits);
  }

  /**
   * Requests that wait for something that another one has.
   *
   * @param nanos for each object
   * @param share of the time of all requests, 0 to 1
   */
  public record Wait(String stage, double nanos, double share) {
    static final String POOL = "pool.acquire";

    boolean forConnection() {
      return stage.equals(POOL);
    }
  }

  /** The database's part of that, 0 to 1; null where it has no process of its own on record. */
  public Double databaseCpuShare() {
    return databaseCpuNanos == null || cpuNanos == null || cpuNanos == 0
        ? null
        : (Double) (databaseCpuNanos / cpuNanos);
  }
}
