package org.fedometer.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.ReportOutput;
import org.fedometer.experiments.RunOutcome;
import org.fedometer.store.RunState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output for a job that has ended. */
class JobOutcomePrinterTest {

  @Test
  void printsTheStateWithoutAReport(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("run.json"), "{");
    RunOutcome outcome =
        new RunOutcome(
            Optional.of(folder), "where it is", RunState.DONE, Optional.empty(), Optional.empty());
    StringWriter errors = new StringWriter();

    int exitCode =
        new JobOutcomePrinter(new PrintWriter(errors, true), new ReportOutput()).show(outcome);

    assertThat(exitCode).isEqualTo(ExitCode.DONE_WITH_ERRORS);
    assertThat(errors.toString())
        .contains("fedometer: the report could not be written: ")
        .contains("'fedometer report " + folder + "' writes it again")
        .contains("run folder: where it is");
  }
}
