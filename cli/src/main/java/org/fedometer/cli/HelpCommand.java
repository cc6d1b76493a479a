package org.fedometer.cli;

import java.util.Iterator;
import java.util.List;
import org.fedometer.cli.terminal.Headings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a command's help like {@code --help}, also for subcommands. */
@Command(
    name = "help",
    helpCommand = true,
    description = "Print the help of a command.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer help run", "  fedometer help profile show"},
    mixinStandardHelpOptions = true)
final class HelpCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      completionCandidates = Commands.class,
      description = "A command, or a group and one of its commands.")
  private List<String> names = List.of();

  @Override
  public void run() {
    CommandLine command = Main.commandLine(names).setErr(spec.commandLine().getErr());
    for (String name : names) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw new ParameterException(command, "there is no command '" + name + "'", null, name);
      }
      command = next;
    }
    command.usage(spec.commandLine().getOut());
  }

  static final class Commands implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return CommandList.names().iterator();
    }
  }
}
