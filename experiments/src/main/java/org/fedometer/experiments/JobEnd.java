package org.fedometer.experiments;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.store.RunState;

/**
 * The end of a job. Each part is attempted regardless of the others; the first failure is the
 * job's, later ones are reported. Confined to the job's thread.
 */
final class JobEnd {
  private final JobSteps steps;
  private StepFailure failure;

  JobEnd(JobSteps steps, StepFailure failureOrNull) {
    this.steps = steps;
    this.failure = failureOrNull;
  }

  interface Part {
    void run() throws IOException, StepFailure, InterruptedException;
  }

  boolean attempt(Step step, Part part) {
    try {
      part.run();
      return true;
    } catch (IOException | StepFailure | InterruptedException | RuntimeException e) {
      failure = steps.firstOf(failure, step, e);
      return false;
    }
  }

  /**
   * @param well whether everything requested succeeded; called if nothing has failed
   */
  RunState state(boolean interrupted, BooleanSupplier well) {
    if (interrupted) {
      return RunState.INTERRUPTED;
    }
    if (failure != null) {
      return RunState.FAILED;
    }
    return well.getAsBoolean() ? RunState.DONE : RunState.DONE_WITH_ERRORS;
  }

  /** Returns null if nothing has failed so far. */
  StepFailure failure() {
    return failure;
  }

  void replaceFailure(StepFailure sameOrNull) {
    failure = sameOrNull;
  }
}
