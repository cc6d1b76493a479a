package org.fedometer.analysis.statistics;

/**
 * Number and seed of bootstrap repetitions. Results are reproducible with any number of threads.
 *
 * @param repetitions 100 or more
 */
public record Resampling(int repetitions, long seed) {

  /** 1,000 repetitions: the standard error is then known to about 2 %. */
  public static final Resampling DEFAULT = new Resampling(1_000, 1);

  private static final int MIN_REPETITIONS = 100;

  public Resampling {
    if (repetitions < MIN_REPETITIONS) {
      throw new IllegalArgumentException(
          "A bootstrap needs "
              + MIN_REPETITIONS
              + " repetitions or more, but is to do "
              + repetitions
              + ".");
    }
  }
}
