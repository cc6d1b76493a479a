package org.fedometer.experiments.imported;

import java.time.Duration;

/**
 * Computes start times if only durations are known: each request begins when the last has ended.
 */
final class AddedTimes {
  private static final String ASSUMED =
      "The file has no times: each request is assumed to start when the one before it ends,"
          + " as in a closed model of one worker";

  private static final long MAX_NANOS = Duration.ofDays(100 * 365).toNanos();

  private final long firstNanos;
  private long sumNanos;

  AddedTimes(ImportChoices choices, ImportNotes notebook) {
    this.firstNanos = choices.firstStartNanos();
    notebook.addTimes();
    notebook.assume(
        ASSUMED
            + (choices.started() == null
                ? "; the start of the first is unknown and set to 1970-01-01."
                : ", the first at " + choices.started() + "."));
  }

  /**
   * @throws UnreadableMeasurementsException if the sum exceeds any plausible measurement
   */
  long startOf(long durationNanos, long line) {
    long start = firstNanos + sumNanos;
    sumNanos += durationNanos;
    if (sumNanos > MAX_NANOS) {
      throw new UnreadableMeasurementsException(
          "line " + line + ": the durations add up to more than 100 years; check --unit");
    }
    return start;
  }
}
