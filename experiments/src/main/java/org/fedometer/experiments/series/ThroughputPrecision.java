package org.fedometer.experiments.series;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fedometer.analysis.compare.Choices;
import org.fedometer.analysis.compare.Contender;
import org.fedometer.analysis.compare.Lineup;
import org.fedometer.analysis.compare.ProfileComparison;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.Scope;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.StoreView;
import org.fedometer.store.query.QueryException;

/**
 * Decides whether the confidence interval of each profile's throughput ratio to the baseline, as
 * shown by {@code compare}, is narrow enough. Stateless.
 */
final class ThroughputPrecision {
  private final double width;

  /**
   * @param width largest relative distance of an interval's ends from its middle
   */
  ThroughputPrecision(double width) {
    this.width = width;
  }

  /**
   * @param enough true if no further repetition is needed
   * @param text the precision, a sentence
   */
  record Judgement(boolean enough, String text) {}

  /**
   * @param experiment with at least two profiles
   * @throws IOException if the measurements cannot be read
   */
  Judgement of(StoreView store, String experiment) throws IOException {
    ProfileComparison comparison;
    try {
      comparison =
          ProfileComparison.of(Lineup.of(store, List.of(experiment), null), Choices.DEFAULT);
    } catch (QueryException | NoSuchRunException e) {
      throw new IOException("The measurements cannot be read: " + e.getMessage(), e);
    }
    double widest = 0;
    String of = "";
    for (Contender contender : comparison.contenders()) {
      Optional<RatioEstimate> ratio = contender.service(Metric.THROUGHPUT);
      if (ratio.isEmpty() || ratio.get().scope() != Scope.BETWEEN_RUNS) {
        return new Judgement(
            false,
            "The variation between runs of "
                + contender.profile().label()
                + " is not known yet: another repetition is made.");
      }
      double profileWidth = width(ratio.get());
      if (profileWidth >= widest) {
        widest = profileWidth;
        of = contender.profile().label();
      }
    }
    return new Judgement(
        widest <= width,
        String.format(
            Locale.ROOT,
            "The throughput ratio of %s to %s is uncertain by %s; the goal is %.1f %%.",
            of,
            comparison.baseline().label(),
            widest < 1 ? String.format(Locale.ROOT, "%.1f %%", 100 * widest) : "more than 100 %",
            100 * width));
  }

  /** Returns the larger distance, since intervals of ratios extend further up than down. */
  private static double width(RatioEstimate ratio) {
    if (Double.isNaN(ratio.ratio())) {
      return Double.POSITIVE_INFINITY;
    }
    return Math.max(ratio.high() / ratio.ratio(), ratio.ratio() / ratio.low()) - 1;
  }
}
