package org.fedometer.experiments.series;

import org.fedometer.experiments.plan.PlannedRun;

/**
 * One row for a run of an experiment, made or yet to be made.
 *
 * @param profile name of its profile, with its changes, secrets masked
 * @param run its name, current or future
 * @param state as in {@code run.json}, or {@value #PLANNED}, or {@value #IF_NEEDED}
 * @param objectsPerSecond from the begin of its ingest to the end of its drain; null if unknown
 * @param seconds actual or estimated duration
 */
public record ExperimentRow(
    PlannedRun planned,
    String profile,
    String run,
    String state,
    Double objectsPerSecond,
    Double seconds) {

  /** Not made yet. */
  public static final String PLANNED = "planned";

  /** Made only if the repetitions before it do not suffice. */
  public static final String IF_NEEDED = "if-needed";
}
