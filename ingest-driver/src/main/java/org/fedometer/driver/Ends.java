package org.fedometer.driver;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * What ends an ingest before its last object, whichever comes first; nothing of it is a failure.
 *
 * @param longest how long objects may be sent, pauses not counted; null for any time
 * @param diskLeftBytes tells what a disk has left, and is asked once a second; null if it does not
 *     matter
 * @param leastDiskBytes with less left than this, it ends
 */
public record Ends(Duration longest, LongSupplier diskLeftBytes, long leastDiskBytes) {

  public static final Ends AT_THE_LAST_OBJECT = new Ends(null, null, 0);

  public Ends {
    if (longest != null && (longest.isNegative() || longest.isZero())) {
      throw new IllegalArgumentException("an ingest takes some time, not " + longest);
    }
    if (leastDiskBytes < 0) {
      throw new IllegalArgumentException("no disk has " + leastDiskBytes + " bytes left");
    }
  }

  /** Ends as these do, and when that time is over. */
  public Ends after(Duration time) {
    return new Ends(Objects.requireNonNull(time, "time"), diskLeftBytes, leastDiskBytes);
  }

  public Ends untilDiskLeft(LongSupplier leftBytes, long leastBytes) {
    return new Ends(longest, Objects.requireNonNull(leftBytes, "leftBytes"), leastBytes);
  }
}
