package org.fedometer.experiments.imported;

import java.time.Instant;
import java.util.Objects;

/**
 * Interpretation of a file of measurements. Immutable.
 *
 * @param unit of durations; of the other formats null, since they say so themselves
 * @param ingestLabel requests of this label are ingests; null where the format or the file says so
 * @param started when the first request began, for a file without times; null if that is not known
 * @param skipInvalid leave out lines that are broken instead of refusing the file
 */
public record ImportChoices(
    ImportFormat format,
    DurationUnit unit,
    String ingestLabel,
    Instant started,
    boolean skipInvalid) {

  /**
   * @throws IllegalArgumentException with a one-sentence message, if the values conflict
   */
  public ImportChoices {
    Objects.requireNonNull(format, "format");
    boolean durations = format == ImportFormat.DURATIONS;
    if (!durations && unit != null) {
      throw new IllegalArgumentException(
          "--unit is for durations only: " + format.id() + " has a fixed unit");
    }
    if (durations && ingestLabel != null) {
      throw new IllegalArgumentException(
          "--ingest-label is for formats with labels: durations have none");
    }
    boolean hasTimes =
        format == ImportFormat.YCSB || format == ImportFormat.K6 || format == ImportFormat.GATLING;
    if (hasTimes && started != null) {
      throw new IllegalArgumentException(
          "--start-time is for a file without times: " + format.id() + " writes them");
    }
    if (started != null && !Numbers.isTime(started)) {
      throw new IllegalArgumentException(
          "--start-time " + started + " is not a time between 1990 and 2100");
    }
    unit =
        unit != null
            ? unit
            : switch (format) {
              case DURATIONS, JMETER, K6, GATLING -> DurationUnit.MS;
              case YCSB -> DurationUnit.US;
              case HYPERFINE -> DurationUnit.S;
            };
  }

  /** Returns the origin of computed times, in nanoseconds since 1970. */
  long firstStartNanos() {
    return started == null ? 0 : Numbers.epochNanos(started.toEpochMilli());
  }
}
