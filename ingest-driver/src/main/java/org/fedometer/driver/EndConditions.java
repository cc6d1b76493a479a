package org.fedometer.driver;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Conditions that end an ingest before its last object, whichever comes first. None is a failure.
 *
 * @param maxDuration maximum time for sending objects, without pauses; null for no limit
 * @param freeDiskBytes supplier of the free disk space, called once a second; null for no limit
 * @param minFreeDiskBytes free space below which the ingest ends
 */
public record EndConditions(
    Duration maxDuration, LongSupplier freeDiskBytes, long minFreeDiskBytes) {

  public static final EndConditions AT_THE_LAST_OBJECT = new EndConditions(null, null, 0);

  public EndConditions {
    if (maxDuration != null && (maxDuration.isNegative() || maxDuration.isZero())) {
      throw new IllegalArgumentException(
          "the maximum duration must be above zero, not " + maxDuration);
    }
    if (minFreeDiskBytes < 0) {
      throw new IllegalArgumentException(
          "the minimum of free disk space must be 0 bytes or more, not " + minFreeDiskBytes);
    }
  }

  /** Returns these conditions with a maximum duration. */
  public EndConditions withMaxDuration(Duration time) {
    return new EndConditions(Objects.requireNonNull(time, "time"), freeDiskBytes, minFreeDiskBytes);
  }

  public EndConditions withMinFreeDisk(LongSupplier freeBytes, long minFreeBytes) {
    return new EndConditions(
        maxDuration, Objects.requireNonNull(freeBytes, "freeBytes"), minFreeBytes);
  }
}
