package org.fedometer.analysis.html;

import static org.fedometer.analysis.Figures.count;
import static org.fedometer.analysis.Figures.duration;
import static org.fedometer.analysis.Figures.rate;
import static org.fedometer.analysis.Figures.share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.fedometer.analysis.html.HtmlTable.Cell;
import org.fedometer.analysis.report.Check;
import org.fedometer.analysis.report.ReportWords;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.report.RunReport.Latency;
import org.fedometer.analysis.report.RunReport.Operation;
import org.fedometer.analysis.report.RunReport.Pace;
import org.fedometer.analysis.report.RunReport.Speed;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.store.RunDocument;

/**
 * The tables of a {@link RunReport}, with numbers in milliseconds, or seconds where a title says
 * so, for their CSV. Pure.
 */
final class ReportTables {
  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_SECOND = 1e9;

  private ReportTables() {}

  static HtmlTable checks(RunReport report) {
    HtmlTable table =
        new HtmlTable("checks", "What was held against what").text("check", "", "figures");
    for (Check check : Check.of(report)) {
      table.row(
          Cell.text(check.name()),
          switch (check.verdict()) {
            case HELD -> Cell.text("✓ held").styled("good");
            case NOTEWORTHY -> Cell.text("• worth a look").styled("warning");
            case UNKNOWN -> Cell.text("? not known").styled("warning");
            case BROKEN -> Cell.text("✗ did not hold").styled("bad");
          },
          Cell.text(check.said()).styled("text"));
    }
    return table;
  }

  static HtmlTable speed(Speed speed) {
    HtmlTable table =
        new HtmlTable("speed", "Throughput and latency of the ingest")
            .text("objects")
            .number("number", "objects/s")
            .millis("mean", "p50", "p95", "p99", "max");
    if (speed.finalFlushIncluded()) {
      table.row(pace("all, with final flush", speed.whole()));
    }
    table.row(pace("all, to last answer", speed.ingest()));
    boolean settled = speed.warmUp().verdict() != WarmUp.Verdict.NOT_SETTLED;
    if (speed.cold() != null) {
      table.row(pace(settled ? "cold" : "first half", speed.cold()));
    }
    if (speed.cold() != null && speed.warm() != null) {
      table.row(pace(settled ? "warm" : "second half", speed.warm()));
    }
    return table;
  }

  private static List<Cell> pace(String name, Pace pace) {
    Double perSecond = pace.objectsPerSecond();
    List<Cell> row = new ArrayList<>();
    row.add(Cell.text(name));
    row.add(Cell.number(count(pace.objects()), pace.objects()));
    row.add(perSecond == null ? Cell.text("") : Cell.number(rate(perSecond), perSecond));
    addTimes(row, pace.latency());
    return row;
  }

  private static void addTimes(List<Cell> row, Latency times) {
    if (times == null) {
      row.addAll(
          List.of(Cell.text(""), Cell.text(""), Cell.text(""), Cell.text(""), Cell.text("")));
      return;
    }
    row.add(millis(times.meanNanos()));
    row.add(millis(times.p50Nanos()));
    row.add(millis(times.p95Nanos()));
    row.add(millis(times.p99Nanos()));
    row.add(millis(times.maxNanos()));
  }

  private static Cell millis(double nanos) {
    return Cell.number(duration(nanos), nanos / NANOS_A_MILLI);
  }

  private static Cell seconds(double nanos) {
    return Cell.number(duration(nanos), nanos / NANOS_A_SECOND);
  }

  static HtmlTable stages(RunReport.Stages stages) {
    HtmlTable table =
        new HtmlTable("stages", "Stages of Fedora's work, most own time first")
            .text("stage")
            .number("calls", "failed")
            .seconds("total", "own")
            .text("share")
            .millis("mean", "p50", "p95", "p99", "max")
            .sortable();
    double largest =
        stages.list().stream().mapToDouble(s -> s.share() == null ? 0 : s.share()).max().orElse(0);
    stages.list().stream()
        .filter(stage -> !stage.beside())
        .sorted(Comparator.comparingLong(Stage::requestOwnNanos).reversed())
        .forEach(stage -> table.row(stage(stage, largest)));
    List<Stage> beside = stages.list().stream().filter(Stage::beside).toList();
    if (!beside.isEmpty()) {
      table.section("beside the requests: on other threads, or after the last answer");
      beside.forEach(stage -> table.row(stage(stage, largest)));
    }
    return table;
  }

  private static List<Cell> stage(Stage stage, double largestShare) {
    boolean hasShare = stage.share() != null && (!stage.beside() || stage.requestOwnNanos() > 0);
    return List.of(
        Cell.text(stage.name()),
        Cell.number(count(stage.count()), stage.count()),
        stage.failed() > 0
            ? Cell.number(count(stage.failed()), stage.failed()).styled("bad")
            : Cell.number("", 0),
        seconds(stage.totalNanos()),
        seconds(stage.ownNanos()),
        hasShare && largestShare > 0
            ? Cell.bar(share(stage.share()), stage.share(), stage.share() / largestShare)
            : Cell.text(""),
        millis(stage.meanNanos()),
        millis(stage.p50Nanos()),
        millis(stage.p95Nanos()),
        millis(stage.p99Nanos()),
        millis(stage.maxNanos()));
  }

  /** Null where they would say nothing that is not said of the ingest. */
  static HtmlTable operations(RunReport report) {
    List<Operation> operations = report.operations();
    if (operations.isEmpty()
        || (operations.size() == 1 && !report.openLoop() && report.speed() != null)) {
      return null;
    }
    HtmlTable table =
        new HtmlTable("operations", "Requests by what they set out to do")
            .text("operation")
            .number("requests", "failed", "late")
            .millis("mean", "p50", "p95", "p99", "max");
    operations.forEach(operation -> table.row(operation(operation, operation.serviceTime())));
    if (report.openLoop()) {
      table.section("response times: from when a request was due");
      operations.forEach(operation -> table.row(operation(operation, operation.responseTime())));
    }
    return table;
  }

  private static List<Cell> operation(Operation operation, Latency times) {
    List<Cell> row = new ArrayList<>();
    row.add(Cell.text(operation.name()));
    row.add(Cell.number(count(operation.count()), operation.count()));
    row.add(
        operation.failed() > 0
            ? Cell.number(count(operation.failed()), operation.failed()).styled("bad")
            : Cell.number("0", 0));
    row.add(Cell.number(count(operation.late()), operation.late()));
    addTimes(row, times);
    return row;
  }

  /** Null where the load had no steps. */
  static HtmlTable steps(RunDocument.Load load) {
    if (load == null || load.steps().isEmpty()) {
      return null;
    }
    boolean rates = hasRates(load);
    boolean mixed = isMixed(load);
    HtmlTable table =
        new HtmlTable("steps", "Steps of the load")
            .text(rates ? "rate" : "workers", "outcome")
            .number(
                "seconds",
                mixed ? "operations" : "objects",
                mixed ? "operations/s" : "objects/s",
                "failed",
                "late")
            .millis("p50", "p95", "p99", "max");
    for (RunDocument.LoadStep step : load.steps()) {
      boolean warmUp = RunDocument.LoadStep.WARM_UP.equals(step.outcome());
      RunDocument.Percentiles times = rates ? step.responseMillis() : step.serviceMillis();
      List<Cell> row = new ArrayList<>();
      row.add(stepName(step));
      row.add(Cell.text(ReportWords.stepOutcome(step)).styled(style(step)));
      row.add(Cell.number(rate(step.seconds()), step.seconds()));
      row.add(Cell.number(count(step.done()), step.done()));
      row.add(Cell.number(rate(step.donePerSecond()), step.donePerSecond()));
      row.add(Cell.number(count(step.failedRequests()), step.failedRequests()));
      row.add(rates && !warmUp ? Cell.number(count(step.late()), step.late()) : Cell.text(""));
      addTimes(row, times);
      table.row(row);
    }
    return table;
  }

  /** The steps of a mix by what was asked for; null of a load of ingests alone. */
  static HtmlTable stepOperations(RunDocument.Load load) {
    if (load == null || !isMixed(load)) {
      return null;
    }
    boolean rates = hasRates(load);
    HtmlTable table =
        new HtmlTable("step-operations", "Steps of the load by operation")
            .text(rates ? "rate" : "workers", "operation")
            .number("done", "a second", "failed")
            .millis("p50", "p95", "p99", "max");
    for (RunDocument.LoadStep step : load.steps()) {
      for (RunDocument.StepOperation kind : step.operations()) {
        List<Cell> row = new ArrayList<>();
        row.add(stepName(step));
        row.add(Cell.text(String.valueOf(kind.operation())));
        row.add(Cell.number(count(kind.done()), kind.done()));
        double perSecond = step.perSecond(kind.done());
        row.add(Cell.number(rate(perSecond), perSecond));
        row.add(Cell.number(count(kind.failedRequests()), kind.failedRequests()));
        addTimes(row, rates ? kind.responseMillis() : kind.serviceMillis());
        table.row(row);
      }
    }
    return table;
  }

  private static Cell stepName(RunDocument.LoadStep step) {
    return RunDocument.LoadStep.WARM_UP.equals(step.outcome())
        ? Cell.text(RunDocument.LoadStep.WARM_UP)
        : step.ratePerSecond() == null
            ? Cell.number(count(step.workers()), step.workers())
            : Cell.number(rate(step.ratePerSecond()), step.ratePerSecond());
  }

  private static void addTimes(List<Cell> row, RunDocument.Percentiles times) {
    for (double millis :
        times == null
            ? new double[] {Double.NaN, Double.NaN, Double.NaN, Double.NaN}
            : new double[] {times.p50(), times.p95(), times.p99(), times.max()}) {
      row.add(Double.isNaN(millis) ? Cell.text("") : millis(millis * NANOS_A_MILLI));
    }
  }

  static boolean isMixed(RunDocument.Load load) {
    return load.steps().stream().anyMatch(RunDocument.LoadStep::mixed);
  }

  static boolean hasRates(RunDocument.Load load) {
    return load.steps().stream().anyMatch(step -> step.ratePerSecond() != null);
  }

  private static String style(RunDocument.LoadStep step) {
    return switch (String.valueOf(step.outcome())) {
      case RunDocument.LoadStep.CLEAN -> "good";
      case RunDocument.LoadStep.ERRORS, RunDocument.LoadStep.NOT_HELD -> "bad";
      default -> null;
    };
  }

  static HtmlTable failures(RunReport.Requests requests) {
    HtmlTable table =
        new HtmlTable("failures", "Failed requests by what went wrong")
            .text("operation")
            .number("requests", "status")
            .text("message", "first object");
    if (requests != null) {
      for (RunReport.FailureGroup group : requests.failures()) {
        table.row(
            Cell.text(group.operation()),
            Cell.number(count(group.count()), group.count()),
            Cell.text(status(group.status())),
            Cell.text(group.message()).styled("text"),
            Cell.text(group.firstPid()));
      }
    }
    return table;
  }

  static String status(int status) {
    return status == 0 ? "no answer" : Integer.toString(status);
  }
}
