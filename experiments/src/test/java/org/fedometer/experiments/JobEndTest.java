package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.experiments.job.RecordingListener;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.store.RunState;
import org.junit.jupiter.api.Test;

/** A job whose end fails in parts. */
class JobEndTest {
  private final RecordingListener notes = new RecordingListener();
  private final JobSteps steps = new JobSteps(notes);

  @Test
  void eachPartIsTriedAndTheFirstFailureIsTheJobs() {
    JobEnd end = new JobEnd(steps, null);
    List<String> done = new ArrayList<>();

    assertThat(
            end.attempt(
                Step.STOP,
                () -> {
                  throw StepFailure.of(Step.STOP, new IOException("does not end"));
                }))
        .isFalse();
    assertThat(end.attempt(Step.SEAL, () -> done.add("sealed"))).isTrue();
    assertThat(
            end.attempt(
                Step.SEAL,
                () -> {
                  throw new IllegalStateException("no more");
                }))
        .isFalse();

    assertThat(done).containsExactly("sealed");
    assertThat(end.failure()).hasMessage("does not end");
    assertThat(notes.notes()).containsExactly("seal failed, too: no more");
  }

  @Test
  void whatTheJobComesToItsEndWithStaysTheReason() {
    StepFailure before = StepFailure.of(Step.INGEST, new IOException("Fedora has ended"));
    JobEnd end = new JobEnd(steps, before);

    end.attempt(
        Step.STOP,
        () -> {
          throw new IOException("does not end");
        });

    assertThat(end.failure()).isSameAs(before);
    assertThat(notes.notes()).containsExactly("stop failed, too: does not end");
  }

  @Test
  void reportsIoErrorsWithTheirMessages() {
    JobEnd end = new JobEnd(steps, null);

    end.attempt(
        Step.SEAL,
        () -> {
          throw new IOException("No space left on device");
        });

    assertThat(end.failure()).hasMessage("No space left on device");
    assertThat(end.failure().step()).isEqualTo(Step.SEAL);
  }

  @Test
  void aJobThatEndsWellHasNoFailure() {
    JobEnd end = new JobEnd(steps, null);

    assertThat(end.attempt(Step.SEAL, () -> {})).isTrue();

    assertThat(end.failure()).isNull();
  }

  @Test
  void aJobWithoutAFailureIsDoneOrDoneWithErrors() {
    JobEnd end = new JobEnd(steps, null);

    assertThat(end.state(false, () -> true)).isEqualTo(RunState.DONE);
    assertThat(end.state(false, () -> false)).isEqualTo(RunState.DONE_WITH_ERRORS);
  }

  @Test
  void aFailureOfTheEndMakesTheJobFailed() {
    JobEnd end = new JobEnd(steps, null);

    end.attempt(
        Step.STOP,
        () -> {
          throw new IOException("does not end");
        });

    assertThat(end.state(false, () -> true)).isEqualTo(RunState.FAILED);
  }

  @Test
  void aStoppedJobIsInterruptedDespiteFailures() {
    JobEnd end = new JobEnd(steps, StepFailure.of(Step.INGEST, new IOException("broken pipe")));

    assertThat(end.state(true, () -> true)).isEqualTo(RunState.INTERRUPTED);
  }
}
