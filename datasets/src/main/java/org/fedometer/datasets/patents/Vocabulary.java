package org.fedometer.datasets.patents;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.fedometer.datasets.random.StableRandom;

/**
 * What a text talks about: mostly things that it has named before, those the more often that came
 * up often (Simon's process) or a moment ago, and now and then a new one, ever more seldom the
 * longer the text is (Heaps' law). So grows the vocabulary of real prose, and it decides how far
 * that deflates. Used by one thread.
 */
final class Vocabulary<T> {

  /** How often a name is one of those just before: a passage is about few things. */
  private static final double RECENT_SHARE = 0.5;

  private static final int RECENT = 6;

  private final double scale;
  private final double exponent;
  private final Supplier<T> coin;
  private final List<T> mentions = new ArrayList<>();

  /**
   * After n mentions there are about {@code scale * n^exponent} different names.
   *
   * @param exponent above 0 and below 1
   */
  Vocabulary(double scale, double exponent, Supplier<T> coin) {
    this.scale = scale;
    this.exponent = exponent;
    this.coin = coin;
  }

  T next(StableRandom random) {
    int count = mentions.size();
    double growth = scale * exponent * StrictMath.pow(count + 1.0, exponent - 1);
    T name;
    if (count == 0 || random.nextChance(growth)) {
      name = coin.get();
    } else if (random.nextChance(RECENT_SHARE)) {
      name = mentions.get(count - 1 - random.nextInt(Math.min(count, RECENT)));
    } else {
      name = random.pick(mentions);
    }
    mentions.add(name);
    return name;
  }
}
