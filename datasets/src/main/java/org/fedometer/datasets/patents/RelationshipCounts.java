package org.fedometer.datasets.patents;

import org.fedometer.datasets.random.StableRandom;

/**
 * Numbers of statements in an object's RELS-EXT. They are skewed like citations (negative binomial,
 * shape 4) and limited, with an exact mean. A table created at start, then read by any thread.
 */
final class RelationshipCounts {

  private static final int SHAPE = 4;

  private final int min;
  private final double[] cumulative;

  /**
   * @param mean the mean of many objects, well inside the two
   */
  RelationshipCounts(int min, int max, double mean) {
    if (!(min < mean && mean < max)) {
      throw new IllegalArgumentException(
          "a mean of %f does not lie between %d and %d".formatted(mean, min, max));
    }
    this.min = min;
    double low = 1e-6;
    double high = 100; // above one, the counts tend to the maximum instead of the minimum
    for (int i = 0; i < 200; i++) {
      double middle = (low + high) / 2;
      if (min + mean(weights(max - min, middle)) < mean) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double[] weights = weights(max - min, low);
    this.cumulative = new double[weights.length];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i];
      cumulative[i] = sum;
    }
    cumulative[weights.length - 1] = 1;
  }

  private static double[] weights(int max, double ratio) {
    double[] weights = new double[max + 1];
    double weight = 1;
    double sum = 0;
    for (int k = 0; k <= max; k++) {
      weights[k] = weight;
      sum += weight;
      weight *= ratio * (k + SHAPE) / (k + 1);
    }
    for (int k = 0; k <= max; k++) {
      weights[k] /= sum;
    }
    return weights;
  }

  private static double mean(double[] weights) {
    double sum = 0;
    for (int k = 1; k < weights.length; k++) {
      sum += k * weights[k];
    }
    return sum;
  }

  int next(StableRandom random) {
    double share = random.nextOpen();
    int k = 0;
    while (cumulative[k] < share) {
      k++;
    }
    return min + k;
  }
}
