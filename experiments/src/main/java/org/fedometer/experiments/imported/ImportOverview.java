package org.fedometer.experiments.imported;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Overview of a file of measurements. Immutable.
 *
 * @param sha256 of the file on disk, in hexadecimal digits
 * @param operations requests by operation
 * @param timesKnown true if the file, or the user, gives start times
 * @param workers number of workers; 0 if unknown
 * @param resolutionNanos resolution of the durations, as inferred; 1 or more
 * @param notes assumptions and omissions, a sentence each
 */
public record ImportOverview(
    String sha256,
    long requests,
    Map<String, Operation> operations,
    boolean timesKnown,
    int workers,
    long resolutionNanos,
    List<String> notes) {

  public ImportOverview {
    operations = new TreeMap<>(operations);
    notes = List.copyOf(notes);
  }

  /**
   * Requests of one operation.
   *
   * @param firstStartNanos start of the first, in nanoseconds since 1970
   * @param lastEndNanos end of the last
   */
  public record Operation(long count, long failed, long firstStartNanos, long lastEndNanos) {}

  public long failed() {
    return operations.values().stream().mapToLong(Operation::failed).sum();
  }

  /** Returns the start of the first request; 0 if there is none. */
  public long firstStartNanos() {
    return operations.values().stream().mapToLong(Operation::firstStartNanos).min().orElse(0);
  }

  /** Returns the end of the last request; 0 if there is none. */
  public long lastEndNanos() {
    return operations.values().stream().mapToLong(Operation::lastEndNanos).max().orElse(0);
  }
}
