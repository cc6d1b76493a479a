package org.fedometer.cli.repository;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = "List the running stacks of this user.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer stack list", "  fedometer stack list --json"},
    mixinStandardHelpOptions = true)
public final class StackListCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Spec private CommandSpec spec;

  /**
   * A stack for {@code --json}; pid is null if Fedora does not run, url if its port is not set yet.
   */
  private record Row(
      Long pid, String url, String home, String profile, String user, String passwordFile) {

    static Row of(Stack stack) {
      return new Row(
          stack.fedoraPid().isPresent() ? stack.fedoraPid().getAsLong() : null,
          stack.url().getPort() == 0 ? null : stack.url().toString(),
          stack.home().toString(),
          stack.profileName(),
          stack.user(),
          stack.passwordFile().toString());
    }
  }

  @Override
  public Integer call() throws Exception {
    List<Stack> stacks = StackRegistry.ofUser().running();
    if (json) {
      StandardOutput.asJson(stacks.stream().map(Row::of).toList());
    } else if (stacks.isEmpty()) {
      System.out.println("no stack is running");
    } else {
      table(stacks);
    }
    return ExitCode.DONE;
  }

  private void table(List<Stack> stacks) {
    List<List<String>> rows = new ArrayList<>();
    for (Stack stack : stacks) {
      Row row = Row.of(stack);
      rows.add(
          List.of(
              row.pid() == null ? "-" : row.pid().toString(),
              row.profile(),
              row.pid() != null && row.url() != null
                  ? row.url()
                  : stack.fedoraHasEnded() ? "(ended)" : "(starting)",
              row.home()));
    }
    PlainTable.uncut(rows, "PROCESS", "PROFILE", "URL", "HOME").print(System.out);
    for (Stack stack : stacks) {
      List<String> leftovers = stack.running();
      if (stack.fedoraHasEnded() && !leftovers.isEmpty()) {
        spec.commandLine().getErr().println(SafeLine.of(leftoverMessage(stack, leftovers)));
      }
    }
  }

  private static String leftoverMessage(Stack stack, List<String> leftovers) {
    String home = ShellWord.of(stack.home().toString());
    return "The Fedora in "
        + stack.home()
        + " has ended; "
        + String.join(", ", leftovers)
        + " still runs. 'fedometer stack down --home "
        + home
        + "' ends it; 'fedometer stack up --home "
        + home
        + "' then starts both again.";
  }
}
