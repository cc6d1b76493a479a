package org.fedometer.analysis.statistics;

/** What may be said of a contender against the baseline. */
public enum Verdict {
  BETTER("better"),
  WORSE("worse"),
  /** The interval lies inside the practical threshold: no difference that matters. */
  SAME("same"),
  /** The interval holds both no difference and one that matters. */
  INCONCLUSIVE("inconclusive");

  private final String jsonName;

  Verdict(String jsonName) {
    this.jsonName = jsonName;
  }

  public String jsonName() {
    return jsonName;
  }

  /**
   * Judges an interval of the ratio contender / baseline.
   *
   * <p>{@link #SAME} if all of the interval lies from {@code 1 - threshold} to {@code 1 +
   * threshold}, also where it excludes 1: such a difference is real and too small to matter.
   * Otherwise {@link #BETTER} or {@link #WORSE}, by the metric's direction, if the interval
   * excludes 1. Otherwise {@link #INCONCLUSIVE}. An interval that excludes 1 and reaches across the
   * threshold is a difference in that direction whose size is not known well.
   *
   * @param low lower bound, at most {@code high}
   * @param high upper bound
   * @param threshold the smallest relative difference that matters, from 0 to below 1, such as 0.03
   */
  public static Verdict of(Metric metric, double low, double high, double threshold) {
    if (!(low <= high)) {
      throw new IllegalArgumentException(
          "The interval's bounds are " + low + " and " + high + ": the lower one comes first.");
    }
    if (!(threshold >= 0 && threshold < 1)) {
      throw new IllegalArgumentException(
          "The threshold is a share from 0 to below 1, such as 0.03, but is " + threshold + ".");
    }
    if (low >= 1 - threshold && high <= 1 + threshold) {
      return SAME;
    }
    if (low <= 1 && high >= 1) {
      return INCONCLUSIVE;
    }
    return low > 1 == metric.higherIsBetter() ? BETTER : WORSE;
  }
}
