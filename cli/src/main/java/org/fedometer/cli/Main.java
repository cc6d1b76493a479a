package org.fedometer.cli;

import java.nio.file.Path;
import java.util.Locale;
import org.fedometer.cli.agent.AgentsCommand;
import org.fedometer.cli.agent.AttachCommand;
import org.fedometer.cli.agent.DetachCommand;
import org.fedometer.cli.agent.StagesCommand;
import org.fedometer.cli.agent.TopCommand;
import org.fedometer.cli.collector.CollectCommand;
import org.fedometer.cli.control.ContinueCommand;
import org.fedometer.cli.control.LoadCommand;
import org.fedometer.cli.control.PauseCommand;
import org.fedometer.cli.control.StopCommand;
import org.fedometer.cli.dataset.DatasetsCommand;
import org.fedometer.cli.dataset.DescribeCommand;
import org.fedometer.cli.dataset.GenerateCommand;
import org.fedometer.cli.load.DatastreamStudyCommand;
import org.fedometer.cli.load.DoctorCommand;
import org.fedometer.cli.load.ExperimentCommand;
import org.fedometer.cli.load.ImportCommand;
import org.fedometer.cli.load.IngestCommand;
import org.fedometer.cli.load.RunCommand;
import org.fedometer.cli.load.ScaleStudyCommand;
import org.fedometer.cli.load.UpCommand;
import org.fedometer.cli.option.PathConverter;
import org.fedometer.cli.profile.ProfilesCommand;
import org.fedometer.cli.repository.DownCommand;
import org.fedometer.cli.repository.PsCommand;
import org.fedometer.cli.repository.RepairCommand;
import org.fedometer.cli.repository.VerifyCommand;
import org.fedometer.cli.runs.ArchiveCommand;
import org.fedometer.cli.runs.CompareCommand;
import org.fedometer.cli.runs.ExportCommand;
import org.fedometer.cli.runs.FetchCommand;
import org.fedometer.cli.runs.LogsCommand;
import org.fedometer.cli.runs.QueryCommand;
import org.fedometer.cli.runs.ReportCommand;
import org.fedometer.cli.runs.RmCommand;
import org.fedometer.cli.runs.RunsCommand;
import org.fedometer.cli.runs.TraceCommand;
import org.fedometer.cli.terminal.BadUsage;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.cli.terminal.StandardStreams;
import org.fedometer.experiments.host.BuildInfo;
import org.fedometer.experiments.job.Reason;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code fedometer} command: reads the command line, nothing more. */
@Command(
    name = "fedometer",
    description =
        "Measures what a Fedora Commons 3.x repository does while it ingests.%n"
            + "Start with 'fedometer run': it brings up a real Fedora, loads it and shows where the"
            + " time went.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:done",
      "1:done, but something is wrong (failed objects, verification, lost samples)",
      "2:bad usage",
      "3:could not start",
      "130:interrupted"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer run", "  fedometer compare before after", "  fedometer help attach"},
    subcommands = {
      RunCommand.class,
      IngestCommand.class,
      DoctorCommand.class,
      PauseCommand.class,
      ContinueCommand.class,
      LoadCommand.class,
      StopCommand.class,
      ExperimentCommand.class,
      ScaleStudyCommand.class,
      DatastreamStudyCommand.class,
      VerifyCommand.class,
      ReportCommand.class,
      CompareCommand.class,
      RunsCommand.class,
      QueryCommand.class,
      FetchCommand.class,
      ImportCommand.class,
      ExportCommand.class,
      ArchiveCommand.class,
      RmCommand.class,
      TraceCommand.class,
      LogsCommand.class,
      UpCommand.class,
      PsCommand.class,
      DownCommand.class,
      RepairCommand.class,
      AttachCommand.class,
      DetachCommand.class,
      AgentsCommand.class,
      TopCommand.class,
      CollectCommand.class,
      DatasetsCommand.class,
      DescribeCommand.class,
      GenerateCommand.class,
      ProfilesCommand.class,
      StagesCommand.class,
      CompletionCommand.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    // Numbers and dates are the same for all readers, and so are the messages of libraries.
    Locale.setDefault(Locale.ROOT);
    // Maven's classes, too, look there; Java asks passwd, which need not know a container's user.
    String home = System.getenv("HOME");
    if (home != null && home.startsWith("/")) {
      System.setProperty("user.home", home);
    }
    StandardStreams.install();
    System.exit(StandardStreams.exitCode(executeInMemory(args)));
  }

  private static int executeInMemory(String... args) {
    try {
      return execute(args);
    } catch (OutOfMemoryError e) {
      // No exception, which the handlers would get; Java alone would exit with 1 for it.
      System.err.println("fedometer: " + Reason.ofFault(e));
      return ExitCode.COULD_NOT_START;
    }
  }

  /**
   * Runs the command in this process, which goes on. What goes wrong is told on standard error.
   *
   * @return the exit code, one of {@link ExitCode}
   */
  public static int execute(String... args) {
    if (args.length == 1 && args[0].equals("--version")) {
      // Reading what all commands take would be most of its time.
      StandardOutput.text(new Version().getVersion()[0]);
      return ExitCode.DONE;
    }
    return commandLine().execute(args);
  }

  /** Made anew, with the handlers that say in words what goes wrong. */
  public static CommandLine commandLine() {
    CommandLine commandLine =
        new CommandLine(new Main())
            .setExecutionExceptionHandler(new PlainErrors())
            .setParameterExceptionHandler(new BadUsage())
            .setCaseInsensitiveEnumValuesAllowed(true);
    CommandList.into(commandLine);
    commandLine.registerConverter(Path.class, new PathConverter());
    return commandLine.setOut(StandardOutput.forHelp());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      BuildInfo build = BuildInfo.current();
      return new String[] {"fedometer " + build.version() + " (commit " + build.gitCommit() + ")"};
    }
  }
}
