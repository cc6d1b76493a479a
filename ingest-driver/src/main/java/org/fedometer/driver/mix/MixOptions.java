package org.fedometer.driver.mix;

import java.util.Locale;
import java.util.Objects;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.wire.Counted;

/**
 * A load of several operations.
 *
 * @param mix which, and how many of each
 * @param seed decides their order, and which objects they are about
 * @param preload how many of the dataset's first objects are in Fedora before the first step
 * @param flushEvery after so many writes Fedora is made to write its triples, and the next step of
 *     that worker waits for it; 0 for never
 */
public record MixOptions(Mix mix, long seed, long preload, long flushEvery) {

  /** So many objects are there for the first reads, where the user does not say. */
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
   * The same with as many objects before the first step as are needed.
   *
   * @param preload what the user asked for, or null for {@value #STANDARD_PRELOAD} or as many as
   *     are needed
   * @param leadingObjects of the dataset; they are never purged and never chosen
   * @throws IllegalArgumentException if what the user asked for is too few
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
              "--preload %,d is not enough for this mix: %s must be there before its first"
                  + " step, so that each step finds one that it can be about",
              preload,
              Counted.of(minimum, "object")));
    }
    return new MixOptions(mix, seed, preload, flushEvery);
  }

  /** So many that at least one object is left for each step, wherever in a block its step is. */
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
