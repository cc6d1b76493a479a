package org.fedometer.cli.terminal;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.IllegalFormatException;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fedometer.analysis.trace.NoSuchObjectException;
import org.fedometer.datasets.UnknownWordException;
import org.fedometer.datasets.UnusableDataException;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.experiments.record.UnfinishedJobs;
import org.fedometer.profiles.ProfileFileException;
import org.fedometer.profiles.Spelling;
import org.fedometer.profiles.UnknownProfileException;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Converts exceptions to one sentence and an exit code. Prints a stack trace only for unexpected
 * ones, which are bugs.
 */
public final class PlainErrors implements IExecutionExceptionHandler {

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (e instanceof NoSuchRunException missing) {
      String message = collectorHint(missing, command).orElse(missing.getMessage());
      err.println("fedometer: " + SafeLine.lines(message));
      return ExitCode.BAD_USAGE;
    }
    if (e instanceof UnknownProfileException
        || e instanceof UnknownWordException
        || e instanceof UnusableDataException
        || e instanceof QueryException
        || e instanceof NoSuchObjectException
        || e instanceof IllegalArgumentException && !isBug(e)) {
      err.println("fedometer: " + SafeLine.lines(FailureText.of(e) + suggestion(e)));
      return ExitCode.BAD_USAGE;
    }
    if (e instanceof ProfileFileException impossible) {
      impossible
          .problems()
          .forEach(problem -> err.println("fedometer: " + SafeLine.lines(problem.toString())));
      return ExitCode.BAD_USAGE;
    }
    if (e instanceof StepFailure failure) {
      print(err, failure);
      return exitCode(failure);
    }
    if (e instanceof ProvisioningException failure) {
      err.println("fedometer: " + SafeLine.lines(Reason.of(failure)));
      printLog(err, failure.log());
      return ExitCode.COULD_NOT_START;
    }
    if (e instanceof IOException
        || e instanceof UncheckedIOException
        || e instanceof SQLException) {
      err.println("fedometer: " + message(e));
      return ExitCode.COULD_NOT_START;
    }
    err.println("fedometer: unexpected: " + SafeLine.of(FailureText.of(e)));
    printTrace(err, e);
    return ExitCode.COULD_NOT_START;
  }

  /** Returns a hint to the collector that this host's run was sent to. */
  private static Optional<String> collectorHint(NoSuchRunException e, CommandLine command) {
    OptionSpec from = command.getCommandSpec().findOption("--from");
    Path store = Path.of(e.location());
    String access =
        UnfinishedJobs.collectorAccessOf(store, e.run()).stream()
            .map(word -> " " + ShellWord.of(word))
            .collect(Collectors.joining());
    return UnfinishedJobs.collectorOf(store, e.run())
        .map(ShellWord::of)
        .map(
            collector ->
                ("No run \"%s\" in the store %s: it was sent to the collector %s. %s"
                        + "'fedometer runs fetch %s --from %s%s%s' copies it here")
                    .formatted(
                        e.run(),
                        e.location(),
                        collector,
                        from == null ? "" : "--from " + collector + access + " reads it there; ",
                        e.run(),
                        collector,
                        access,
                        StoreHint.of(store)));
  }

  /** Suggests dataset names and parameters; profiles and commands have their own suggestions. */
  private static String suggestion(Exception e) {
    return e instanceof UnknownWordException unknown
        ? Spelling.suggestion(unknown.word(), unknown.known())
        : "";
  }

  /**
   * Returns whether the exception is a bug: user input is checked before it is parsed as a number,
   * and formats are internal.
   */
  private static boolean isBug(Exception e) {
    return e instanceof NumberFormatException || e instanceof IllegalFormatException;
  }

  public static String message(Exception e) {
    return SafeLine.lines(FailureText.of(e));
  }

  /** Returns the exit code; a failure before the ingest means that the run could not start. */
  public static int exitCode(StepFailure failure) {
    return failure.step().compareTo(Step.START) <= 0
        ? ExitCode.COULD_NOT_START
        : ExitCode.DONE_WITH_ERRORS;
  }

  /**
   * Prints the failed step, the cause and the log to read; also the stack trace if the cause is a
   * {@link RuntimeException}, a bug.
   */
  public static void print(PrintWriter err, StepFailure failure) {
    err.println(
        "fedometer: "
            + failure.step().id()
            + " failed: "
            + SafeLine.lines(String.valueOf(failure.getMessage())));
    printLog(err, failure.log());
    if (failure.getCause() instanceof RuntimeException fault) {
      printTrace(err, fault);
    }
  }

  private static void printTrace(PrintWriter err, Exception fault) {
    StringWriter trace = new StringWriter();
    fault.printStackTrace(new PrintWriter(trace));
    err.print(SafeLine.lines(trace.toString()));
  }

  /** Prints the interrupted step and the log to read, without the known cause. */
  public static void printInterruption(PrintWriter err, StepFailure failure) {
    err.println("fedometer: interrupted in the step " + failure.step().id());
    printLog(err, failure.log());
  }

  private static void printLog(PrintWriter err, Optional<Path> log) {
    log.ifPresent(path -> err.println("           log: " + path));
  }
}
