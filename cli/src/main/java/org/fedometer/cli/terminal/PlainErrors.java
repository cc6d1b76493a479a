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
 * Turns exceptions into one clear sentence and an exit code. A stack trace is shown only for what
 * nobody foresaw, which is a fault of ours.
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

  /** Where to ask for a run that was sent from this store's host to a collector elsewhere. */
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
                "No run \"%s\" in the store %s: it was sent to the collector %s. %s'fedometer runs fetch %s --from %s%s%s' brings it here"
                    .formatted(
                        e.run(),
                        e.location(),
                        collector,
                        from == null || from.hidden()
                            ? ""
                            : "--from " + collector + access + " asks that one; ",
                        e.run(),
                        collector,
                        access,
                        StoreHint.of(store)));
  }

  /** Of a dataset and its parameters; profiles and commands say so by themselves. */
  private static String suggestion(Exception e) {
    return e instanceof UnknownWordException unknown
        ? Spelling.suggestion(unknown.word(), unknown.known())
        : "";
  }

  /**
   * Whether an argument was refused that no user gives: what users write is looked at before it is
   * read as a number, and no form is theirs.
   */
  private static boolean isBug(Exception e) {
    return e instanceof NumberFormatException || e instanceof IllegalFormatException;
  }

  public static String message(Exception e) {
    return SafeLine.lines(FailureText.of(e));
  }

  /** A failure before the ingest means that the run could not start. */
  public static int exitCode(StepFailure failure) {
    return failure.step().compareTo(Step.START) <= 0
        ? ExitCode.COULD_NOT_START
        : ExitCode.DONE_WITH_ERRORS;
  }

  /**
   * Says which step failed, why, and which log to read; the stack trace, too, where the cause is a
   * {@link RuntimeException}, a fault of ours.
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

  /**
   * Says which step a request to end has cut short, and which log to read; why it failed is known.
   */
  public static void printInterruption(PrintWriter err, StepFailure failure) {
    err.println("fedometer: interrupted in the step " + failure.step().id());
    printLog(err, failure.log());
  }

  private static void printLog(PrintWriter err, Optional<Path> log) {
    log.ifPresent(path -> err.println("           log: " + path));
  }
}
