package org.fedometer.analysis.statistics;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The stationary bootstrap: resamples of a dependent series, made of blocks that begin anywhere,
 * have geometrically distributed lengths and run on from the end to the beginning. Source: D. N.
 * Politis and J. P. Romano, "The stationary bootstrap", JASA 89(428), 1994.
 *
 * <p>A resample is told by how often each observation is in it, which is all that sums, means and
 * percentiles need. Each repetition has a random generator of its own, so that the results do not
 * depend on the number of threads. Repetitions run on the common fork-join pool. Immutable, safe on
 * any thread.
 */
final class StationaryBootstrap {
  private final int size;
  private final double blockLength;
  private final Resampling resampling;

  /**
   * @param size how many observations the series has, 1 or more
   * @param blockLength mean length of a block in observations, 1 or more
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
   * Works out a statistic of each resample.
   *
   * @param statistic of how often each observation counts; called on several threads at once, and
   *     must not keep the array
   * @return in the order of the repetitions
   */
  double[] repeat(ToDoubleFunction<int[]> statistic) {
    return IntStream.range(0, resampling.repetitions())
        .parallel()
        .mapToDouble(repetition -> statistic.applyAsDouble(weights(repetition)))
        .toArray();
  }

  /** How often each observation is in this resample; they sum to the size of the series. */
  int[] weights(int repetition) {
    // Seeds that differ by 1 make unrelated generators of this class; only the seed itself has to
    // be mixed, or repetition 2 of seed 1 would be repetition 1 of seed 2.
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
