package org.fedometer.driver.mix;

import java.util.Locale;
import java.util.Objects;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.wire.Counted;

/**
 * Options of a load of several operations.
 *
 * @param mix the operations and their weights
 * @param seed seed of their order and objects
 * @param preload number of the dataset's first objects in Fedora before the first step
 * @param flushEvery number of writes after which Fedora flushes its triples while that worker
 *     waits; 0 for never
 */
public record MixOptions(Mix mix, long seed, long preload, long flushEvery) {

  /** Default number of objects for the first reads. */
  public static final long STANDARD_PRELOAD = 100;

  public MixOptions {
    Objects.requireNonNull(mix, "mix");
    if (preload < 0) {
      throw new IllegalArgumentException("--preload " + preload + ": give 0 or more objects");
    }
    if (flushEvery < 0) {
      throw new IllegalArgumentException("--flush-every " + flushEvery + ": give 1 or more writes");
    }
  }

  /**
   * Returns options with enough objects before the first step.
   *
   * @param preload the user's number, or null for {@value #STANDARD_PRELOAD} or the minimum
   * @param leadingObjects of the dataset; never purged or chosen
   * @throws IllegalArgumentException if the user's number is too small
   */
  public static MixOptions of(
      Mix mix, long seed, Long preload, long flushEvery, long leadingObjects, long steps) {
    long minimum = minPreload(mix, leadingObjects, steps);
    if (preload == null) {
      return new MixOptions(
          mix, seed, minimum == 0 ? 0 : Math.max(STANDARD_PRELOAD, minimum), flushEvery);
    }
    if (preload < minimum) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--preload %,d is not enough for this mix: its steps need %s in Fedora before"
                  + " the first step; give at least that many",
              preload,
              Counted.of(minimum, "object")));
    }
    return new MixOptions(mix, seed, preload, flushEvery);
  }

  /**
   * Returns the preload that leaves at least one object for each step, wherever in a block it is.
   */
  static long minPreload(Mix mix, long leadingObjects, long steps) {
    if (!mix.needsObjects()) {
      return 0;
    }
    long ingests = mix.weight(Operation.INGEST);
    long purges = mix.weight(Operation.PURGE);
    long blocks = (steps + mix.blockLength() - 1) / mix.blockLength();
    long shrinks = Math.max(0, purges - ingests) * Math.max(0, blocks - 1);
    return leadingObjects + shrinks + purges + 1;
  }
}
