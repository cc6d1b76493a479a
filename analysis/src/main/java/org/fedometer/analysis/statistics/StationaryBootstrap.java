package org.fedometer.analysis.statistics;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The stationary bootstrap: resamples a dependent series in blocks with random starts and
 * geometrically distributed lengths, wrapping around at the end. Source: D. N. Politis and J. P.
 * Romano, "The stationary bootstrap", JASA 89(428), 1994.
 *
 * <p>A resample is the multiplicity of each observation, which suffices for sums, means and
 * percentiles. Each repetition has its own random generator, so results do not depend on the number
 * of threads. Uses the common fork-join pool. Immutable, safe on any thread.
 */
final class StationaryBootstrap {
  private final int size;
  private final double blockLength;
  private final Resampling resampling;

  /**
   * @param size number of observations of the series, at least 1
   * @param blockLength mean length of a block in observations, at least 1
   */
  StationaryBootstrap(int size, double blockLength, Resampling resampling) {
    if (size < 1 || !(blockLength >= 1)) {
      throw new IllegalArgumentException(
          "A bootstrap needs one observation and blocks of one at least, not "
              + size
              + " and "
              + blockLength
              + ".");
    }
    this.size = size;
    this.blockLength = blockLength;
    this.resampling = resampling;
  }

  /**
   * Computes a statistic of each resample.
   *
   * @param statistic of the multiplicities of observations; called on several threads at once, and
   *     must not keep the array
   * @return in the order of the repetitions
   */
  double[] repeat(ToDoubleFunction<int[]> statistic) {
    return IntStream.range(0, resampling.repetitions())
        .parallel()
        .mapToDouble(repetition -> statistic.applyAsDouble(weights(repetition)))
        .toArray();
  }

  /** Returns the multiplicities of observations in this resample, with the series' size as sum. */
  int[] weights(int repetition) {
    // Seeds that differ by 1 make independent generators of this class. Only the seed itself is
    // mixed: otherwise repetition 2 of seed 1 would equal repetition 1 of seed 2.
    long first = new SplittableRandom(resampling.seed()).nextLong();
    SplittableRandom random = new SplittableRandom(first + repetition);
    double goesOn = 1 - 1 / blockLength;
    int[] weights = new int[size];
    int at = random.nextInt(size);
    for (int drawn = 0; drawn < size; drawn++) {
      weights[at]++;
      if (random.nextDouble() < goesOn) {
        at = at + 1 == size ? 0 : at + 1;
      } else {
        at = random.nextInt(size);
      }
    }
    return weights;
  }
}
