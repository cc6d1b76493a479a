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
 * @param warmUpObjects so many objects of each run are cut as its warm-up, 0 or more; {@link
 *     #FOUND_WARM_UP} for those that are found; null for what each run's experiment gives, and
 *     where it gives none for those that are found
 */
public record Choices(
    double threshold,
    double confidence,
    Resampling resampling,
    boolean atEqualSize,
    Long warmUpObjects) {

  /** Takes the warm-up that is found, also where an experiment gives another. */
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
