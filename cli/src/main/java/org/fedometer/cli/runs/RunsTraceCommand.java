package org.fedometer.cli.runs;

import java.util.concurrent.Callable;
import org.fedometer.analysis.trace.JsonTrace;
import org.fedometer.analysis.trace.ObjectTrace;
import org.fedometer.analysis.trace.ObjectTrace.Choice;
import org.fedometer.analysis.trace.TextTrace;
import org.fedometer.cli.option.StoreChoice;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.cli.terminal.Terminal;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "trace",
    description = "Show one object's way from the client to the disk as a waterfall.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer runs trace big patent:WO-17",
    mixinStandardHelpOptions = true)
public final class RunsTraceCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "RUN",
      description = "Name of a run, or the path of its folder.")
  private String run;

  @Parameters(
      index = "1",
      paramLabel = "PID",
      description = "PID of the object, such as patent:WO-17.")
  private String pid;

  @ArgGroup private Attempts attempts;
  @Mixin private StoreChoice store;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  private static final class Attempts {
    @Option(
        names = "--attempt",
        paramLabel = "N",
        description = "Number of the attempt, from 1 (default: the newest).")
    private int attempt;

    @Option(names = "--all-attempts", description = "Show all attempts.")
    private boolean all;
  }

  @Override
  public Integer call() throws Exception {
    ObjectTrace trace = ObjectTrace.of(store.view().run(run), pid, choice());
    if (json) {
      StandardOutput.json(JsonTrace.of(trace));
    } else {
      StandardOutput.styled(TextTrace.of(trace, Terminal.style()));
    }
    return ExitCode.DONE;
  }

  private Choice choice() {
    if (attempts == null) {
      return Choice.NEWEST;
    }
    if (!attempts.all && attempts.attempt < 1) {
      throw new IllegalArgumentException(
          "--attempt " + attempts.attempt + ": attempts count from 1");
    }
    return attempts.all ? Choice.ALL : new Choice(false, attempts.attempt);
  }
}
