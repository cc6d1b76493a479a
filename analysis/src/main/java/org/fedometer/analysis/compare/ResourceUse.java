package org.fedometer.analysis.compare;

import java.util.List;

/**
 * Resources that a run used in its measured part. Values not recorded are null; so are CPU times
 * below ten ticks of 10 ms, and sums of Fedora and a database server if one is missing. Immutable.
 *
 * @param processors CPUs of the machine or container
 * @param fedoraCpuNanos CPU time of Fedora's process per object, including Derby
 * @param databaseCpuNanos of the stack's database server, per object
 * @param cpuNanos of Fedora and the database together, per object
 * @param driverCpuNanos of the driver, per object
 * @param processorsBusy share of all CPUs used by these three, 0 to 1
 * @param machineBusy share of all CPUs used by any process, as seen by Fedora's JVM, 0 to 1
 * @param gcShare share of the time in which garbage collection stopped Fedora's threads
 * @param diskWrittenBytes bytes written to the disks of Fedora and its database per object, by any
 *     process, including a collector on the same disk
 * @param memoryBytes largest resident memory of Fedora plus that of the database
 * @param waits waits of requests for each other, longest first; empty without samples
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
   * Waiting of requests for a resource that another one holds.
   *
   * @param nanos per object
   * @param share of the time of all requests, 0 to 1
   */
  public record Wait(String stage, double nanos, double share) {
    static final String POOL = "pool.acquire";

    boolean forConnection() {
      return stage.equals(POOL);
    }
  }

  /**
   * Returns the database's share of {@code cpuNanos}, 0 to 1; null without a recorded process of
   * its own.
   */
  public Double databaseCpuShare() {
    return databaseCpuNanos == null || cpuNanos == null || cpuNanos == 0
        ? null
        : (Double) (databaseCpuNanos / cpuNanos);
  }
}
