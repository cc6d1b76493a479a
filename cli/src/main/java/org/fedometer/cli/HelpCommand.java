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

/** Prints what {@code --help} does, of commands of commands, too. */
@Command(
    name = "help",
    helpCommand = true,
    description = "Prints the help of a command; of fedometer itself where none is named.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer help run", "  fedometer help profiles show"},
    mixinStandardHelpOptions = true)
final class HelpCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      completionCandidates = Commands.class,
      description = "A command, and one of those that it has itself.")
  private List<String> names = List.of();

  @Override
  public void run() {
    CommandLine shown = spec.root().commandLine();
    for (String name : names) {
      CommandLine next = shown.getSubcommands().get(name);
      if (next == null) {
        throw new ParameterException(shown, "there is no command '" + name + "'", null, name);
      }
      shown = next;
    }
    shown.usage(spec.commandLine().getOut());
  }

  static final class Commands implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return CommandList.JOBS.stream().flatMap(job -> job.commands().stream()).iterator();
    }
  }
}
