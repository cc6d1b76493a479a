package org.fedometer.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fedometer ps}: the stacks that are up. */
@Command(
    name = "ps",
    description = "Lists the stacks of this user that are up.",
    footerHeading = Main.EXAMPLES,
    footer = {"  fedometer ps", "  fedometer ps --json"},
    mixinStandardHelpOptions = true)
final class PsCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  /** One stack as {@code --json} shows it; pid and url are null where Fedora does not run yet. */
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
    List<Row> rows = StackRegistry.ofUser().running().stream().map(Row::of).toList();
    if (json) {
      StandardOutput.asJson(rows);
    } else if (rows.isEmpty()) {
      System.out.println("nothing is up");
    } else {
      PlainTable table = PlainTable.whole("PROCESS", "PROFILE", "URL", "HOME");
      for (Row row : rows) {
        table.row(
            List.of(
                row.pid() == null ? "-" : row.pid().toString(),
                row.profile(),
                row.url() == null ? "(starting)" : row.url(),
                row.home()));
      }
      table.print(System.out);
    }
    return ExitCode.DONE;
  }
}
