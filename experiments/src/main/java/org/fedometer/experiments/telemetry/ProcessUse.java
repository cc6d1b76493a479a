package org.fedometer.experiments.telemetry;

/**
 * A process's usage since its start, and its current memory.
 *
 * @param cpuNanos processor time of all its threads
 * @param memoryBytes resident memory, or {@link #UNKNOWN}
 * @param diskReadBytes its reads from the disk, or {@link #UNKNOWN}
 */
record ProcessUse(long cpuNanos, long memoryBytes, long diskReadBytes) {

  /** Linux shows it only to the process's own user. */
  static final long UNKNOWN = -1;

  /** Returns this usage, with counters at least those of an earlier reading. */
  ProcessUse atLeast(ProcessUse earlier) {
    return new ProcessUse(
        Math.max(cpuNanos, earlier.cpuNanos),
        memoryBytes,
        Math.max(diskReadBytes, earlier.diskReadBytes));
  }
}
