package org.fedometer.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.fedometer.cli.option.PathConverter;
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
import picocli.CommandLine.IFactory;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Entry point of {@code fedometer}; only parses the command line. */
@Command(
    name = "fedometer",
    description =
        "Measures a Fedora Commons 3.x repository while it ingests. Start with 'fedometer run'.",
    mixinStandardHelpOptions = true,
    modelTransformer = CommandList.SubcommandTransformer.class,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer run", "  fedometer compare before after", "  fedometer help attach"})
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    // Same numbers, dates and library messages for all users.
    Locale.setDefault(Locale.ROOT);
    // Also for Maven's classes; Java asks passwd, which may lack a container's user.
    String home = System.getenv("HOME");
    if (home != null && home.startsWith("/")) {
      System.setProperty("user.home", home);
    }
    StandardStreams.install();
    System.exit(StandardStreams.exitCode(executeReportingOutOfMemory(args)));
  }

  private static int executeReportingOutOfMemory(String... args) {
    try {
      return execute(args);
    } catch (OutOfMemoryError e) {
      // The handlers receive exceptions only; Java itself would exit with 1.
      System.err.println("fedometer: " + Reason.ofFault(e));
      return ExitCode.COULD_NOT_START;
    }
  }

  /**
   * Runs the command in this process and prints errors on standard error.
   *
   * @return the exit code, one of {@link ExitCode}
   */
  public static int execute(String... args) {
    if (args.length == 1 && args[0].equals("--version")) {
      // Parsing all commands' options would dominate its time.
      StandardOutput.text(new Version().getVersion()[0]);
      return ExitCode.DONE;
    }
    return commandLine(List.of(args)).execute(args);
  }

  /** Creates all commands, with handlers that print errors as messages. */
  public static CommandLine commandLine() {
    return commandLine(List.of("all"));
  }

  /** Creates the commands that {@code arguments} need. */
  static CommandLine commandLine(List<String> arguments) {
    IFactory factory =
        new IFactory() {
          @Override
          public <K> K create(Class<K> type) throws Exception {
            return type == CommandList.SubcommandTransformer.class
                ? type.cast(new CommandList.SubcommandTransformer(arguments))
                : CommandLine.defaultFactory().create(type);
          }
        };
    CommandLine commandLine =
        new CommandLine(new Main(), factory)
            .setExecutionExceptionHandler(new PlainErrors())
            .setParameterExceptionHandler(new BadUsage(Main::commandLine))
            .setCaseInsensitiveEnumValuesAllowed(true);
    CommandList.installIn(commandLine);
    commandLine.registerConverter(Path.class, new PathConverter());
    return commandLine.setOut(StandardOutput.forHelp());
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      BuildInfo build = BuildInfo.current();
      return new String[] {"fedometer " + build.version() + " (commit " + build.gitCommit() + ")"};
    }
  }
}
