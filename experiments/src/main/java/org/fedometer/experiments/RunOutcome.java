package org.fedometer.experiments;

import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.store.RunState;

/**
 * Result of a job.
 *
 * @param folder the run's folder, or empty if the collector keeps it on another host
 * @param location text for the user
 * @param retainedHome the stack's home, if it remains on disk
 */
public record RunOutcome(
    Optional<Path> folder,
    String location,
    RunState state,
    Optional<StepFailure> failure,
    Optional<Path> retainedHome) {}
