package org.fedometer.analysis.compare;

import java.util.List;
import java.util.Objects;

/**
 * A profile with its measured runs. Immutable.
 *
 * @param label unique within the comparison
 * @param letter a short name in tables: A for the baseline, B and so on
 * @param runs one or more
 */
public record MeasuredProfile(String label, String letter, List<MeasuredRun> runs) {

  public MeasuredProfile {
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(letter, "letter");
    runs = List.copyOf(runs);
  }

  /** Returns the runs with a part to compare. */
  public List<MeasuredRun> comparable() {
    return runs.stream().filter(run -> run.part() != null).toList();
  }
}
