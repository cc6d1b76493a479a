package org.fedometer.cli.control;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.experiments.record.RunningRuns;
import org.fedometer.experiments.record.UnfinishedJobs;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunState;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The run that commands of {@code load} control. */
final class ControlledRun {
  /** The end of a part's name. */
  private static final Pattern PART = Pattern.compile("\\.[0-9]+-of-[0-9]+$");

  @Parameters(
      paramLabel = "RUN",
      description = "Name or id of a load that runs on this host for this user.")
  private String run;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Mixin private StoreOption store;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Sends a request to the run, and prints its response.
   *
   * @throws IllegalArgumentException if there is no such run or it has ended; the message is one
   *     sentence
   */
  int send(String request) {
    PrintWriter err = spec.commandLine().getErr();
    Optional<RunningRuns.RunResponse> response;
    try {
      response = RunningRuns.ofUser().send(run, request);
    } catch (IOException e) {
      err.println(SafeLine.of("fedometer: " + e.getMessage() + resumeHint(" ", ".")));
      return ExitCode.DONE_WITH_ERRORS;
    }
    if (response.isEmpty()) {
      throw new IllegalArgumentException(notRunningMessage());
    }
    if (json) {
      StandardOutput.json(response.get().json());
    }
    if (!response.get().done()) {
      err.println(SafeLine.of("fedometer: " + response.get().message()));
      return ExitCode.DONE_WITH_ERRORS;
    }
    if (!json) {
      StandardOutput.text(SafeLine.of(response.get().message()));
    }
    return ExitCode.DONE;
  }

  /** Returns a hint to resume a killed driver's load, if possible. */
  private String resumeHint(String before, String after) {
    return UnfinishedJobs.resumeCommand(store.directory(), run)
        .map(command -> before + "'" + command + "' resumes it" + after)
        .orElse("");
  }

  /**
   * Describes the known state of a run that is not conducted here; its folder may be at a
   * collector.
   */
  private String notRunningMessage() {
    Optional<RunFolder> folder = folder();
    String state =
        folder.filter(of -> of.name().equals(run)).map(ControlledRun::state).orElse(null);
    if (state == null) {
      Optional<String> resume = UnfinishedJobs.resumeCommand(store.directory(), run);
      if (resume.isEmpty() && folder.isPresent()) {
        return "no load of " + run + " is in progress; " + reportHint(folder.get());
      }
      return "no run "
          + run
          + " is in progress"
          + resume
              .map(command -> ": its driver has ended; '" + command + "' resumes it")
              .orElse(
                  "; give the name of a run of this user on this host, see 'fedometer runs list'");
    }
    return RunState.RUNNING.is(state)
        ? "the run "
            + run
            + " was killed, or is driven by another user or host: no process here controls it"
            + resumeHint("; ", "")
        : "the run "
            + run
            + " has ended: "
            + state
            + resumeHint("; ", "")
            + "; "
            + reportHint(folder.get());
  }

  private String reportHint(RunFolder folder) {
    return "'fedometer report " + folder.name() + StoreHint.of(store.directory()) + "' shows it";
  }

  /** Returns the folder of the run, or of that whose part it is; empty if not in the store. */
  private Optional<RunFolder> folder() {
    return Stream.of(run, PART.matcher(run).replaceFirst(""))
        .filter(RunFolder::isValidName)
        .map(store.store()::folderOf)
        .filter(folder -> Files.isDirectory(folder.path()))
        .findFirst();
  }

  /** Returns null if the run has no readable document. */
  private static String state(RunFolder folder) {
    try {
      return folder.hasDocument() ? folder.document().state() : null;
    } catch (IOException e) {
      return null;
    }
  }
}
