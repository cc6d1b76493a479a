package org.fedometer.experiments.series;

import java.util.List;
import org.fedometer.store.RunState;

/**
 * How an experiment ended.
 *
 * @param id its ULID
 * @param baseline label that the others are compared with
 * @param rows all its runs that were made, or are missing, in their order
 * @param missing how many of the repetitions that there are in any case are not done
 * @param begunAny whether any run came as far as its load
 * @param failed whether a run failed, also one that was made only if needed, or nothing could be
 *     made or read any more
 * @param endReason why it ended when it did, a sentence; empty where all runs of its file are done
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

  /** Whether every run is there and ended well. */
  public boolean isWell() {
    return missing == 0
        && !failed
        && rows.stream()
            .map(ExperimentRow::state)
            .allMatch(state -> state.equals(RunState.DONE.id()));
  }
}
