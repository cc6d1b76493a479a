package org.fedometer.datasets.patents;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.fedometer.datasets.random.StableRandom;

/**
 * The topics of a text: mostly things that it has named before, preferably often (Simon's process)
 * or just now. New ones are added less and less often as the text grows (Heaps' law). Real prose
 * has the same growth of vocabulary, which determines its compression. Used by one thread.
 */
final class Vocabulary<T> {

  /** Share of names from the most recent ones: a passage is about few things. */
  private static final double RECENT_SHARE = 0.5;

  private static final int RECENT = 6;

  private final double scale;
  private final double exponent;
  private final Supplier<T> coin;
  private final List<T> mentions = new ArrayList<>();

  /**
   * Creates a vocabulary with about {@code scale * n^exponent} different names after n mentions.
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
