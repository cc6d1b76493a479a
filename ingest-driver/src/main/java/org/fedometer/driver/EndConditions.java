package org.fedometer.driver;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * What ends an ingest before its last object, whichever comes first; nothing of it is a failure.
 *
 * @param maxDuration how long objects may be sent, pauses not counted; null for any time
 * @param freeDiskBytes tells what a disk has left, and is asked once a second; null if it does not
 *     matter
 * @param minFreeDiskBytes with less left than this, it ends
 */
public record EndConditions(
    Duration maxDuration, LongSupplier freeDiskBytes, long minFreeDiskBytes) {

  public static final EndConditions AT_THE_LAST_OBJECT = new EndConditions(null, null, 0);

  public EndConditions {
    if (maxDuration != null && (maxDuration.isNegative() || maxDuration.isZero())) {
      throw new IllegalArgumentException("an ingest takes some time, not " + maxDuration);
    }
    if (minFreeDiskBytes < 0) {
      throw new IllegalArgumentException("no disk has " + minFreeDiskBytes + " bytes left");
    }
  }

  /** Ends as these do, and when that time is over. */
  public EndConditions withMaxDuration(Duration time) {
    return new EndConditions(Objects.requireNonNull(time, "time"), freeDiskBytes, minFreeDiskBytes);
  }

  public EndConditions withMinFreeDisk(LongSupplier freeBytes, long minFreeBytes) {
    return new EndConditions(
        maxDuration, Objects.requireNonNull(freeBytes, "leftBytes"), minFreeBytes);
  }
}
