package org.fedometer.experiments;

import java.util.Optional;
import org.fedometer.experiments.imported.ImportOverview;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.store.RunState;

/**
 * How an import ended.
 *
 * @param run name of the run
 * @param location where it is, in words, for the user
 * @param overview what was in the file
 * @param state {@link RunState#IMPORTED}, or how it ended instead
 * @param failure the step that failed, if one did
 */
public record ImportOutcome(
    String run,
    String location,
    ImportOverview overview,
    RunState state,
    Optional<StepFailure> failure) {}
