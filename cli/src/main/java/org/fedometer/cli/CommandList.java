package org.fedometer.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** All commands, by job as {@code fedometer help} shows them; {@code docs/cli.md} has the same. */
final class CommandList implements IHelpSectionRenderer {

  private static final int INDENT = 2;

  static final List<Job> JOBS =
      List.of(
          new Job(
              "Bring up and look inside",
              List.of(
                  RunCommand.class,
                  UpCommand.class,
                  PsCommand.class,
                  DownCommand.class,
                  AttachCommand.class,
                  DetachCommand.class,
                  AgentsCommand.class,
                  TopCommand.class)),
          new Job(
              "Load",
              List.of(
                  IngestCommand.class,
                  DoctorCommand.class,
                  LoadCommand.class,
                  PauseCommand.class,
                  ContinueCommand.class,
                  StopCommand.class,
                  VerifyCommand.class,
                  RepairCommand.class,
                  ScaleStudyCommand.class,
                  DatastreamStudyCommand.class)),
          new Job(
              "Look and compare",
              List.of(
                  ReportCommand.class,
                  CompareCommand.class,
                  ExperimentCommand.class,
                  TraceCommand.class,
                  LogsCommand.class,
                  RunsCommand.class,
                  QueryCommand.class,
                  ImportCommand.class)),
          new Job(
              "Keep",
              List.of(
                  CollectCommand.class,
                  FetchCommand.class,
                  ArchiveCommand.class,
                  RmCommand.class,
                  ExportCommand.class)),
          new Job(
              "What there is",
              List.of(
                  ProfilesCommand.class,
                  StagesCommand.class,
                  DatasetsCommand.class,
                  DescribeCommand.class,
                  GenerateCommand.class,
                  HelpCommand.class,
                  CompletionCommand.class)));

  /** Its commands are in the order in which they are shown. */
  record Job(String heading, List<Class<?>> classes) {
    List<String> commands() {
      return classes.stream().map(CommandList::nameOf).toList();
    }
  }

  /** Gives {@code fedometer} its commands: all, where picocli or one of its tools makes this. */
  static final class Adding implements IModelTransformer {
    private final List<Class<?>> commands;

    Adding() {
      this(all());
    }

    Adding(List<Class<?>> commands) {
      this.commands = commands;
    }

    @Override
    public CommandSpec transform(CommandSpec fedometer) {
      commands.forEach(each -> fedometer.addSubcommand(nameOf(each), new CommandLine(each)));
      return fedometer;
    }
  }

  private CommandList() {}

  static List<Class<?>> all() {
    return JOBS.stream().<Class<?>>flatMap(job -> job.classes().stream()).toList();
  }

  /**
   * The command that the arguments begin with; all commands where they begin with none, or with one
   * that shows them. Making all takes longer than most commands do.
   */
  static List<Class<?>> neededFor(String... arguments) {
    for (Class<?> command : all()) {
      if (arguments.length > 0
          && nameOf(command).equals(arguments[0])
          && command != HelpCommand.class
          && command != CompletionCommand.class) {
        return List.of(command);
      }
    }
    return all();
  }

  private static String nameOf(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  /** Makes the help of {@code command}, which has the commands of all jobs, list them by job. */
  static void into(CommandLine command) {
    Map<String, IHelpSectionRenderer> sections = command.getHelpSectionMap();
    sections.remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new CommandList());
  }

  @Override
  public String render(Help help) {
    Map<String, Help> commands = help.subcommands();
    int nameWidth =
        INDENT + commands.keySet().stream().mapToInt(String::length).max().orElseThrow();
    int lineWidth = help.commandSpec().usageMessage().width();
    StringBuilder all = new StringBuilder();
    for (Job job : JOBS) {
      TextTable table =
          TextTable.forColumns(
              help.colorScheme(),
              new Column(nameWidth, INDENT, Overflow.SPAN),
              new Column(lineWidth - nameWidth, INDENT, Overflow.WRAP));
      for (String name : job.commands()) {
        Text what = help.colorScheme().text(firstOf(commands.get(name)));
        table.addRowValues(help.colorScheme().commandText(name), what);
      }
      all.append(help.createHeading("%n" + job.heading() + ":%n")).append(table);
    }
    return all.toString();
  }

  /** What a command does, as picocli's own list has it. */
  private static String firstOf(Help command) {
    UsageMessageSpec usage = command.commandSpec().usageMessage();
    String[] texts = usage.header().length > 0 ? usage.header() : usage.description();
    return String.format(Locale.ROOT, texts[0]);
  }
}
