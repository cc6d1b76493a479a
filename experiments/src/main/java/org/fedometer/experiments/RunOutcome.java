package org.fedometer.experiments;

import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.store.RunState;

/**
 * How a job ended.
 *
 * @param folder the run's folder, or empty where the collector keeps it on another host
 * @param location where the run is, in words, for the user
 * @param retainedHome the stack's home, if it was left on disk
 */
public record RunOutcome(
    Optional<Path> folder,
    String location,
    RunState state,
    Optional<StepFailure> failure,
    Optional<Path> retainedHome) {}
