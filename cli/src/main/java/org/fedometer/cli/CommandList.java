package org.fedometer.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.fedometer.cli.agent.AgentListCommand;
import org.fedometer.cli.agent.AgentPauseCommand;
import org.fedometer.cli.agent.AgentResumeCommand;
import org.fedometer.cli.agent.AttachCommand;
import org.fedometer.cli.agent.DetachCommand;
import org.fedometer.cli.agent.StageListCommand;
import org.fedometer.cli.agent.StageShowCommand;
import org.fedometer.cli.agent.TopCommand;
import org.fedometer.cli.collector.CollectCommand;
import org.fedometer.cli.control.LoadPauseCommand;
import org.fedometer.cli.control.LoadResumeCommand;
import org.fedometer.cli.control.LoadSetCommand;
import org.fedometer.cli.control.LoadStatusCommand;
import org.fedometer.cli.control.LoadStopCommand;
import org.fedometer.cli.dataset.DatasetDescribeCommand;
import org.fedometer.cli.dataset.DatasetGenerateCommand;
import org.fedometer.cli.dataset.DatasetListCommand;
import org.fedometer.cli.dataset.DatasetShowCommand;
import org.fedometer.cli.load.DoctorCommand;
import org.fedometer.cli.load.ExperimentCommand;
import org.fedometer.cli.load.IngestCommand;
import org.fedometer.cli.load.RunCommand;
import org.fedometer.cli.load.RunsImportCommand;
import org.fedometer.cli.load.StackUpCommand;
import org.fedometer.cli.load.StudyDatastreamsCommand;
import org.fedometer.cli.load.StudyScaleCommand;
import org.fedometer.cli.profile.ProfileCheckCommand;
import org.fedometer.cli.profile.ProfileListCommand;
import org.fedometer.cli.profile.ProfileShowCommand;
import org.fedometer.cli.repository.StackDownCommand;
import org.fedometer.cli.repository.StackListCommand;
import org.fedometer.cli.repository.StackRepairCommand;
import org.fedometer.cli.repository.VerifyCommand;
import org.fedometer.cli.runs.CompareCommand;
import org.fedometer.cli.runs.ReportCommand;
import org.fedometer.cli.runs.RunsArchiveCommand;
import org.fedometer.cli.runs.RunsExportCommand;
import org.fedometer.cli.runs.RunsFetchCommand;
import org.fedometer.cli.runs.RunsListCommand;
import org.fedometer.cli.runs.RunsLogsCommand;
import org.fedometer.cli.runs.RunsQueryCommand;
import org.fedometer.cli.runs.RunsRestoreCommand;
import org.fedometer.cli.runs.RunsRmCommand;
import org.fedometer.cli.runs.RunsTraceCommand;
import org.fedometer.cli.terminal.Headings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Spec;

/** Lists all commands: the jobs, and groups with one command per action. */
final class CommandList implements IHelpSectionRenderer {
  static final List<Class<?>> JOBS =
      List.of(
          RunCommand.class,
          ExperimentCommand.class,
          CompareCommand.class,
          ReportCommand.class,
          IngestCommand.class,
          VerifyCommand.class,
          DoctorCommand.class,
          AttachCommand.class,
          DetachCommand.class,
          TopCommand.class,
          CollectCommand.class);

  static final List<Group> GROUPS =
      List.of(
          new Group(
              "stack",
              "Fedoras that this user brought up",
              StackUpCommand.class,
              StackDownCommand.class,
              StackListCommand.class,
              StackRepairCommand.class),
          new Group(
              "agent",
              "Fedoras of this host and the agents in them",
              AgentListCommand.class,
              AgentPauseCommand.class,
              AgentResumeCommand.class),
          new Group(
              "load",
              "Loads in progress",
              LoadStatusCommand.class,
              LoadSetCommand.class,
              LoadPauseCommand.class,
              LoadResumeCommand.class,
              LoadStopCommand.class),
          new Group(
              "runs",
              "Runs of a store",
              RunsListCommand.class,
              RunsTraceCommand.class,
              RunsLogsCommand.class,
              RunsQueryCommand.class,
              RunsFetchCommand.class,
              RunsArchiveCommand.class,
              RunsRestoreCommand.class,
              RunsRmCommand.class,
              RunsImportCommand.class,
              RunsExportCommand.class),
          new Group(
              "profile",
              "Tuning profiles",
              ProfileListCommand.class,
              ProfileShowCommand.class,
              ProfileCheckCommand.class),
          new Group(
              "dataset",
              "Datasets",
              DatasetListCommand.class,
              DatasetShowCommand.class,
              DatasetDescribeCommand.class,
              DatasetGenerateCommand.class),
          new Group(
              "stage",
              "Stages that the agent times",
              StageListCommand.class,
              StageShowCommand.class),
          new Group(
              "study",
              "Studies of one Fedora",
              StudyScaleCommand.class,
              StudyDatastreamsCommand.class));

  static final List<Class<?>> HELP = List.of(HelpCommand.class, CompletionCommand.class);

  private static final int INDENT = 2;

  /** Commands on one kind of object, in display order. */
  record Group(String name, String description, List<Class<?>> commands) {
    Group(String name, String description, Class<?>... commands) {
      this(name, description, List.of(commands));
    }

    List<String> names() {
      return commands.stream().map(CommandList::nameOf).toList();
    }

    private CommandLine with(List<Class<?>> some) {
      CommandLine group = new CommandLine(new GroupCommand());
      String example = commands.get(0).getAnnotation(Command.class).footer()[0];
      group
          .getCommandSpec()
          .name(name)
          .usageMessage()
          .description(description + ".")
          .footerHeading(Headings.EXAMPLES)
          .footer(example);
      some.forEach(command -> group.addSubcommand(new CommandLine(command)));
      return group;
    }
  }

  /** Prints its help if called without a command. */
  @Command(mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
  private static final class GroupCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
      spec.commandLine().usage(spec.commandLine().getOut());
    }
  }

  /** Adds the subcommands that the arguments need. Creating all takes longer than most commands. */
  static final class SubcommandTransformer implements IModelTransformer {
    private final List<String> arguments;

    /** Adds all commands, for picocli and its tools. */
    SubcommandTransformer() {
      this(List.of("all"));
    }

    SubcommandTransformer(List<String> arguments) {
      this.arguments = arguments;
    }

    @Override
    public CommandSpec transform(CommandSpec fedometer) {
      commandsFor(arguments).forEach(fedometer::addSubcommand);
      return fedometer;
    }
  }

  private CommandList() {}

  /** Returns commands called by one word, and those of groups. */
  static Stream<Class<?>> all() {
    return Stream.concat(
        single(), GROUPS.stream().<Class<?>>flatMap(group -> group.commands().stream()));
  }

  private static Stream<Class<?>> single() {
    return Stream.concat(JOBS.stream(), HELP.stream());
  }

  /** Returns the words that can begin a command line. */
  static Stream<String> names() {
    return Stream.of(
            JOBS.stream().map(CommandList::nameOf),
            GROUPS.stream().map(Group::name),
            HELP.stream().map(CommandList::nameOf))
        .flatMap(names -> names);
  }

  private static Map<String, CommandLine> commandsFor(List<String> arguments) {
    Map<String, CommandLine> commands = new LinkedHashMap<>();
    if (isHelp(arguments)) {
      // The help reads only annotations.
      commands.put("help", new CommandLine(HelpCommand.class));
      return commands;
    }
    String first = arguments.get(0);
    Optional<Class<?>> single =
        single()
            .filter(command -> nameOf(command).equals(first))
            .filter(command -> command != CompletionCommand.class)
            .findFirst();
    if (single.isPresent()) {
      commands.put(first, new CommandLine(single.get()));
      return commands;
    }
    Optional<Group> group = GROUPS.stream().filter(any -> any.name().equals(first)).findFirst();
    if (group.isPresent()) {
      List<Class<?>> named =
          group.get().commands().stream()
              .filter(command -> arguments.size() > 1 && nameOf(command).equals(arguments.get(1)))
              .toList();
      commands.put(first, group.get().with(named.isEmpty() ? group.get().commands() : named));
      return commands;
    }
    JOBS.forEach(job -> commands.put(nameOf(job), new CommandLine(job)));
    GROUPS.forEach(each -> commands.put(each.name(), each.with(each.commands())));
    HELP.forEach(help -> commands.put(nameOf(help), new CommandLine(help)));
    return commands;
  }

  private static boolean isHelp(List<String> arguments) {
    return arguments.isEmpty()
        || arguments.size() == 1 && List.of("help", "-h", "--help").contains(arguments.get(0));
  }

  /** Returns the words that call a command, after {@code fedometer}. */
  static String callOf(Class<?> command) {
    return GROUPS.stream()
        .filter(group -> group.commands().contains(command))
        .map(group -> group.name() + " " + nameOf(command))
        .findFirst()
        .orElseGet(() -> nameOf(command));
  }

  private static String nameOf(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  /** Returns a command's one-line description. */
  private static String summaryOf(Class<?> command) {
    return command.getAnnotation(Command.class).description()[0];
  }

  /** Makes the help of {@code command} list all commands, regardless of its own subcommands. */
  static void installIn(CommandLine command) {
    Map<String, IHelpSectionRenderer> sections = command.getHelpSectionMap();
    sections.remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new CommandList());
  }

  @Override
  public String render(Help help) {
    int nameWidth = INDENT + names().mapToInt(String::length).max().orElseThrow();
    StringBuilder all = new StringBuilder();
    table(all, help, nameWidth, "", JOBS);
    TextTable groups = table(help, nameWidth);
    for (Group group : GROUPS) {
      groups.addRowValues(
          help.colorScheme().commandText(group.name()),
          help.colorScheme().text(group.description() + ": " + String.join(", ", group.names())));
    }
    all.append(help.createHeading("%nGroups of commands:%n")).append(groups);
    table(all, help, nameWidth, "Help", HELP);
    return all.toString();
  }

  private static void table(
      StringBuilder all, Help help, int nameWidth, String heading, List<Class<?>> commands) {
    TextTable table = table(help, nameWidth);
    commands.forEach(
        command ->
            table.addRowValues(
                help.colorScheme().commandText(nameOf(command)),
                help.colorScheme().text(summaryOf(command))));
    all.append(help.createHeading("%n" + (heading.isEmpty() ? "Commands" : heading) + ":%n"))
        .append(table);
  }

  private static TextTable table(Help help, int nameWidth) {
    return TextTable.forColumns(
        help.colorScheme(),
        new Column(nameWidth, INDENT, Overflow.SPAN),
        new Column(help.commandSpec().usageMessage().width() - nameWidth, INDENT, Overflow.WRAP));
  }
}
