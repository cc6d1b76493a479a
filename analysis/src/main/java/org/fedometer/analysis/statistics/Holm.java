package org.fedometer.analysis.statistics;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Holm's step-down adjustment of a family of comparisons: limits the probability of any false
 * difference to the level, for any dependence. Source: S. Holm, "A simple sequentially rejective
 * multiple test procedure", Scandinavian Journal of Statistics 6(2), 1979. Pure, safe on any
 * thread.
 */
public final class Holm {

  private Holm() {}

  /**
   * Returns adjusted p-values in the given order: the j-th smallest of m is multiplied by {@code m
   * - j + 1}, and none is below that of a smaller one, nor above 1.
   */
  public static double[] adjusted(double[] pValues) {
    int[] order = ascending(pValues);
    double[] adjusted = new double[pValues.length];
    double largest = 0;
    for (int j = 0; j < order.length; j++) {
      largest = Math.max(largest, Math.min(1, (order.length - j) * pValues[order[j]]));
      adjusted[order[j]] = largest;
    }
    return adjusted;
  }

  /**
   * Returns the level of each comparison's interval in the given order. The intervals agree with
   * the adjusted p-values: one excludes no difference exactly if its adjusted p-value is at most
   * {@code level}. The j-th smallest p-value of m is compared with {@code level / (m - j + 1)};
   * from the first that exceeds its own on, all use that one's.
   *
   * <p>Each interval has a coverage of at least {@code 1 - level}. A step-down method does not
   * guarantee simultaneous coverage.
   *
   * @param level of the whole family, between 0 and 1, such as 0.05
   */
  public static double[] levels(double[] pValues, double level) {
    int[] order = ascending(pValues);
    double[] levels = new double[pValues.length];
    boolean stopped = false;
    double adjustedLevel = level;
    for (int j = 0; j < order.length; j++) {
      if (!stopped) {
        adjustedLevel = level / (order.length - j);
        stopped = pValues[order[j]] > adjustedLevel;
      }
      levels[order[j]] = adjustedLevel;
    }
    return levels;
  }

  private static int[] ascending(double[] pValues) {
    for (double pValue : pValues) {
      if (!(pValue >= 0 && pValue <= 1)) {
        throw new IllegalArgumentException(
            "A p-value lies from 0 to 1, but one is " + pValue + ".");
      }
    }
    return IntStream.range(0, pValues.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> pValues[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
