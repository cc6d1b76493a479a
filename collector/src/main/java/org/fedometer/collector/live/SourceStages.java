package org.fedometer.collector.live;

import java.util.Arrays;
import java.util.Map;
import org.fedometer.store.rollup.Rollups;

/** Maps a source's stages to their numbers in some rollups. For one thread. */
public final class SourceStages {
  private static final int MAX_INDEXED = 4096;
  private static final int NOT_NUMBERED = -2;

  private final KnownNames<String> names = new KnownNames<>(String::length);
  private Rollups rollups;
  private int[] numbers = new int[64];

  public void learn(Map<Integer, String> more) {
    names.learn(more);
    // A stage without a name so far may have one now.
    rollups = null;
  }

  /** Selects the rollups for {@link #numberOf}. */
  public void use(Rollups others) {
    if (rollups != others) {
      rollups = others;
      Arrays.fill(numbers, NOT_NUMBERED);
    }
  }

  /** Returns the stage's number. Hot path. */
  public int numberOf(int stageId) {
    if (stageId >= numbers.length) {
      if (stageId >= MAX_INDEXED) {
        return number(stageId);
      }
      int before = numbers.length;
      numbers = Arrays.copyOf(numbers, Math.max(2 * before, Integer.highestOneBit(stageId) * 2));
      Arrays.fill(numbers, before, numbers.length, NOT_NUMBERED);
    }
    int known = numbers[stageId];
    if (known == NOT_NUMBERED) {
      known = number(stageId);
      numbers[stageId] = known;
    }
    return known;
  }

  private int number(int stageId) {
    return rollups.stage(Rollups.nameOf(names.byNumber(), stageId));
  }
}
