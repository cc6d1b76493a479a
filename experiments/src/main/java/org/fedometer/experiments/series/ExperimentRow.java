package org.fedometer.experiments.series;

import org.fedometer.experiments.plan.PlannedRun;

/**
 * A run of an experiment in one line: made, or still to be made.
 *
 * @param profile name of its profile, with its changes, secrets masked
 * @param run its name; of one that is not made, the name that it will have
 * @param state as in {@code run.json}, or {@value #PLANNED}, or {@value #IF_NEEDED}
 * @param objectsPerSecond from the begin of its ingest to the end of its drain; null where it has
 *     none yet
 * @param seconds how long it took from begin to end, or will take by the estimate
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

  /** Made only where the repetitions before it did not suffice. */
  public static final String IF_NEEDED = "if-needed";
}
