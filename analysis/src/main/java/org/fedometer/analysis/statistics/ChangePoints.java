package org.fedometer.analysis.statistics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Finds changes of a series' distribution by E-divisive. Segments are repeatedly divided where the
 * energy distance between both parts is largest, while a permutation test finds it significant. The
 * only assumption on the distributions is that they have a mean. Pure, safe on any thread.
 *
 * <p>Source: D. S. Matteson and N. A. James, "A nonparametric approach for multiple change point
 * analysis of multivariate data", JASA 109(505), 2014 (arXiv 2013). As there, with the exponent 1,
 * the part after a division may end before the segment does, so that a temporary change is found. A
 * search needs time quadratic in the segment's length, about a millisecond for 1,000 observations,
 * and linear memory.
 *
 * <p>The test assumes exchangeable observations where nothing changes: use means of intervals that
 * are nearly independent.
 */
public final class ChangePoints {

  /** Limit of observations; use means of longer intervals instead. */
  public static final int MAX_OBSERVATIONS = 1_000;

  /** Maximum probability of finding a change where there is none. */
  public static final double SIGNIFICANCE = 0.05;

  private static final int PERMUTATIONS = 199;

  private ChangePoints() {}

  /**
   * A change of a series.
   *
   * @param index the first observation after the change
   * @param pValue share, of 200 series, of shuffled ones that divide as well; at most {@link
   *     #SIGNIFICANCE}
   */
  public record ChangePoint(int index, double pValue) {}

  /** A segment of the series and its best division. */
  private record Segment(int from, int to, int split, double distance) {}

  /**
   * Finds the change points of a series.
   *
   * @param series finite values, at most {@link #MAX_OBSERVATIONS}
   * @param smallestSegment minimum number of observations between two changes, at least 2
   * @return in the order of the series
   */
  public static List<ChangePoint> find(double[] series, int smallestSegment, long seed) {
    if (series.length > MAX_OBSERVATIONS || smallestSegment < 2) {
      throw new IllegalArgumentException(
          "Change points are found in "
              + MAX_OBSERVATIONS
              + " observations at most, in segments of 2 or more, not in "
              + series.length
              + " and "
              + smallestSegment
              + ".");
    }
    List<Segment> segments = new ArrayList<>();
    List<ChangePoint> found = new ArrayList<>();
    segments.add(divide(series, 0, series.length, smallestSegment));
    SplittableRandom random = new SplittableRandom(seed);
    while (true) {
      Segment best =
          segments.stream().max(Comparator.comparingDouble(Segment::distance)).orElseThrow();
      if (best.split() < 0) {
        break;
      }
      double pValue = pValue(series, segments, best.distance(), smallestSegment, random);
      if (pValue > SIGNIFICANCE) {
        break;
      }
      found.add(new ChangePoint(best.split(), pValue));
      segments.remove(best);
      segments.add(divide(series, best.from(), best.split(), smallestSegment));
      segments.add(divide(series, best.split(), best.to(), smallestSegment));
    }
    found.sort(Comparator.comparingInt(ChangePoint::index));
    return found;
  }

  /**
   * Shuffles within the segments and counts how often their best division is as good. Stops once
   * the result cannot be significant; the p-value is then too small, but above {@link
   * #SIGNIFICANCE}.
   */
  private static double pValue(
      double[] series,
      List<Segment> segments,
      double distance,
      int smallestSegment,
      SplittableRandom random) {
    int asGood = 0;
    for (int permutation = 0; permutation < PERMUTATIONS; permutation++) {
      double[] shuffled = series.clone();
      boolean reached = false;
      for (Segment segment : segments) {
        shuffle(shuffled, segment.from(), segment.to(), random);
        reached =
            reached
                || divide(shuffled, segment.from(), segment.to(), smallestSegment).distance()
                    >= distance;
      }
      asGood += reached ? 1 : 0;
      if (asGood + 1 > SIGNIFICANCE * (PERMUTATIONS + 1)) {
        break;
      }
    }
    return (asGood + 1.0) / (PERMUTATIONS + 1);
  }

  private static void shuffle(double[] values, int from, int to, SplittableRandom random) {
    for (int i = to - 1; i > from; i--) {
      int other = from + random.nextInt(i - from + 1);
      double value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
  }

  /**
   * Returns the division of a segment with the largest distance; split -1 and distance 0 if it is
   * too short.
   */
  private static Segment divide(double[] series, int from, int to, int smallestSegment) {
    int n = to - from;
    if (n < 2 * smallestSegment) {
      return new Segment(from, to, -1, 0);
    }
    // By observation: the sum of its distances to all before it.
    double[] toAllBefore = new double[n];
    for (int k = 1; k < n; k++) {
      double sum = 0;
      double value = series[from + k];
      for (int i = 0; i < k; i++) {
        sum += Math.abs(value - series[from + i]);
      }
      toAllBefore[k] = sum;
    }
    double[] oneBy = new double[n + 1];
    double[] twoBy = new double[n + 1];
    for (int i = 1; i <= n; i++) {
      oneBy[i] = 1.0 / i;
      twoBy[i] = 2.0 / i;
    }
    // By observation: the sum of its distances to the first `split` ones.
    double[] toLeft = new double[n];
    double withinLeft = 0;
    double largest = 0;
    int best = -1;
    for (int split = 1; split <= n - smallestSegment; split++) {
      double moved = series[from + split - 1];
      withinLeft += toAllBefore[split - 1];
      for (int k = split; k < n; k++) {
        toLeft[k] += Math.abs(series[from + k] - moved);
      }
      if (split < smallestSegment) {
        continue;
      }
      double leftTerm = withinLeft * 2 / (split - 1);
      double between = 0;
      double withinRight = 0;
      for (int k = split; k < n; k++) {
        between += toLeft[k];
        withinRight += toAllBefore[k] - toLeft[k];
        int right = k - split + 1;
        if (right >= smallestSegment) {
          double distance =
              (2 * between - leftTerm * right - withinRight * split * twoBy[right - 1])
                  * oneBy[k + 1];
          if (distance > largest) {
            largest = distance;
            best = split;
          }
        }
      }
    }
    return new Segment(from, to, best < 0 ? -1 : from + best, largest);
  }
}
