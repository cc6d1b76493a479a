package org.fedometer.analysis.statistics;

/** The result of comparing a contender with the baseline. */
public enum Verdict {
  BETTER("better"),
  WORSE("worse"),
  /** The interval is inside the practical threshold: no relevant difference. */
  SAME("same"),
  /** The interval contains both no difference and a relevant one. */
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
   * <p>{@link #SAME} if the whole interval is from {@code 1 - threshold} to {@code 1 + threshold},
   * even if it excludes 1: the difference is then real but irrelevant. Otherwise {@link #BETTER} or
   * {@link #WORSE}, by the metric's direction, if the interval excludes 1. Otherwise {@link
   * #INCONCLUSIVE}. If an interval excludes 1 and crosses the threshold, the direction of the
   * difference is known, but not its size.
   *
   * @param low lower bound, at most {@code high}
   * @param high upper bound
   * @param threshold smallest relevant relative difference, at least 0 and below 1, such as 0.03
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
