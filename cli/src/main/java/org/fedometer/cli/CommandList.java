package org.fedometer.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The list of commands in {@code fedometer help}, by job; {@code docs/cli.md} has the same. */
final class CommandList implements IHelpSectionRenderer {

  private static final int INDENT = 2;

  static final List<Job> JOBS =
      List.of(
          new Job(
              "Bring up and look inside",
              List.of("run", "up", "ps", "down", "attach", "detach", "agents", "top")),
          new Job(
              "Load",
              List.of(
                  "ingest",
                  "doctor",
                  "load",
                  "pause",
                  "continue",
                  "stop",
                  "verify",
                  "repair",
                  "scale-study",
                  "datastream-study")),
          new Job(
              "Look and compare",
              List.of(
                  "report", "compare", "experiment", "trace", "logs", "runs", "query", "import")),
          new Job("Keep", List.of("collect", "fetch", "archive", "rm", "export")),
          new Job(
              "What there is",
              List.of(
                  "profiles", "stages", "datasets", "describe", "generate", "help", "completion")));

  /** Its commands are in the order in which they are shown. */
  record Job(String heading, List<String> commands) {}

  private CommandList() {}

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
