package org.fedometer.analysis.report;

import static org.fedometer.analysis.NumberFormats.share;
import static org.fedometer.analysis.section.Table.ALWAYS;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.fedometer.analysis.report.RunReport.FailureGroup;
import org.fedometer.analysis.report.RunReport.Latency;
import org.fedometer.analysis.report.RunReport.Operation;
import org.fedometer.analysis.report.RunReport.Pace;
import org.fedometer.analysis.report.RunReport.Speed;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.section.Table;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.LoadStep;
import org.fedometer.store.RunDocument.Percentiles;

/**
 * Creates the tables of a {@link RunReport}; CSV has milliseconds, or seconds where a title has
 * them. Pure.
 */
public final class ReportTables {
  private static final double NANOS_A_MILLI = 1e6;

  private ReportTables() {}

  static Table<Check> checks(RunReport report) {
    return new Table<Check>("checks", "Checks")
        .text("check", Check::name)
        .cell("", check -> check.verdict().cell())
        .prose("figures", Check::detail)
        .rows(Check.of(report));
  }

  record SpeedRow(String name, Pace pace) {}

  static Table<SpeedRow> speed(Speed speed) {
    Table<SpeedRow> table =
        new Table<SpeedRow>("speed", "Throughput and latency of the ingest")
            .text("objects", ALWAYS, SpeedRow::name)
            .headed("")
            .count("number", 2, stretch -> stretch.pace().objects())
            .headed("objects")
            .number("objects/s", ALWAYS, stretch -> Cell.rate(stretch.pace().objectsPerSecond()));
    addTimes(table, stretch -> stretch.pace().latency());
    if (speed.finalFlushIncluded()) {
      table.row(new SpeedRow("all, with final flush", speed.overall()));
    }
    table.row(new SpeedRow("all, to last answer", speed.ingest()));
    boolean settled = speed.warmUp().verdict() != WarmUp.Verdict.NOT_SETTLED;
    if (speed.cold() != null) {
      table.row(new SpeedRow(settled ? "cold" : "first half", speed.cold()));
    }
    if (speed.cold() != null && speed.warm() != null) {
      table.row(new SpeedRow(settled ? "warm" : "second half", speed.warm()));
    }
    return table;
  }

  /**
   * @param times of a row; null if there are none
   */
  static <R> void addTimes(Table<R> table, Function<R, Latency> times) {
    table
        .duration("mean", 1, orNaN(times, Latency::meanNanos))
        .duration("p50", ALWAYS, orNaN(times, Latency::p50Nanos))
        .duration("p95", 3, orNaN(times, Latency::p95Nanos))
        .duration("p99", ALWAYS, orNaN(times, Latency::p99Nanos))
        .duration("max", ALWAYS, orNaN(times, Latency::maxNanos));
  }

  private static <R, T> ToDoubleFunction<R> orNaN(
      Function<R, T> timesOrNull, ToDoubleFunction<T> time) {
    return row -> {
      T times = timesOrNull.apply(row);
      return times == null ? Double.NaN : time.applyAsDouble(times);
    };
  }

  static Table<Stage> stages(RunReport.Stages stages) {
    List<Stage> list = stages.list();
    double maxShare =
        list.stream().mapToDouble(s -> s.share() == null ? 0 : s.share()).max().orElse(0);
    boolean anyFailed = list.stream().anyMatch(stage -> stage.failed() > 0);
    Table<Stage> table =
        new Table<Stage>("stages", "Stages of Fedora's work, most self time first")
            .text("stage", ALWAYS, Stage::name)
            .count("calls", ALWAYS, Stage::count)
            .number(
                "failed",
                4,
                stage ->
                    stage.failed() > 0
                        ? Cell.count(stage.failed()).styled("bad")
                        : Cell.number("", 0))
            .headed(anyFailed ? "failed" : "")
            .seconds("total", 3, stage -> Cell.seconds(stage.totalNanos()))
            .seconds("self", ALWAYS, stage -> Cell.seconds(stage.selfNanos()))
            .bar("share", stage -> part(stage, maxShare))
            .duration("mean", Stage::meanNanos)
            .duration("p50", ALWAYS, Stage::p50Nanos)
            .duration("p95", 2, Stage::p95Nanos)
            .duration("p99", ALWAYS, Stage::p99Nanos)
            .duration("max", ALWAYS, Stage::maxNanos)
            .sortable();
    list.stream()
        .filter(stage -> !stage.outside())
        .sorted(Comparator.comparingLong(Stage::requestSelfNanos).reversed())
        .forEach(table::row);
    List<Stage> outside = list.stream().filter(Stage::outside).toList();
    if (!outside.isEmpty()) {
      table
          .section("outside the requests: on other threads, or after the last response")
          .rows(outside);
    }
    return table;
  }

  private static Cell part(Stage stage, double maxShare) {
    boolean hasShare = stage.share() != null && (!stage.outside() || stage.requestSelfNanos() > 0);
    return !hasShare
        ? Cell.EMPTY
        : maxShare > 0
            ? Cell.bar(share(stage.share()), stage.share(), stage.share() / maxShare)
            : Cell.EMPTY.inTerminal(share(stage.share()));
  }

  private record Requests(Operation operation, boolean ofResponse) {
    Latency times() {
      return ofResponse ? operation.responseTime() : operation.serviceTime();
    }

    /** Returns a count, which a terminal shows only once. */
    Cell count(long count, boolean shown) {
      return shown && !ofResponse ? Cell.count(count) : Cell.count(count).inTerminal("");
    }
  }

  static Table<?> operations(RunReport report) {
    Table<Requests> table =
        new Table<Requests>("operations", "Requests by operation")
            .text("operation", ALWAYS, row -> row.operation().name())
            .number("requests", ALWAYS, row -> row.count(row.operation().count(), true))
            .number(
                "failed",
                ALWAYS,
                row ->
                    row.count(row.operation().failed(), true)
                        .styled(row.operation().failed() > 0 ? "bad" : null))
            .number("late", 2, row -> row.count(row.operation().late(), row.operation().late() > 0))
            .headed(report.openModel() ? "late" : "");
    addTimes(table, Requests::times);
    report.operations().forEach(operation -> table.row(new Requests(operation, false)));
    if (report.openModel()) {
      table.section("response times, from the intended start of a request");
      report.operations().forEach(operation -> table.row(new Requests(operation, true)));
    }
    return table;
  }

  static Table<LoadStep> steps(RunDocument.Load load) {
    boolean rates = hasRates(load);
    boolean mixed = isMixed(load);
    Function<LoadStep, Percentiles> times =
        rates ? LoadStep::responseMillis : LoadStep::serviceMillis;
    return new Table<LoadStep>("steps", "Steps of the load")
        .cell(rates ? "rate" : "workers", ALWAYS, ReportTables::stepName)
        .cell("outcome", step -> Cell.text(ReportSummary.stepOutcome(step)).styled(style(step)))
        .number(
            "seconds",
            1,
            step ->
                Cell.rate(step.seconds())
                    .inTerminal(String.format(Locale.ROOT, "%.1f", step.seconds())))
        .count(mixed ? "operations" : "objects", 2, LoadStep::done)
        .number(
            mixed ? "operations/s" : "objects/s", ALWAYS, step -> Cell.rate(step.donePerSecond()))
        .count("failed", 4, LoadStep::failedRequests)
        .number(
            "late", ALWAYS, step -> rates && !isWarmUp(step) ? Cell.count(step.late()) : Cell.EMPTY)
        .headed(rates ? "late" : "")
        .duration("p50", ALWAYS, percentile(times, Percentiles::p50))
        .duration("p95", percentile(times, Percentiles::p95))
        .duration("p99", ALWAYS, percentile(times, Percentiles::p99))
        .duration("max", 3, percentile(times, Percentiles::max))
        .terminal("", ALWAYS, false, step -> isWarmUp(step) ? "" : ReportSummary.stepOutcome(step))
        .rows(load.steps());
  }

  private record StepOperation(LoadStep step, RunDocument.StepOperation kind) {}

  /** Lists the steps of a mix by operation. */
  static Table<?> stepOperations(RunDocument.Load load) {
    boolean rates = hasRates(load);
    Function<StepOperation, Percentiles> times =
        row -> rates ? row.kind().responseMillis() : row.kind().serviceMillis();
    Table<StepOperation> table =
        new Table<StepOperation>("step-operations", "Steps of the load by operation")
            .cell(rates ? "rate" : "workers", ALWAYS, row -> stepName(row.step()))
            .text("operation", ALWAYS, row -> String.valueOf(row.kind().operation()))
            .count("done", 2, row -> row.kind().done())
            .number("a second", ALWAYS, row -> Cell.rate(row.step().perSecond(row.kind().done())))
            .count("failed", 4, row -> row.kind().failedRequests())
            .duration("p50", 3, percentile(times, Percentiles::p50))
            .duration("p95", percentile(times, Percentiles::p95))
            .duration("p99", ALWAYS, percentile(times, Percentiles::p99))
            .duration("max", 1, percentile(times, Percentiles::max));
    for (LoadStep step : load.steps()) {
      step.operations().forEach(kind -> table.row(new StepOperation(step, kind)));
    }
    return table;
  }

  private static Cell stepName(LoadStep step) {
    return isWarmUp(step)
        ? Cell.text(LoadStep.WARM_UP)
        : step.ratePerSecond() == null
            ? Cell.count(step.workers())
            : Cell.rate(step.ratePerSecond());
  }

  private static boolean isWarmUp(LoadStep step) {
    return LoadStep.WARM_UP.equals(step.outcome());
  }

  private static <R> ToDoubleFunction<R> percentile(
      Function<R, Percentiles> times, ToDoubleFunction<Percentiles> millis) {
    return orNaN(times, all -> millis.applyAsDouble(all) * NANOS_A_MILLI);
  }

  public static boolean isMixed(RunDocument.Load load) {
    return load.steps().stream().anyMatch(LoadStep::mixed);
  }

  public static boolean hasRates(RunDocument.Load load) {
    return load.steps().stream().anyMatch(step -> step.ratePerSecond() != null);
  }

  private static String style(LoadStep step) {
    return switch (String.valueOf(step.outcome())) {
      case LoadStep.CLEAN -> "good";
      case LoadStep.ERRORS, LoadStep.NOT_HELD -> "bad";
      default -> null;
    };
  }

  public static Table<FailureGroup> failures(RunReport.Requests requests) {
    return new Table<FailureGroup>("failures", "Failed requests by cause")
        .text("operation", FailureGroup::operation)
        .count("requests", FailureGroup::count)
        .number("status", group -> Cell.text(status(group.status())))
        .prose("message", FailureGroup::message)
        .text("first object", FailureGroup::firstPid)
        .rows(requests == null ? List.of() : requests.failures());
  }

  /** Formats an HTTP status, or its absence. */
  public static String status(int status) {
    return status == 0 ? "no answer" : Integer.toString(status);
  }
}
