package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.RecordingListener;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's description of its failure. */
class JobFailuresTest {
  private static final Path LOG = Path.of("fedora.log");

  @TempDir private Path store;
  private final Interruption interruption = new Interruption();

  @Test
  void doesNotReportAnUnwritableDiskAsFull() {
    assertThat(JobFailures.diskHint(store, false, 0))
        .isEqualTo(
            " " + store + " cannot be written to: its disk is read-only, or another user owns it.");
    assertThat(JobFailures.diskHint(store, true, 0)).contains("is full");
    assertThat(JobFailures.diskHint(store, true, 1L << 40)).isEmpty();
  }

  @Test
  void aJobThatComesToItsEndHasNone() {
    assertThat(failures().during(() -> {})).isNull();
  }

  @Test
  void aStepThatFailsIsTheReason() {
    StepFailure failed = StepFailure.of(Step.DRAIN, new IOException("no space"));

    assertThat(
            failures()
                .during(
                    () -> {
                      throw failed;
                    }))
        .isSameAs(failed);
  }

  @Test
  void aStepThatFailsBecauseItWasCutShortIsNot() {
    interruption.raise();

    StepFailure failure =
        failures()
            .during(
                () -> {
                  throw StepFailure.of(Step.DRAIN, new IOException("closed"));
                });

    assertThat(failure).hasMessage("ended on request");
    assertThat(failure.log()).contains(LOG);
  }

  @Test
  void anInternalErrorEndsTheJobButNotItsShutdown() {
    StepFailure failure =
        failures()
            .during(
                () -> {
                  throw new StackOverflowError("too deep");
                });

    assertThat(failure).hasMessage("unexpected: too deep");
    assertThat(failure.step()).isEqualTo(Step.COLLECT);
  }

  @Test
  void suggestsMoreHeapAfterAnOutOfMemoryError() {
    StepFailure failure =
        failures()
            .during(
                () -> {
                  throw new OutOfMemoryError("Java heap space");
                });

    assertThat(failure)
        .hasMessageStartingWith("out of memory (Java heap space)")
        .hasMessageContaining("FEDOMETER_HEAP");
  }

  @Test
  void aPartOfAStepFailsAsThatStepWithTheLogToRead() {
    StepFailure failure =
        catchThrowableOfType(
            StepFailure.class,
            () ->
                failures()
                    .within(
                        Step.SEAL,
                        () -> {
                          throw new IOException("gone");
                        }));

    assertThat(failure).hasMessage("gone");
    assertThat(failure.step()).isEqualTo(Step.SEAL);
    assertThat(failure.log()).contains(LOG);
  }

  @Test
  void aFailureWithoutALogIsCompletedByTheOneThereIs() {
    StepFailure failure = StepFailure.of(Step.INGEST, new IOException("Fedora has ended"));

    assertThat(failures().completed(failure).log()).contains(LOG);
    Path own = Path.of("database.log");
    assertThat(failures().completed(failure.withLog(own)).log()).contains(own);
  }

  private JobFailures failures() {
    return new JobFailures(store, new JobSteps(new RecordingListener()), interruption, () -> LOG);
  }
}
