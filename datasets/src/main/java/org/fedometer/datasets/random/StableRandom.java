package org.fedometer.datasets.random;

import java.util.List;

/**
 * Random numbers for datasets: SplitMix64, implemented here because a dataset must not change with
 * a JDK or a library. One instance for one stream of one object, used by one thread.
 *
 * @see <a href="https://doi.org/10.1145/2660193.2660195">Steele, Lea and Flood 2014</a>
 */
public final class StableRandom {

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;

  private long state;

  private StableRandom(long state) {
    this.state = state;
  }

  /**
   * Returns numbers that depend only on the arguments.
   *
   * @param seed the user's seed
   * @param stream the number of one of several independent uses
   * @param index any number, such as an object's
   */
  public static StableRandom of(long seed, int stream, long index) {
    return new StableRandom(
        mix(mix(mix(seed + GOLDEN_GAMMA) ^ stream * GOLDEN_GAMMA) + mix(index + GOLDEN_GAMMA)));
  }

  private static long mix(long value) {
    long z = value;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /**
   * Returns a uniform number from zero to below {@code bound}; the bias of at most 2^-32 is
   * accepted.
   *
   * @param bound above zero
   */
  public int nextInt(int bound) {
    return (int) ((nextLong() >>> 32) * bound >>> 32);
  }

  /** Returns a uniform number, both ends included. */
  public int nextBetween(int min, int max) {
    return min + nextInt(max - min + 1);
  }

  /** Returns a uniform number in the open interval from 0 to 1; never either end. */
  public double nextOpen() {
    return ((nextLong() >>> 11) + 0.5) * UNIT;
  }

  public boolean nextChance(double probability) {
    return nextOpen() < probability;
  }

  /** Returns one element, all equally likely. */
  public <T> T pick(T[] choices) {
    return choices[nextInt(choices.length)];
  }

  public <T> T pick(List<T> choices) {
    return choices.get(nextInt(choices.size()));
  }

  /** Returns a Poisson number by multiplication (Knuth); for small means. */
  public int nextPoisson(double mean) {
    double limit = StrictMath.exp(-mean);
    int count = 0;
    for (double product = nextOpen(); product > limit; product *= nextOpen()) {
      count++;
    }
    return count;
  }
}
