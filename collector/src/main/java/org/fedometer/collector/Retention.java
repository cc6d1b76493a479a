package org.fedometer.collector;

import java.time.Duration;

/**
 * When runs are deleted, the oldest first. Runs that are open, and those that hold a file called
 * {@code KEEP}, stay.
 *
 * @param maxAge since a run was last written, or null for however old
 * @param maxBytes that all runs together may have, or 0 for any size
 */
public record Retention(Duration maxAge, long maxBytes) {
  public static final Retention FOREVER = new Retention(null, 0);

  public Retention {
    if (maxAge != null && (maxAge.isNegative() || maxAge.isZero())) {
      throw new IllegalArgumentException("An age is more than nothing, not " + maxAge);
    }
    if (maxBytes < 0) {
      throw new IllegalArgumentException("A size is 0 (any) or more, not " + maxBytes);
    }
  }

  boolean isForever() {
    return equals(FOREVER);
  }
}
