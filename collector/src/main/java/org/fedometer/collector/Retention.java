package org.fedometer.collector;

import java.time.Duration;

/**
 * Limits of age and size beyond which runs are deleted, oldest first. Open runs and runs with a
 * file {@code KEEP} are never deleted.
 *
 * @param maxAge time since the run was last written, or null for no limit
 * @param maxBytes size of all runs together, or 0 for no limit
 */
public record Retention(Duration maxAge, long maxBytes) {
  public static final Retention FOREVER = new Retention(null, 0);

  public Retention {
    if (maxAge != null && (maxAge.isNegative() || maxAge.isZero())) {
      throw new IllegalArgumentException("The maximum age must be positive, not " + maxAge);
    }
    if (maxBytes < 0) {
      throw new IllegalArgumentException(
          "The maximum size must be 0 (unlimited) or more, not " + maxBytes);
    }
  }

  boolean isForever() {
    return equals(FOREVER);
  }
}
