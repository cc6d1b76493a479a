package org.fedometer.cli.runs;

import java.io.IOException;
import java.io.PrintStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.option.StoreChoice;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.collector.RunMaintenance;
import org.fedometer.store.RunState;
import org.fedometer.store.RunSummary;
import org.fedometer.store.StoreView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = "List the runs of a store, newest first.",
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer runs list",
      "  fedometer runs list --from 192.0.2.7:4711 --token-file FILE"
    },
    mixinStandardHelpOptions = true)
public final class RunsListCommand implements Callable<Integer> {
  /** Displayed for a run that is "running" without an active writer. */
  private static final String ABANDONED = "abandoned";

  /** Log events with an assumed level or time. */
  private static final String ASSUMED =
      "SELECT run, sum(log_events_assumed)::BIGINT FROM sources WHERE log_events_assumed > 0"
          + " GROUP BY run";

  /** Columns to drop first if not all fit. */
  private static final List<String> DROP_ORDER =
      List.of("SIZE", "DURATION", "PROFILE", "DATASET", "OBJ/S", "STARTED", "OBJECTS", "STATE");

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Mixin private StoreChoice store;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    StoreView view = store.view();
    List<RunSummary> runs = withAssumed(view, withActualStates(view.summaries()));
    StandardOutput.jsonOrText(json, runs, out -> print(view, runs, out));
    return ExitCode.DONE;
  }

  private void print(StoreView view, List<RunSummary> runs, PrintStream out) {
    if (runs.isEmpty()) {
      out.println("no run yet in " + view.location() + "; " + view.missingRunHint());
    } else {
      int columns = Terminal.knownColumns().orElse(Integer.MAX_VALUE);
      List<String> hidden = table(runs).print(out, columns, DROP_ORDER);
      if (!hidden.isEmpty()) {
        spec.commandLine()
            .getErr()
            .println("a wider terminal shows more: " + String.join(", ", hidden));
      }
    }
  }

  private List<RunSummary> withActualStates(List<RunSummary> runs) throws IOException {
    if (store.isRemote()
        || runs.stream().noneMatch(run -> RunState.RUNNING.is(run.state()))
        || RunMaintenance.of(store.local(), "").isCollected()) {
      return runs;
    }
    return runs.stream()
        .map(run -> RunState.RUNNING.is(run.state()) ? run.withState(ABANDONED) : run)
        .toList();
  }

  /** Adds assumed events. Only monitoring runs have logs; a store without any is not queried. */
  private static List<RunSummary> withAssumed(StoreView view, List<RunSummary> runs) {
    if (runs.stream()
        .noneMatch(
            run -> RunState.MONITORING.is(run.state()) || RunSummary.ENDED.equals(run.state()))) {
      return runs;
    }
    Map<String, Long> counts = new HashMap<>();
    try (Query query = view.query();
        Rows rows = query.execute(ASSUMED)) {
      while (rows.next()) {
        counts.put(rows.text(0), rows.integer(1));
      }
    } catch (QueryException | IOException e) {
      // A broken run or unavailable store: the list is worth more than this column.
      return runs;
    }
    return runs.stream()
        .map(
            run ->
                counts.containsKey(run.name())
                    ? run.withLogEventsAssumed(counts.get(run.name()))
                    : run)
        .toList();
  }

  private static PlainTable<RunSummary> table(List<RunSummary> runs) {
    PlainTable<RunSummary> table =
        PlainTable.of(runs)
            .left("RUN", RunSummary::name)
            .left("STATE", RunSummary::state)
            .left("PROFILE", run -> orDash(run.profile(), text -> text))
            .left("DATASET", run -> orDash(run.dataset(), text -> text))
            .right("OBJECTS", run -> orDash(run.objects(), NumberFormats::count))
            .left("STARTED", run -> orDash(run.started(), RunsListCommand::time))
            .right("DURATION", run -> orDash(run.durationMillis(), RunsListCommand::duration))
            .right(
                "OBJ/S",
                run ->
                    orDash(
                        run.objectsPerSecond(), rate -> String.format(Locale.ROOT, "%,.1f", rate)))
            .right("SIZE", run -> NumberFormats.bytes(run.sizeBytes()));
    return runs.stream().allMatch(run -> run.logEventsAssumed() == null)
        ? table
        : table.right("ASSUMED", run -> orDash(run.logEventsAssumed(), NumberFormats::count));
  }

  private static <V> String orDash(V value, Function<V, String> text) {
    return value == null ? "-" : text.apply(value);
  }

  private static String time(String started) {
    try {
      return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT)
          .withZone(ZoneId.systemDefault())
          .format(Instant.parse(started));
    } catch (DateTimeException e) {
      return started;
    }
  }

  private static String duration(long millis) {
    Duration duration = Duration.ofMillis(millis);
    return duration.toHours() > 0
        ? "%dh %02dm".formatted(duration.toHours(), duration.toMinutesPart())
        : duration.toMinutes() > 0
            ? "%dm %02ds".formatted(duration.toMinutes(), duration.toSecondsPart())
            : duration.toSeconds() + "s";
  }
}
