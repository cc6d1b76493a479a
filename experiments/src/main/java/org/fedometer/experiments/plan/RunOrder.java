package org.fedometer.experiments.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the order of runs. A plan has the same order on every machine and Java, for a resume.
 * Stateless.
 *
 * <p>Interleaved, each repetition is a block of one run of each profile. A block's order is random,
 * and the next block has it reversed: A B C, C B A. Linear trends, such as a filling disk, thus
 * affect all profiles of two blocks equally. A block depends only on the seed and its number, so
 * that more repetitions add blocks and change none.
 */
public final class RunOrder {
  private RunOrder() {}

  /** Returns all possible runs, in order. */
  public static List<PlannedRun> of(ExperimentPlan plan) {
    return plan.order().hasBlocks() ? inBlocks(plan) : shuffled(plan);
  }

  private static List<PlannedRun> inBlocks(ExperimentPlan plan) {
    List<PlannedRun> runs = new ArrayList<>();
    for (int block = 1; block <= plan.maxRepetitions(); block++) {
      for (String label : block(plan, block)) {
        runs.add(new PlannedRun(runs.size() + 1, block, block, label));
      }
    }
    return runs;
  }

  private static List<String> block(ExperimentPlan plan, int block) {
    List<String> labels = new ArrayList<>(plan.labels());
    if (plan.order() == Order.INTERLEAVED) {
      int pair = (block - 1) / 2;
      shuffle(labels, new Draws(plan.seed(), pair));
      if (block % 2 == 0) {
        Collections.reverse(labels);
      }
    }
    return labels;
  }

  private static List<PlannedRun> shuffled(ExperimentPlan plan) {
    List<String> labels = new ArrayList<>();
    for (int repetition = 1; repetition <= plan.maxRepetitions(); repetition++) {
      labels.addAll(plan.labels());
    }
    shuffle(labels, new Draws(plan.seed(), 0));
    Map<String, Integer> repetitions = new HashMap<>();
    List<PlannedRun> runs = new ArrayList<>();
    for (String label : labels) {
      int repetition = repetitions.merge(label, 1, Integer::sum);
      runs.add(new PlannedRun(runs.size() + 1, null, repetition, label));
    }
    return runs;
  }

  /** Shuffles by Fisher and Yates: all orders are equally likely. */
  private static void shuffle(List<String> labels, Draws draws) {
    for (int last = labels.size() - 1; last > 0; last--) {
      Collections.swap(labels, last, draws.below(last + 1));
    }
  }

  /**
   * SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), implemented here since the JDK's generators
   * may change between versions.
   */
  private static final class Draws {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private long state;

    /** Adjacent numbers give independent draws. */
    Draws(long seed, int number) {
      state = mixed(mixed(seed + GAMMA) + number * GAMMA);
    }

    /** Returns a uniform number from 0 to below {@code bound}. */
    int below(int bound) {
      long tooMany = Long.MAX_VALUE - Long.MAX_VALUE % bound;
      long drawn;
      do {
        state += GAMMA;
        drawn = mixed(state) >>> 1;
      } while (drawn >= tooMany);
      return (int) (drawn % bound);
    }

    private static long mixed(long value) {
      long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      return z ^ (z >>> 31);
    }
  }
}
