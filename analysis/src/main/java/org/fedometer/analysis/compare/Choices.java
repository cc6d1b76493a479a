package org.fedometer.analysis.compare;

import java.util.Objects;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.Resampling;

/**
 * What a user may choose of a comparison. Immutable.
 *
 * @param threshold the smallest relative difference that matters, from 0 to below 1, such as 0.03
 * @param confidence of all intervals, between 0 and 1, such as 0.95
 * @param resampling of what is told within one run
 * @param atEqualSize whether only objects count by which the repository grew over sizes that all
 *     runs went through
 */
public record Choices(
    double threshold, double confidence, Resampling resampling, boolean atEqualSize) {

  /** What counts where the user chooses nothing. */
  public static final Choices DEFAULT =
      new Choices(
          Comparison.DEFAULT_THRESHOLD, Comparison.DEFAULT_CONFIDENCE, Resampling.DEFAULT, false);

  public Choices {
    Objects.requireNonNull(resampling, "resampling");
    if (!(threshold >= 0 && threshold < 1)) {
      throw new IllegalArgumentException(
          "the threshold is a share from 0 to below 1, such as 0.03, but is " + threshold);
    }
    if (!(confidence >= 0.5 && confidence < 1)) {
      throw new IllegalArgumentException(
          "the confidence is a share from 0.5 to below 1, such as 0.95, but is " + confidence);
    }
  }
}
