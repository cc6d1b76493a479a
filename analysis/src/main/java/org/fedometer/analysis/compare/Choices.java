package org.fedometer.analysis.compare;

import java.util.Objects;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.Resampling;

/**
 * User options of a comparison. Immutable.
 *
 * @param threshold smallest relevant relative difference, at least 0 and below 1, such as 0.03
 * @param confidence of all intervals, between 0 and 1, such as 0.95
 * @param resampling for results within one run
 * @param atEqualSize whether only repository sizes count that all runs passed through
 * @param warmUpObjects objects of each run to cut as warm-up, at least 0; {@link #FOUND_WARM_UP} to
 *     detect them; null for each run's experiment's value, or detection without one
 */
public record Choices(
    double threshold,
    double confidence,
    Resampling resampling,
    boolean atEqualSize,
    Long warmUpObjects) {

  /** Detects the warm-up even if an experiment sets it. */
  public static final long FOUND_WARM_UP = -1;

  public static final Choices DEFAULT =
      new Choices(
          Comparison.DEFAULT_THRESHOLD,
          Comparison.DEFAULT_CONFIDENCE,
          Resampling.DEFAULT,
          false,
          null);

  public Choices {
    Objects.requireNonNull(resampling, "resampling");
    if (!(threshold >= 0 && threshold < 1)) {
      throw new IllegalArgumentException(
          "the threshold is a share from 0 to below 1, such as 0.03, but is " + threshold);
    }
    if (warmUpObjects != null && warmUpObjects < FOUND_WARM_UP) {
      throw new IllegalArgumentException(
          "the warm-up is 0 objects or more, but is " + warmUpObjects);
    }
    if (!(confidence >= 0.5 && confidence < 1)) {
      throw new IllegalArgumentException(
          "the confidence is a share from 0.5 to below 1, such as 0.95, but is " + confidence);
    }
  }
}
