package org.fedometer.experiments;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.record.RunDocumentWriter;
import org.fedometer.wire.FailureText;

/**
 * Runs a job's steps in sequence: notifies the listener, marks the run, and records durations.
 * Confined to the job's thread.
 */
final class JobSteps {
  private final JobListener listener;
  private RunShipment shipment;
  private RunDocumentWriter document;
  private Step current = Step.COLLECT;

  JobSteps(JobListener listener) {
    this.listener = listener;
  }

  interface Work<T> {
    T run() throws StepFailure, InterruptedException;
  }

  /** Records later steps in the run. */
  void recordIn(RunShipment runShipment, RunDocumentWriter runDocument) {
    shipment = runShipment;
    document = runDocument;
  }

  Step current() {
    return current;
  }

  /**
   * @throws StepFailure also for an internal fault: the job's end must follow, or processes would
   *     be left running
   */
  <T> T run(Step step, Work<T> work, Function<T, String> summary)
      throws StepFailure, InterruptedException {
    current = step;
    listener.started(step);
    long startNanos = System.nanoTime();
    mark(step, startNanos);
    long endNanos = startNanos; // as in run.json for a failed step
    T result;
    try {
      result = work.run();
      endNanos = System.nanoTime();
    } catch (RuntimeException e) {
      throw new StepFailure(step, "unexpected fault of Fedometer: " + FailureText.of(e), null, e);
    } finally {
      if (document != null) {
        document.phaseUnlessNoted(step, startNanos, endNanos);
      }
    }
    Duration took = Duration.ofNanos(endNanos - startNanos);
    listener.finished(step, summary.apply(result), took);
    return result;
  }

  /** Marks a step's beginning; a failure to do so is only noted, since run.json will have it. */
  private void mark(Step step, long atNanos) {
    if (shipment == null) {
      return;
    }
    try {
      shipment.mark(step.id(), atNanos);
    } catch (IOException e) {
      listener.note("The start of " + step.id() + " could not be recorded: " + Reason.of(e));
    }
  }

  /**
   * Reports why the run is not sealed yet, after any failure, which otherwise would be reported
   * only once it is.
   */
  void reportSealDelay(StepFailure failure, String reason) {
    if (failure != null) {
      listener.note(failure.step().id() + " failed: " + failure.getMessage());
    }
    listener.note(reason);
  }

  /** Returns the first failure; reports a later one, which would otherwise be lost. */
  StepFailure firstOf(StepFailure first, Step step, Exception second) {
    if (first == null) {
      if (second instanceof StepFailure failure) {
        return failure;
      }
      return second instanceof IOException
          ? StepFailure.of(step, second)
          : new StepFailure(step, Reason.ofFault(second), null, second);
    }
    listener.note(step.id() + " failed, too: " + Reason.of(second));
    first.addSuppressed(second);
    return first;
  }
}
