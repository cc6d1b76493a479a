package org.fedometer.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.experiments.job.Step;
import org.junit.jupiter.api.Test;

class JobRunnerTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
  private final ConsoleProgress progress = new ConsoleProgress(out, true, 80, (page, told) -> {});

  @Test
  void printsTheOutcomeBelowTheProgress() throws Exception {
    int code =
        JobRunner.run(
            () -> {
              progress.started(Step.INGEST);
              return 42;
            },
            () -> {},
            progress,
            outcome -> {
              out.print("outcome " + outcome);
              return ExitCode.DONE_WITH_ERRORS;
            });

    assertThat(code).isEqualTo(ExitCode.DONE_WITH_ERRORS);
    assertThat(written.toString(StandardCharsets.UTF_8))
        .endsWith("..." + System.lineSeparator() + "outcome 42");
  }

  @Test
  void interruptionIsAnExitCode() throws Exception {
    int code =
        JobRunner.run(
            () -> {
              throw new InterruptedException();
            },
            () -> {},
            progress,
            outcome -> {
              throw new AssertionError("there is none: " + outcome);
            });

    assertThat(code).isEqualTo(ExitCode.INTERRUPTED);
  }

  @Test
  void failureEndsTheProgressLine() {
    assertThatThrownBy(
            () ->
                JobRunner.run(
                    () -> {
                      progress.started(Step.START);
                      throw new IOException("no such disk");
                    },
                    () -> {},
                    progress,
                    outcome -> ExitCode.DONE))
        .hasMessage("no such disk");

    assertThat(written.toString(StandardCharsets.UTF_8)).endsWith("..." + System.lineSeparator());
  }
}
