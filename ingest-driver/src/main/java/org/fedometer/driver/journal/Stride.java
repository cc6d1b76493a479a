package org.fedometer.driver.journal;

/**
 * Which indices an ingest has to do with: every {@code step}th from {@code first} on.
 *
 * @param step 1 or more
 * @param first 0 to {@code step - 1}
 */
public record Stride(int step, int first) {

  public static final Stride ALL = new Stride(1, 0);

  public Stride {
    if (step < 1 || first < 0 || first >= step) {
      throw new IllegalArgumentException("There is no stride of " + step + " from " + first + ".");
    }
  }

  boolean has(long index) {
    return Math.floorMod(index, step) == first;
  }

  /**
   * How many of these indices are below one of them.
   *
   * @throws IllegalArgumentException if it is none of them
   */
  long ordinal(long index) {
    if (!has(index)) {
      throw new IllegalArgumentException("Index " + index + " is not of " + this + ".");
    }
    return index / step;
  }

  long index(long ordinal) {
    return ordinal * step + first;
  }
}
