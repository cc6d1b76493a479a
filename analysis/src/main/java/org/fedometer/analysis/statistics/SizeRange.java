package org.fedometer.analysis.statistics;

/**
 * A range of repository sizes, in objects loaded.
 *
 * @param from the repository's size before the first object of the range
 * @param to its size after the last one; more than {@code from}
 */
public record SizeRange(long from, long to) {
  public SizeRange {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException(
          "A range of sizes begins at 0 or more and ends above that, but is "
              + from
              + " to "
              + to
              + ".");
    }
  }
}
