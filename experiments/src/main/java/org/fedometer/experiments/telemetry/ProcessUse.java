package org.fedometer.experiments.telemetry;

/**
 * What a process has used since its start, and what it holds now.
 *
 * @param cpuNanos processor time, of all its threads
 * @param memoryBytes resident memory, or {@link #UNKNOWN}
 * @param diskReadBytes what it made the disk read, or {@link #UNKNOWN}
 */
record ProcessUse(long cpuNanos, long memoryBytes, long diskReadBytes) {

  /** Where Linux shows it to the process's own user only. */
  static final long UNKNOWN = -1;

  /** With counters that are at least those of an earlier reading. */
  ProcessUse atLeast(ProcessUse earlier) {
    return new ProcessUse(
        Math.max(cpuNanos, earlier.cpuNanos),
        memoryBytes,
        Math.max(diskReadBytes, earlier.diskReadBytes));
  }
}
