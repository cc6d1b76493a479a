package org.fedometer.analysis.report;

import static org.fedometer.analysis.Figures.count;
import static org.fedometer.analysis.Figures.duration;
import static org.fedometer.analysis.Figures.rate;
import static org.fedometer.analysis.Figures.share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.Figures;
import org.fedometer.analysis.report.RunReport.Latency;
import org.fedometer.analysis.report.RunReport.Operation;
import org.fedometer.analysis.report.RunReport.Pace;
import org.fedometer.analysis.report.RunReport.Problem;
import org.fedometer.analysis.report.RunReport.Severity;
import org.fedometer.analysis.report.RunReport.Speed;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.analysis.report.RunReport.Stages;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.analysis.text.Page;
import org.fedometer.analysis.text.Page.Paint;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.analysis.text.TextTable;
import org.fedometer.analysis.text.TextTable.Column;
import org.fedometer.store.RunDocument;

/**
 * Writes a {@link RunReport} for people at a terminal: what ran, whether it ended well, how fast it
 * was, where the time went, in this order.
 */
public final class TextReport {

  private static final int LONGEST_PROBLEM = 400;
  private static final int LABEL_WIDTH = 12;
  private static final int BAR_WIDTH = 12;

  private final RunReport report;
  private final Page page;

  private TextReport(RunReport report, Page page) {
    this.report = report;
    this.page = page;
  }

  /** The report as text, lines ending in a line feed. */
  public static String of(RunReport report, TextStyle style) {
    Page page = new Page(style);
    new TextReport(report, page).write();
    return page.toString();
  }

  private void write() {
    writeHeadline();
    writeFacts();
    writeProblems();
    writeChecks();
    writeSpeed();
    writeSteps();
    writeOperations();
    writeStages();
  }

  private void writeHeadline() {
    boolean well = report.endedWell();
    page.title(
        (report.watch() ? "Watch " : "Run ") + report.run().name(),
        ReportWords.outcome(report),
        report.watch() ? Paint.PLAIN : well ? Paint.GOOD : Paint.BAD);
  }

  private void writeFacts() {
    RunDocument run = report.run();
    ReportWords.subject(run).forEach(this::fact);
    if (run.workers() > 0) {
      fact("workers", count(run.workers()));
    }
    if (run.ratePerSecond() != null) {
      fact("rate", Figures.rate(run.ratePerSecond()) + " objects a second");
    }
    if (!run.workload().isEmpty()) {
      fact("workload", ReportWords.pairs(run.workload()));
    }
    writeOutages(run.outages());
    if (run.load() != null) {
      writeLoad(run.load());
    }
    ReportWords.circumstances(run).forEach(this::fact);
  }

  private void writeOutages(List<RunDocument.Outage> outages) {
    for (RunDocument.Outage outage : outages) {
      fact(
          "outage",
          (RunDocument.Outage.DRIVER.equals(outage.who()) ? "the driver" : "Fedora")
              + " was away for "
              + duration(outage.endNanos() - outage.startNanos())
              + (outage.reason() == null ? "" : ": " + outage.reason()));
    }
  }

  private void writeLoad(RunDocument.Load load) {
    if (load.endedBy() != null) {
      fact("ended", load.endedBy());
    }
    if (!load.pauses().isEmpty()) {
      long paused =
          load.pauses().stream().mapToLong(pause -> pause.endNanos() - pause.startNanos()).sum();
      fact(
          "paused",
          count(load.pauses().size(), "time")
              + ", "
              + duration(paused)
              + " in all, which are in no rate below");
    }
    for (RunDocument.LoadChange change : load.changes()) {
      fact(
          "changed",
          "to "
              + count(change.workers(), "worker")
              + (change.ratePerSecond() == null
                  ? ", a closed loop"
                  : ", " + rate(change.ratePerSecond()) + " objects a second"));
    }
  }

  private void fact(String name, String value) {
    page.labelled(label(name), Paint.FAINT, value, Paint.PLAIN);
  }

  private static String label(String name) {
    return "  " + name + " ".repeat(Math.max(1, LABEL_WIDTH - name.length()));
  }

  private void writeProblems() {
    if (report.problems().isEmpty()) {
      return;
    }
    page.heading("Problems");
    for (Problem problem : report.problems()) {
      boolean wrong = problem.severity() == Severity.WRONG;
      Mark mark = wrong ? Mark.BROKEN : Mark.NOTEWORTHY;
      page.labelled(
          "  " + page.glyph(mark.unicode, mark.ascii) + " ",
          mark.paint,
          page.cut(problem.message(), LONGEST_PROBLEM),
          Paint.PLAIN);
    }
  }

  private void writeChecks() {
    page.heading(report.imported() ? "What was measured" : "Did it end well");
    for (Check check : Check.of(report)) {
      Mark sign = Mark.of(check.verdict());
      String mark = page.glyph(sign.unicode, sign.ascii);
      int used = mark.length() + 1 + check.name().length();
      page.labelled(
          "  " + mark + " " + check.name() + " ".repeat(LABEL_WIDTH - used),
          sign.paint,
          check.said(),
          Paint.PLAIN);
    }
  }

  private enum Mark {
    HELD("✓", "ok", Paint.GOOD),
    NOTEWORTHY("•", "- ", Paint.WARNING),
    UNKNOWN("?", "??", Paint.WARNING),
    BROKEN("✗", "!!", Paint.BAD);

    private final String unicode;
    private final String ascii;
    private final Paint paint;

    Mark(String unicode, String ascii, Paint paint) {
      this.unicode = unicode;
      this.ascii = ascii;
      this.paint = paint;
    }

    static Mark of(Check.Verdict verdict) {
      return switch (verdict) {
        case HELD -> HELD;
        case NOTEWORTHY -> NOTEWORTHY;
        case UNKNOWN -> UNKNOWN;
        case BROKEN -> BROKEN;
      };
    }
  }

  private void writeSpeed() {
    Speed speed = report.speed();
    if (speed == null) {
      return;
    }
    page.heading("How fast");
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column("", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number("objects", 2),
                Column.number("objects/s", TextTable.ALWAYS),
                Column.number("mean", 1),
                Column.number("p50", TextTable.ALWAYS),
                Column.number("p95", 3),
                Column.number("p99", TextTable.ALWAYS),
                Column.number("max", TextTable.ALWAYS)));
    if (speed.finalFlushIncluded()) {
      table.row(paceRow("all, with final flush", speed.whole()));
    }
    table.row(paceRow("all, to last answer", speed.ingest()));
    boolean settled = speed.warmUp().verdict() != WarmUp.Verdict.NOT_SETTLED;
    if (speed.cold() != null) {
      table.row(paceRow(settled ? "cold" : "first half", speed.cold()));
    }
    if (speed.cold() != null && speed.warm() != null) {
      table.row(paceRow(settled ? "warm" : "second half", speed.warm()));
    }
    table.print();
    page.prose(
        "  ",
        ReportWords.warmUp(speed.warmUp()) + " " + ReportWords.whatTimesAre(report),
        Paint.FAINT);
    if (speed.growth() != null) {
      page.prose("  ", ReportWords.growth(speed.growth()), Paint.PLAIN);
    }
  }

  private void writeSteps() {
    RunDocument.Load load = report.run().load();
    if (load == null || load.steps().isEmpty()) {
      return;
    }
    boolean rates = load.steps().stream().anyMatch(step -> step.ratePerSecond() != null);
    boolean mixed = load.steps().stream().anyMatch(RunDocument.LoadStep::mixed);
    page.heading("Steps");
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column(rates ? "rate" : "workers", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number("seconds", 1),
                Column.number(mixed ? "operations" : "objects", 2),
                Column.number(mixed ? "operations/s" : "objects/s", TextTable.ALWAYS),
                Column.number("failed", 4),
                Column.number(rates ? "late" : "", TextTable.ALWAYS),
                Column.number("p50", TextTable.ALWAYS),
                Column.number("p99", TextTable.ALWAYS),
                Column.number("max", 3),
                new Column("", true, TextTable.ALWAYS, Paint.PLAIN)));
    for (RunDocument.LoadStep step : load.steps()) {
      table.row(stepRow(step, rates));
    }
    table.print();
    if (mixed) {
      writeStepOperations(load, rates);
    }
    page.prose("  ", ReportWords.whatStepsAre(rates), Paint.FAINT);
    if (rates) {
      page.prose("  ", ReportWords.highestCleanRate(load), Paint.PLAIN);
    }
  }

  private void writeStepOperations(RunDocument.Load load, boolean rates) {
    page.blank();
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column(rates ? "rate" : "workers", true, TextTable.ALWAYS, Paint.PLAIN),
                new Column("operation", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number("done", 2),
                Column.number("a second", TextTable.ALWAYS),
                Column.number("failed", 4),
                Column.number("p50", 3),
                Column.number("p99", TextTable.ALWAYS),
                Column.number("max", 1)));
    for (RunDocument.LoadStep step : load.steps()) {
      for (RunDocument.StepOperation kind : step.operations()) {
        RunDocument.Percentiles times = rates ? kind.responseMillis() : kind.serviceMillis();
        table.row(
            List.of(
                stepName(step),
                String.valueOf(kind.operation()),
                count(kind.done()),
                rate(step.perSecond(kind.done())),
                count(kind.failedRequests()),
                times == null ? "" : millis(times.p50()),
                times == null ? "" : millis(times.p99()),
                times == null ? "" : millis(times.max())));
      }
    }
    table.print();
  }

  private static String stepName(RunDocument.LoadStep step) {
    return RunDocument.LoadStep.WARM_UP.equals(step.outcome())
        ? RunDocument.LoadStep.WARM_UP
        : step.ratePerSecond() == null ? count(step.workers()) : rate(step.ratePerSecond());
  }

  private static List<String> stepRow(RunDocument.LoadStep step, boolean rates) {
    boolean warmUp = RunDocument.LoadStep.WARM_UP.equals(step.outcome());
    RunDocument.Percentiles times = rates ? step.responseMillis() : step.serviceMillis();
    List<String> row = new ArrayList<>();
    row.add(stepName(step));
    row.add(String.format(Locale.ROOT, "%.1f", step.seconds()));
    row.add(count(step.done()));
    row.add(rate(step.donePerSecond()));
    row.add(count(step.failedRequests()));
    row.add(rates && !warmUp ? count(step.late()) : "");
    row.add(times == null ? "" : millis(times.p50()));
    row.add(times == null ? "" : millis(times.p99()));
    row.add(times == null ? "" : millis(times.max()));
    row.add(warmUp ? "" : ReportWords.stepOutcome(step));
    return row;
  }

  private static String millis(double millis) {
    return duration(Math.round(millis * 1e6));
  }

  /** Says nothing that is not said above where there are ingests only, each sent when due. */
  private void writeOperations() {
    List<Operation> operations = report.operations();
    if (operations.stream().allMatch(Operation::isIngest) && !report.openLoop()) {
      return;
    }
    page.heading("What was asked for");
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column("operation", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number("requests", TextTable.ALWAYS),
                Column.number("failed", TextTable.ALWAYS),
                Column.number(report.openLoop() ? "late" : "", 2),
                Column.number("mean", 1),
                Column.number("p50", TextTable.ALWAYS),
                Column.number("p95", 3),
                Column.number("p99", TextTable.ALWAYS),
                Column.number("max", TextTable.ALWAYS)));
    operations.forEach(
        operation ->
            table.row(
                operationRow(
                    operation,
                    count(operation.count()),
                    count(operation.failed()),
                    operation.late() == 0 ? "" : count(operation.late()),
                    operation.serviceTime())));
    if (report.openLoop()) {
      table.section("response times: from when a request was due");
      operations.forEach(
          operation -> table.row(operationRow(operation, "", "", "", operation.responseTime())));
    }
    table.print();
    page.prose("  ", ReportWords.whatOperationsAre(report), Paint.FAINT);
  }

  private static List<String> operationRow(
      Operation operation, String requests, String failed, String late, Latency times) {
    List<String> row = new ArrayList<>(List.of(operation.name(), requests, failed, late));
    addTimes(row, times);
    return row;
  }

  private static void addTimes(List<String> row, Latency times) {
    if (times == null) {
      row.addAll(List.of("", "", "", "", ""));
    } else {
      row.add(duration(times.meanNanos()));
      row.add(duration(times.p50Nanos()));
      row.add(duration(times.p95Nanos()));
      row.add(duration(times.p99Nanos()));
      row.add(duration(times.maxNanos()));
    }
  }

  private static List<String> paceRow(String name, Pace pace) {
    Double perSecond = pace.objectsPerSecond();
    List<String> row = new ArrayList<>();
    row.add(name);
    row.add(count(pace.objects()));
    row.add(perSecond == null ? "" : rate(perSecond));
    addTimes(row, pace.latency());
    return row;
  }

  private void writeStages() {
    Stages stages = report.stages();
    if (stages.list().isEmpty()) {
      return;
    }
    page.heading(
        "Where the time went"
            + (stages.requests() == 0 ? "" : ": " + ReportWords.timeInRequests(stages)));
    List<Stage> within =
        stages.list().stream()
            .filter(stage -> !stage.beside())
            .sorted(Comparator.comparingLong(Stage::requestOwnNanos).reversed())
            .toList();
    List<Stage> beside = stages.list().stream().filter(Stage::beside).toList();
    boolean anyFailed = stages.list().stream().anyMatch(stage -> stage.failed() > 0);
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column("stage", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number("calls", TextTable.ALWAYS),
                Column.number(anyFailed ? "failed" : "", 4),
                Column.number("total", 3),
                Column.number("own", TextTable.ALWAYS),
                Column.number("share", TextTable.ALWAYS),
                new Column("", true, 1, Paint.BAR),
                Column.number("p50", TextTable.ALWAYS),
                Column.number("p95", 2),
                Column.number("p99", TextTable.ALWAYS),
                Column.number("max", TextTable.ALWAYS)));
    double largest =
        stages.list().stream()
            .mapToDouble(stage -> stage.share() == null ? 0 : stage.share())
            .max()
            .orElse(0);
    within.forEach(stage -> table.row(stageRow(stage, largest)));
    if (!beside.isEmpty()) {
      table.section("beside the requests: on other threads, or after the last answer");
      beside.forEach(stage -> table.row(stageRow(stage, largest)));
    }
    List<String> hidden = table.print();
    String mixed = ReportWords.mixedStages(stages);
    if (!mixed.isEmpty()) {
      page.prose("  ", mixed, Paint.FAINT);
    }
    if (report.clientTime() != null) {
      page.prose("  ", ReportWords.clientTime(report.clientTime()), Paint.PLAIN);
    }
    page.prose("  ", ReportWords.whatStagesAre(stages), Paint.FAINT);
    if (!hidden.isEmpty()) {
      page.prose(
          "  ", "A wider terminal shows more: " + String.join(", ", hidden) + ".", Paint.FAINT);
    }
  }

  private List<String> stageRow(Stage stage, double largestShare) {
    boolean hasShare = stage.share() != null && (!stage.beside() || stage.requestOwnNanos() > 0);
    return List.of(
        stage.name(),
        count(stage.count()),
        stage.failed() > 0 ? count(stage.failed()) : "",
        duration(stage.totalNanos()),
        duration(stage.ownNanos()),
        hasShare ? share(stage.share()) : "",
        hasShare && largestShare > 0 ? page.bar(stage.share() / largestShare, BAR_WIDTH) : "",
        duration(stage.p50Nanos()),
        duration(stage.p95Nanos()),
        duration(stage.p99Nanos()),
        duration(stage.maxNanos()));
  }
}
