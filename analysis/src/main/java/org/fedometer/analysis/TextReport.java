package org.fedometer.analysis;

import static org.fedometer.analysis.Figures.bytes;
import static org.fedometer.analysis.Figures.count;
import static org.fedometer.analysis.Figures.duration;
import static org.fedometer.analysis.Figures.rate;
import static org.fedometer.analysis.Figures.share;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fedometer.analysis.Page.Paint;
import org.fedometer.analysis.RunReport.ClientTime;
import org.fedometer.analysis.RunReport.Latency;
import org.fedometer.analysis.RunReport.LogCounts;
import org.fedometer.analysis.RunReport.Operation;
import org.fedometer.analysis.RunReport.Pace;
import org.fedometer.analysis.RunReport.Problem;
import org.fedometer.analysis.RunReport.Samples;
import org.fedometer.analysis.RunReport.Severity;
import org.fedometer.analysis.RunReport.Source;
import org.fedometer.analysis.RunReport.Speed;
import org.fedometer.analysis.RunReport.Stage;
import org.fedometer.analysis.RunReport.Stages;
import org.fedometer.analysis.TextTable.Column;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunDocument.Profile;
import org.fedometer.store.RunDocument.StatementCounts;
import org.fedometer.store.RunDocument.TripleCounts;
import org.fedometer.store.RunDocument.Verification;

/**
 * Writes a {@link RunReport} for people at a terminal: what ran, whether it ended well, how fast it
 * was, where the time went, in this order. The {@code report} and {@code run} commands print it.
 */
public final class TextReport {

  private static final Pattern DIGEST = Pattern.compile("\\b([0-9a-f]{12})[0-9a-f]{28,52}\\b");

  private static final DateTimeFormatter TIME_OF_DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

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
        outcome(well),
        report.watch() ? Paint.PLAIN : well ? Paint.GOOD : Paint.BAD);
  }

  private String outcome(boolean well) {
    if (report.watch()) {
      return "a Fedora with an agent in it, no workload of ours";
    }
    String outcome =
        switch (report.run().state()) {
          case "done" -> well ? "ended well" : "ended, but something is wrong";
          case "done-with-errors" -> "ended with errors";
          case "failed" -> "failed";
          case "interrupted" -> "interrupted";
          case "running" -> "not ended";
          case "imported" -> "imported" + (well ? "" : ", and something is wrong");
          default -> report.run().state();
        };
    if (report.imported()) {
      long requests = report.requests() == null ? 0 : report.requests().sent();
      return outcome
          + ": "
          + count(requests, "request")
          + " from "
          + report.run().imported().file();
    }
    ObjectCounts objects = report.objects();
    return objects == null
        ? outcome
        : outcome
            + ": "
            + count(objects.ingested())
            + " of "
            + count(objects.requested(), "object")
            + " ingested";
  }

  private void writeFacts() {
    RunDocument run = report.run();
    if (run.imported() != null) {
      fact("from", source(run.imported()));
    }
    Profile profile = run.profile();
    if (profile != null) {
      fact("profile", profile.name() + inBrackets(profile.choices()));
    }
    if (run.dataset() != null) {
      fact("dataset", run.dataset().name() + inBrackets(run.dataset().parameters()));
    }
    if (run.workers() > 0) {
      fact("workers", count(run.workers()));
    }
    if (run.ratePerSecond() != null) {
      fact("rate", Figures.rate(run.ratePerSecond()) + " objects a second");
    }
    if (!run.workload().isEmpty()) {
      fact("workload", pairs(run.workload()));
    }
    writeOutages(run.outages());
    if (run.load() != null) {
      writeLoad(run.load());
    }
    if (!run.versions().isEmpty()) {
      fact("versions", pairs(run.versions()));
    }
    if (run.started() != null) {
      fact("started", timeOfDay(run.started()));
    }
    String phases =
        run.phases().stream()
            .filter(phase -> phase.endNanos() > phase.startNanos())
            .map(TextReport::phase)
            .collect(Collectors.joining(", "));
    if (!phases.isEmpty()) {
      fact("took", phases);
    }
  }

  private static String source(RunDocument.Imported from) {
    return from.file()
        + " (SHA-256 "
        + abbreviated(String.valueOf(from.sha256()))
        + "), format "
        + from.format()
        + ", durations in "
        + from.unit()
        + (from.ingestLabel() == null ? "" : ", ingests are " + from.ingestLabel());
  }

  private void writeOutages(List<RunDocument.Outage> outages) {
    for (RunDocument.Outage outage : outages) {
      fact(
          "outage",
          ("driver".equals(outage.who()) ? "the driver" : "Fedora")
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

  private static String phase(Phase phase) {
    return phase.name() + " " + duration(phase.endNanos() - phase.startNanos());
  }

  private static String inBrackets(Map<String, String> map) {
    return map == null || map.isEmpty() ? "" : " (" + pairs(map) + ")";
  }

  private static String pairs(Map<String, String> map) {
    return map.entrySet().stream()
        .map(entry -> entry.getKey() + " " + abbreviated(entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A commit or a checksum by its first characters, as git shows it; run.json has the whole. */
  private static String abbreviated(String value) {
    return DIGEST.matcher(value).replaceAll("$1");
  }

  private static String timeOfDay(String iso) {
    try {
      return TIME_OF_DAY.format(Instant.parse(iso));
    } catch (DateTimeParseException e) {
      return iso;
    }
  }

  private void writeProblems() {
    if (report.problems().isEmpty()) {
      return;
    }
    page.heading("Problems");
    for (Problem problem : report.problems()) {
      boolean wrong = problem.severity() == Severity.WRONG;
      Verdict verdict = wrong ? Verdict.BROKEN : Verdict.NOTEWORTHY;
      page.labelled(
          "  " + page.glyph(verdict.unicode, verdict.ascii) + " ",
          verdict.paint,
          page.cut(problem.message(), LONGEST_PROBLEM),
          Paint.PLAIN);
    }
  }

  private void writeChecks() {
    page.heading(report.imported() ? "What was measured" : "Did it end well");
    ObjectCounts objects = report.imported() ? null : report.objects();
    if (objects != null) {
      check(
          objectsVerdict(objects),
          "objects",
          count(objects.requested())
              + " asked for, "
              + count(objects.ingested())
              + " ingested, "
              + (objects.purged() > 0 ? count(objects.purged()) + " purged, " : "")
              + count(objects.failed())
              + " failed, "
              + (objects.counted() == null
                  ? "not counted in Fedora"
                  : count(objects.counted()) + " in Fedora"));
    }
    StatementCounts statements = report.run().statements();
    if (statements != null) {
      check(
          Verdict.of(true, statements.failed() == 0),
          "added",
          count(statements.added(), "statement")
              + " to other objects, "
              + count(statements.failed())
              + " failed");
    }
    TripleCounts triples = report.run().triples();
    if (triples != null) {
      boolean known = triples.expected() != null && triples.counted() != null;
      check(
          Verdict.of(known, known && triples.expected().equals(triples.counted())),
          "triples",
          (triples.expected() == null ? "unknown how many" : count(triples.expected()))
              + " expected, "
              + (triples.counted() == null
                  ? "not counted"
                  : count(triples.counted()) + " in the triplestore"));
    }
    Verification verification = report.run().verification();
    if (verification != null && objects != null) {
      check(
          Verdict.of(
              verification.sampledObjects() > 0,
              objects.verified() == verification.sampledObjects()),
          "content",
          count(verification.sampledObjects(), "object")
              + " ("
              + bytes(verification.sampledBytes())
              + " of content) read back at random, "
              + count(objects.verified())
              + " as they should be");
    }
    if (report.requests() != null) {
      check(
          requestsVerdict(report.requests()),
          "requests",
          count(report.requests().sent())
              + " sent, "
              + count(report.requests().failed())
              + " failed, "
              + count(report.requests().retried())
              + " retried");
    }
    Samples samples = report.samples();
    if (!report.imported() || samples.received() > 0) {
      check(
          samplesVerdict(samples),
          "samples",
          count(samples.received())
              + " received, "
              + count(samples.dropped())
              + " dropped, "
              + count(samples.lost())
              + " lost");
    }
    LogCounts logs = report.logs();
    if (logs.warnings() + logs.errors() > 0) {
      check(
          Verdict.NOTEWORTHY,
          "log",
          count(logs.warnings(), "warning") + ", " + count(logs.errors(), "error"));
    }
  }

  private static Verdict objectsVerdict(ObjectCounts objects) {
    if (objects.failed() > 0 || objects.ingested() != objects.requested()) {
      return Verdict.BROKEN;
    }
    return Verdict.of(objects.counted() != null, objects.allThere());
  }

  /** Requests that failed are worth a look, no more, where all was done in spite of them. */
  private Verdict requestsVerdict(RunReport.Requests requests) {
    if (requests.failed() == 0) {
      return Verdict.HELD;
    }
    boolean wrong =
        report.objects() == null
            || report.objects().failed() > 0
            || report.operations().stream().anyMatch(Operation::leftUndone);
    return wrong ? Verdict.BROKEN : Verdict.NOTEWORTHY;
  }

  private static Verdict samplesVerdict(Samples samples) {
    if (samples.dropped() > 0 && samples.lost() == 0) {
      return Verdict.NOTEWORTHY;
    }
    boolean told =
        samples.received() > 0 && samples.sources().stream().allMatch(Source::finalTotals);
    return Verdict.of(told, samples.lost() == 0);
  }

  /** What a line of the checks says. */
  private enum Verdict {
    HELD("✓", "ok", Paint.GOOD),
    NOTEWORTHY("•", "- ", Paint.WARNING),
    UNKNOWN("?", "??", Paint.WARNING),
    BROKEN("✗", "!!", Paint.BAD);

    private final String unicode;
    private final String ascii;
    private final Paint paint;

    Verdict(String unicode, String ascii, Paint paint) {
      this.unicode = unicode;
      this.ascii = ascii;
      this.paint = paint;
    }

    static Verdict of(boolean known, boolean held) {
      return !known ? UNKNOWN : held ? HELD : BROKEN;
    }
  }

  private void check(Verdict verdict, String name, String value) {
    String mark = page.glyph(verdict.unicode, verdict.ascii);
    page.labelled(
        "  " + mark + " " + name + " ".repeat(LABEL_WIDTH - mark.length() - 1 - name.length()),
        verdict.paint,
        value,
        Paint.PLAIN);
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
    boolean settled = speed.warmUp().verdict() == WarmUp.Verdict.SETTLED;
    if (speed.cold() != null) {
      table.row(paceRow(settled ? "cold" : "first half", speed.cold()));
      table.row(paceRow(settled ? "warm" : "second half", speed.warm()));
    }
    table.print();
    page.prose("  ", warmUp(speed.warmUp()) + " " + whatTimesAre(), Paint.FAINT);
  }

  private String whatTimesAre() {
    if (report.imported()) {
      return "Times are those of successful ingests as they were measured elsewhere; whether in a"
          + " closed loop or at a rate, the file does not say.";
    }
    return report.openLoop()
        ? "Times are service times of successful ingests, from when they were sent; response times,"
            + " from when they were due, are below."
        : "Times are service times of successful ingests in a closed loop"
            + (report.run().workers() > 0 ? " of " + count(report.run().workers(), "worker") : "")
            + ", not what users arriving at a rate of their own would see.";
  }

  /** Says nothing that is not said above where there are ingests only, each sent when due. */
  private void writeSteps() {
    RunDocument.Load load = report.run().load();
    if (load == null || load.steps().isEmpty()) {
      return;
    }
    boolean rates = load.steps().stream().anyMatch(step -> step.ratePerSecond() != null);
    page.heading("Steps");
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column(rates ? "rate" : "workers", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number("seconds", 1),
                Column.number("objects", 2),
                Column.number("objects/s", TextTable.ALWAYS),
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
    page.prose(
        "  ",
        rates
            ? "Times are response times: from when a request was due. Failed are requests, late the"
                + " objects that were begun more than 1 s, or a tenth of a step, after that, or never."
            : "Times are service times: from when a request was sent. Failed are requests.",
        Paint.FAINT);
    if (rates) {
      page.prose(
          "  ",
          load.highestCleanRate() == null
              ? "No step was clean."
              : "Highest clean rate: "
                  + rate(load.highestCleanRate())
                  + " objects a second"
                  + (reachedLimit(load) ? "." : "; no limit was reached."),
          Paint.PLAIN);
    }
  }

  private static boolean reachedLimit(RunDocument.Load load) {
    return load.steps().stream()
        .anyMatch(step -> "errors".equals(step.outcome()) || "not-held".equals(step.outcome()));
  }

  private static List<String> stepRow(RunDocument.LoadStep step, boolean rates) {
    boolean warmUp = "warm-up".equals(step.outcome());
    RunDocument.Percentiles times = rates ? step.responseMillis() : step.serviceMillis();
    List<String> row = new ArrayList<>();
    row.add(
        warmUp
            ? "warm-up"
            : step.ratePerSecond() == null ? count(step.workers()) : rate(step.ratePerSecond()));
    row.add(String.format(Locale.ROOT, "%.1f", step.seconds()));
    row.add(count(step.ingested()));
    row.add(rate(step.objectsPerSecond()));
    row.add(count(step.failedRequests()));
    row.add(rates && !warmUp ? count(step.late()) : "");
    row.add(times == null ? "" : millis(times.p50()));
    row.add(times == null ? "" : millis(times.p99()));
    row.add(times == null ? "" : millis(times.max()));
    row.add(
        switch (step.outcome()) {
          case "not-held" -> "not held";
          case "warm-up" -> "";
          default -> step.outcome();
        });
    return row;
  }

  private static String millis(double millis) {
    return duration(Math.round(millis * 1e6));
  }

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
    page.prose(
        "  ",
        "Times are those of requests that succeeded, from when they were sent"
            + (report.openLoop()
                ? ", response times from when they were due; late are those sent 1 ms or more after that."
                : "."),
        Paint.FAINT);
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

  private static String warmUp(WarmUp warmUp) {
    return switch (warmUp.verdict()) {
      case TOO_SHORT ->
          "Fewer than "
              + WarmUp.FEWEST_BATCHES * WarmUp.BATCH_OBJECTS
              + " objects: too few to tell cold from warm.";
      case NOT_SETTLED ->
          "The run has not settled: by MSER-5 its warm-up ends in the second half, if at all. Its"
              + " halves are shown instead of cold and warm. A longer run (--objects) settles; Fedora"
              + " needs some thousand ingests.";
      case SETTLED ->
          warmUp.coldObjects() == 0
              ? "No warm-up found by MSER-5: all objects count as warm."
              : "Warm-up found by MSER-5: the first " + count(warmUp.coldObjects(), "object") + ".";
    };
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
            + (stages.requests() == 0
                ? ""
                : ": "
                    + duration(stages.requestNanos())
                    + " in "
                    + count(stages.requests(), "request")
                    + " inside Fedora"));
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
    writeStageNotes(stages);
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

  private void writeStageNotes(Stages stages) {
    String mixed =
        stages.list().stream()
            .filter(stage -> stage.besideCount() > 0 && stage.besideCount() < stage.count())
            .map(
                stage ->
                    stage.name()
                        + " ("
                        + count(stage.besideCount())
                        + " of "
                        + count(stage.count())
                        + ")")
            .collect(Collectors.joining(", "));
    if (!mixed.isEmpty()) {
      page.prose(
          "  ",
          "Some calls of "
              + mixed
              + " ran beside the requests; their shares count only the others.",
          Paint.FAINT);
    }
    ClientTime client = report.clientTime();
    if (client != null) {
      page.prose(
          "  ",
          "A request took "
              + duration(client.meanNanos())
              + " on average as the driver saw it, "
              + duration(client.meanHttpRequestNanos())
              + " of that in Fedora's http.request: "
              + duration(client.beyondFedoraNanos())
              + " is network, connection handling and the client.",
          Paint.PLAIN);
    }
    page.prose(
        "  ",
        "Own is a stage's time without the stages inside it; share is own time of the time of all"
            + " requests; percentiles are of total time."
            + (stages.requests() == 0
                ? ""
                : " What http.request has of its own is in no stage inside it."),
        Paint.FAINT);
  }
}
