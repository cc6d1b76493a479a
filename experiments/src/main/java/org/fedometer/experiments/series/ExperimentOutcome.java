package org.fedometer.experiments.series;

import java.util.List;
import org.fedometer.store.RunState;

/**
 * Result of an experiment.
 *
 * @param id its ULID
 * @param baseline label that the others are compared with
 * @param rows all runs that were made or are missing, in order
 * @param missing number of mandatory runs that are not done
 * @param begunAny true if any run reached its load
 * @param failed true if any run failed, including optional ones, or making or reading runs became
 *     impossible
 * @param endReason why it ended, a sentence; empty if all runs of its file are done
 */
public record ExperimentOutcome(
    String name,
    String id,
    String baseline,
    List<ExperimentRow> rows,
    int missing,
    boolean interrupted,
    boolean begunAny,
    boolean failed,
    String endReason) {

  public ExperimentOutcome {
    rows = List.copyOf(rows);
  }

  /** Returns whether every run was made successfully. */
  public boolean isWell() {
    return missing == 0
        && !failed
        && rows.stream()
            .map(ExperimentRow::state)
            .allMatch(state -> state.equals(RunState.DONE.id()));
  }
}
