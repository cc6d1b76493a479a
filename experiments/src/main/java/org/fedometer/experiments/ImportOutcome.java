package org.fedometer.experiments;

import java.util.Optional;
import org.fedometer.experiments.imported.ImportOverview;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.store.RunState;

/**
 * Result of an import.
 *
 * @param location text for the user
 * @param state {@link RunState#IMPORTED}, or another end
 */
public record ImportOutcome(
    String run,
    String location,
    ImportOverview overview,
    RunState state,
    Optional<StepFailure> failure) {}
