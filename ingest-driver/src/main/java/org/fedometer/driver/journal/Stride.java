package org.fedometer.driver.journal;

/**
 * The indices of an ingest: every {@code step}th from {@code first} on.
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
   * Returns how many of the stride's indices are below the given one.
   *
   * @throws IllegalArgumentException if the index is not of the stride
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
