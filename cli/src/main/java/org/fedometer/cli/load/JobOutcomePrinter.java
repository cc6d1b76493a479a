package org.fedometer.cli.load;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.cli.terminal.ReportOutput;
import org.fedometer.experiments.RunOutcome;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.record.CompleteRunException;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunState;
import org.fedometer.store.RunStore;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.SafeLine;

/** Prints a job's outcome and determines its exit code. */
final class JobOutcomePrinter {
  private final PrintWriter err;
  private final ReportOutput output;

  JobOutcomePrinter(PrintWriter err, ReportOutput output) {
    this.err = err;
    this.output = output;
  }

  /** Prints the run's report, if the run is readable from here, and the job's outcome. */
  int show(RunOutcome outcome) {
    boolean reportOk = showReport(outcome);
    return printOutcome(err, outcome, reportOk);
  }

  /**
   * As {@link #show} for a part of a run: others may still be active, so the report does not affect
   * the exit code.
   */
  int showPart(RunOutcome outcome) {
    showReport(outcome);
    return printOutcome(err, outcome, true);
  }

  /**
   * Prints that a run is complete, and its report in a requested format if it is in this store.
   * Returns the exit code.
   */
  int showComplete(CompleteRunException complete, Path store) {
    err.println(SafeLine.of("fedometer: " + complete.getMessage()));
    RunFolder folder = RunStore.at(store).folderOf(complete.run());
    if (output.hasFormat() && folder.hasDocument()) {
      showReport(folder);
    }
    return ExitCode.DONE;
  }

  /** Prints the run's location and failures; returns the exit code. */
  static int printOutcome(PrintWriter err, RunOutcome outcome, boolean reportOk) {
    err.println(SafeLine.of("run folder: " + outcome.location()));
    outcome.retainedHome().ifPresent(home -> err.println("Fedora's home is kept: " + home));
    if (outcome.state() == RunState.INTERRUPTED) {
      outcome.failure().ifPresent(failure -> PlainErrors.printInterruption(err, failure));
      return ExitCode.INTERRUPTED;
    }
    if (outcome.failure().isPresent()) {
      PlainErrors.print(err, outcome.failure().get());
      return PlainErrors.exitCode(outcome.failure().get());
    }
    return outcome.state() == RunState.DONE && reportOk ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
  }

  /** Prints the report and returns its verdict, which includes samples that the job cannot see. */
  private boolean showReport(RunOutcome outcome) {
    return outcome.folder().isEmpty() || showReport(new RunFolder(outcome.folder().get()));
  }

  private boolean showReport(RunFolder folder) {
    err.println("report     reading the run's samples ...");
    try {
      RunReport report = RunReport.of(folder);
      output.show(folder, report, false);
      return report.endedWell();
    } catch (IOException | QueryException e) {
      // The outcome of a long run is printed nevertheless.
      err.println(
          "fedometer: the report could not be written: "
              + PlainErrors.message(e)
              + "; 'fedometer report "
              + ShellWord.of(folder.path().toString())
              + "' writes it again");
      return false;
    }
  }
}
