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
 * Conducts a job's steps one after the other: tells the listener, marks the run, notes how long
 * each took. Used by the job's one thread.
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

  /** From here on the run has the steps on record. */
  void recordIn(RunShipment runShipment, RunDocumentWriter runDocument) {
    shipment = runShipment;
    document = runDocument;
  }

  Step current() {
    return current;
  }

  /**
   * @throws StepFailure also for a fault of ours: the end must come all the same, or processes
   *     would be left running
   */
  <T> T run(Step step, Work<T> work, Function<T, String> summary)
      throws StepFailure, InterruptedException {
    current = step;
    listener.started(step);
    long startNanos = System.nanoTime();
    mark(step, startNanos);
    long endNanos = startNanos; // as run.json has it of a step that did not come to its end
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

  /** No step fails for want of its mark: run.json has the same in the end. */
  private void mark(Step step, long atNanos) {
    if (shipment == null) {
      return;
    }
    try {
      shipment.mark(step.id(), atNanos);
    } catch (IOException e) {
      listener.note("The beginning of " + step.id() + " could not be marked: " + Reason.of(e));
    }
  }

  /**
   * Says why the run is not sealed yet, and before that what has failed, if anything has, which
   * otherwise is said when it is.
   */
  void reportSealDelay(StepFailure failure, String reason) {
    if (failure != null) {
      listener.note(failure.step().id() + " failed: " + failure.getMessage());
    }
    listener.note(reason);
  }

  /** The first failure is the job's; one that comes after it is told, since nobody else will. */
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
