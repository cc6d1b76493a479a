package org.fedometer.experiments.imported;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a file of measurements holds, as a whole. Immutable.
 *
 * @param sha256 of the file as it lies there, in hexadecimal digits
 * @param operations how many requests each has, by name
 * @param timesKnown whether the file, or the user, says when requests began
 * @param workers that sent them; 0 where that is not known
 * @param resolutionNanos how exactly durations were measured, as they show it; 1 or more
 * @param notes what was assumed, and what was left out, a sentence each
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
   * @param firstStartNanos when the first began, in nanoseconds since 1970
   * @param lastEndNanos when the last had ended
   */
  public record Operation(long count, long failed, long firstStartNanos, long lastEndNanos) {}

  public long failed() {
    return operations.values().stream().mapToLong(Operation::failed).sum();
  }

  /** When the first of all began; 0 where there is none. */
  public long firstStartNanos() {
    return operations.values().stream().mapToLong(Operation::firstStartNanos).min().orElse(0);
  }

  /** When the last of all had ended; 0 where there is none. */
  public long lastEndNanos() {
    return operations.values().stream().mapToLong(Operation::lastEndNanos).max().orElse(0);
  }
}
