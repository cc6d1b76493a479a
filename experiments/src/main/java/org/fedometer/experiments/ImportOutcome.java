package org.fedometer.experiments;

import java.util.Optional;
import org.fedometer.experiments.imported.ImportOverview;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.store.RunState;

/**
 * How an import ended.
 *
 * @param location where it is, in words, for the user
 * @param state {@link RunState#IMPORTED}, or how it ended instead
 */
public record ImportOutcome(
    String run,
    String location,
    ImportOverview overview,
    RunState state,
    Optional<StepFailure> failure) {}
