package org.fedometer.store.seal;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.store.rollup.FileSums;

/** Sums up the samples of a file while it is written. One thread. */
final class SampleSums {
  private static final int UNKNOWN = -2;

  private final FileSums sums = new FileSums();
  private final Names sources;
  private final Names stages;
  private final Names threads;
  private final int[] stageOf;
  private final Map<Integer, Integer> stageOfNameless = new HashMap<>();

  SampleSums(SampleStream samples) {
    this.sources = samples.sources();
    this.stages = samples.stages();
    this.threads = samples.threads();
    this.stageOf = new int[stages.count()];
    Arrays.fill(stageOf, UNKNOWN);
  }

  /** Adds the rows of a row group, the first so many of each column. */
  void add(
      int rows,
      int[] sourceNumbers,
      int[] stageNumbers,
      int[] threadNumbers,
      long[] starts,
      long[] durations,
      long[] children,
      boolean[] failed) {
    int thread = UNKNOWN;
    for (int row = 0; row < rows; row++) {
      if (row == 0
          || threadNumbers[row] != threadNumbers[row - 1]
          || sourceNumbers[row] != sourceNumbers[row - 1]) {
        thread =
            sums.thread(sources.nameOf(sourceNumbers[row]), threads.nameOf(threadNumbers[row]));
      }
      int stage = stage(stageNumbers[row]);
      if (thread < 0 || stage < 0) {
        return;
      }
      sums.add(
          thread, stage, starts[row], durations[row], durations[row] - children[row], failed[row]);
    }
  }

  private int stage(int number) {
    if (number < 0) {
      return stageOfNameless.computeIfAbsent(number, name -> sums.stage(stages.nameOf(name)));
    }
    if (stageOf[number] == UNKNOWN) {
      stageOf[number] = sums.stage(stages.nameOf(number));
    }
    return stageOf[number];
  }

  /** Returns the text for the file; null if it would be too large. */
  String toText() {
    return sums.toText();
  }
}
