package org.fedometer.analysis.html;

import static org.fedometer.analysis.NumberFormats.bytes;
import static org.fedometer.analysis.NumberFormats.count;
import static org.fedometer.analysis.NumberFormats.duration;
import static org.fedometer.analysis.NumberFormats.rate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.report.ReportSections;
import org.fedometer.analysis.report.ReportSummary;
import org.fedometer.analysis.report.ReportTables;
import org.fedometer.analysis.report.RunAnswers;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.report.RunReport.Latency;
import org.fedometer.analysis.report.RunReport.Speed;
import org.fedometer.analysis.section.Section;
import org.fedometer.analysis.section.Table;
import org.fedometer.analysis.study.DatastreamStudy;
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.analysis.study.StudyResult;
import org.fedometer.analysis.timeline.GrowthCurves;
import org.fedometer.analysis.timeline.RunTimeline;
import org.fedometer.analysis.timeline.TimelineJson;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;

/**
 * Content of the template {@code run.jte} for one run, by section; sections without data are null
 * or empty, and not shown. For one thread.
 */
public final class RunPage {

  private final RunReport report;
  private final RunTimeline timeline;
  private final List<GrowthCurves.Curve> curves;
  private final StudiesPage studies;
  private final Map<String, Section> shared = new HashMap<>();
  private final List<Table<?>> environment;
  private final PageFrame frame;

  /**
   * @param scale content of the run's {@code scale-study.json}
   * @param datastreams content of the run's {@code datastream-study.json}
   * @param environment content of the run's {@code environment.json}
   * @param version of Fedometer
   */
  RunPage(
      RunReport report,
      RunTimeline timeline,
      List<GrowthCurves.Curve> curves,
      Optional<StudyResult<ScaleStudy>> scale,
      Optional<StudyResult<DatastreamStudy>> datastreams,
      Optional<JsonNode> environment,
      String version) {
    this.report = report;
    this.timeline = timeline;
    this.curves = List.copyOf(curves);
    this.studies = new StudiesPage(scale, datastreams);
    ReportSections.of(report, true).forEach(section -> shared.put(section.id(), section));
    this.environment = EnvironmentTables.of(report.run(), environment);
    this.frame =
        new PageFrame(
            "Run " + report.run().name() + " – Fedometer",
            PageFrame.fileName(report.run().name()),
            sections(),
            PageData.of(
                TimelineJson.of(timeline), report.run().load(), this.curves, scale, datastreams),
            PageFrame.script("run.js") + PageFrame.script("studies.js"),
            version);
  }

  /** A prominent number; {@code note} may be null. */
  public record Tile(String name, String value, String note) {}

  private List<PageFrame.Section> sections() {
    List<PageFrame.Section> sections = new ArrayList<>();
    add(sections, "problems");
    add(sections, "checks");
    add(sections, "speed");
    PageFrame.addIf(hasTimeline(), sections, "timeline", "Over time");
    PageFrame.addIf(hasMachine(), sections, "machine", "Machine");
    add(sections, "stages");
    PageFrame.addIf(!timeline.slowest().isEmpty(), sections, "slowest", "Slowest");
    add(sections, "operations");
    furtherSections().forEach(section -> add(sections, section.id()));
    PageFrame.addIf(studies.hasScale(), sections, "scale", "Scale study");
    PageFrame.addIf(studies.hasDatastreams(), sections, "datastreams", "Datastreams");
    add(sections, "steps");
    PageFrame.addIf(hasGrowth(), sections, "growth", "Growth");
    PageFrame.addIf(errors() != null, sections, "errors", "Errors");
    PageFrame.addIf(true, sections, "environment", "Environment");
    return sections;
  }

  private void add(List<PageFrame.Section> sections, String id) {
    if (shared.containsKey(id)) {
      sections.add(new PageFrame.Section(id, shared.get(id).link()));
    }
  }

  /** Returns a section shared with the text; null if this run has none. */
  public Section section(String id) {
    return shared.get(id);
  }

  /** Returns the sections of the report's further parts. */
  public List<Section> furtherSections() {
    return report.parts().stream().flatMap(part -> part.section().stream()).toList();
  }

  public PageFrame frame() {
    return frame;
  }

  public String heading() {
    return (report.isMonitoringRun() ? "Monitoring " : "Run ") + report.run().name();
  }

  public String outcome() {
    return ReportSummary.outcome(report);
  }

  public String outcomeStyle() {
    return report.isMonitoringRun() || RunState.RUNNING.is(report.run().state())
        ? "warning"
        : report.endedWell() ? "good" : "bad";
  }

  public List<Tile> tiles() {
    List<Tile> tiles = new ArrayList<>();
    Speed speed = report.speed();
    if (speed != null) {
      RunReport.Pace pace = speed.finalFlushIncluded() ? speed.overall() : speed.ingest();
      if (pace.objectsPerSecond() != null) {
        tiles.add(
            new Tile(
                "objects a second",
                rate(pace.objectsPerSecond()),
                speed.finalFlushIncluded() ? "with final flush" : "to the last answer"));
      }
      tiles.add(
          new Tile(
              "objects ingested",
              count(speed.ingest().objects()),
              "in " + duration(speed.ingest().nanos())));
      Latency latency = speed.ingest().latency();
      if (latency != null) {
        tiles.add(new Tile("median time", duration(latency.p50Nanos()), "of an ingest"));
        tiles.add(new Tile("95 % within", duration(latency.p95Nanos()), null));
        tiles.add(
            new Tile(
                "99 % within",
                duration(latency.p99Nanos()), "longest " + duration(latency.maxNanos())));
      }
    }
    if (report.objects() != null && report.objects().bytes() > 0) {
      tiles.add(new Tile("content", bytes(report.objects().bytes()), null));
    }
    if (report.requests() != null) {
      tiles.add(
          new Tile(
              "failed requests",
              count(report.requests().failed()),
              "of " + count(report.requests().sent())));
    }
    return tiles;
  }

  public List<RunAnswers.Answer> answers() {
    return RunAnswers.of(report).stream()
        .map(
            answer ->
                section(answer.section()) == null
                    ? new RunAnswers.Answer(answer.name(), answer.text(), "checks")
                    : answer)
        .toList();
  }

  /** Returns what was measured and how, by name. */
  public Map<String, String> facts() {
    RunDocument run = report.run();
    Map<String, String> facts = new LinkedHashMap<>(ReportSummary.subject(run));
    if (run.workers() > 0) {
      facts.put(
          "load",
          run.ratePerSecond() != null
              ? rate(run.ratePerSecond()) + " objects a second, " + upTo(run.workers())
              : report.openModel()
                  ? "at rates that changed, " + upTo(run.workers())
                  : "closed model of " + count(run.workers(), "worker"));
    }
    if (!run.workload().isEmpty()) {
      facts.put("workload", ReportSummary.pairs(run.workload()));
    }
    if (run.load() != null && run.load().endedBy() != null) {
      facts.put("ended", run.load().endedBy());
    }
    return facts;
  }

  public Map<String, String> circumstances() {
    return ReportSummary.circumstances(report.run());
  }

  private static String upTo(int workers) {
    return "up to " + count(workers, "request") + " in progress";
  }

  public List<RunReport.Problem> problems() {
    return report.problems();
  }

  // ---- charts ----

  public boolean hasTimeline() {
    return hasIngest() || hasFailures() || hasStages() || !timeline.markers().isEmpty();
  }

  public boolean hasIngest() {
    return timeline.time() != null;
  }

  public boolean hasResponse() {
    return hasIngest() && timeline.time().response() != null;
  }

  public boolean hasFailures() {
    return hasIngest() && timeline.errors() != null && timeline.errors().of() > 0;
  }

  public boolean hasHeat() {
    return timeline.heat() != null;
  }

  public boolean hasStages() {
    return timeline.stages() != null;
  }

  public String throughputText() {
    return "Objects acknowledged in a second, in steps of %s%s."
        .formatted(
            duration(timeline.time().bucketSeconds() * 1e9),
            timeline.time().bucketSeconds() > 2
                ? "; the band reaches from the slowest to the fastest second of each"
                : "");
  }

  public String latencyText() {
    Latency latency = report.speed() == null ? null : report.speed().ingest().latency();
    return (latency == null
            ? ""
            : "Overall: p50 %s, p99 %s, longest %s. "
                .formatted(
                    duration(latency.p50Nanos()),
                    duration(latency.p99Nanos()),
                    duration(latency.maxNanos())))
        + "The scale is logarithmic.";
  }

  public Table<?> events() {
    return TimelineTables.events(timeline);
  }

  public boolean hasMachine() {
    return hasGc() || !timeline.telemetry().isEmpty();
  }

  public boolean hasGc() {
    return timeline.gc() != null;
  }

  public String gcText() {
    return "%s, %s in all."
        .formatted(count(timeline.gc().count(), "stop"), duration(timeline.gc().seconds() * 1e9));
  }

  public Table<?> longestPauses() {
    return hasGc() && !timeline.gc().longest().isEmpty()
        ? TimelineTables.longestPauses(timeline.gc())
        : null;
  }

  // ---- stages ----

  public IcicleView icicle() {
    return timeline.icicle() == null ? null : IcicleView.of(timeline.icicle().root());
  }

  public String icicleText() {
    return "Means over %s of %s, spread evenly over the run. A stage is as wide as its time; stages inside it are below. Click one to zoom in."
        .formatted(count(timeline.icicle().traces()), count(timeline.icicle().of(), "ingest"));
  }

  public Table<?> slowestTable() {
    return TimelineTables.slowest(timeline.slowest());
  }

  public List<WaterfallView> slowest() {
    List<WaterfallView> views = new ArrayList<>();
    for (RunTimeline.SlowIngest ingest : timeline.slowest()) {
      views.add(WaterfallView.of(ingest, views.size() + 1));
    }
    return views;
  }

  // ---- the load ----

  /** Returns the unit that a step's rate counts, capitalized. */
  public String stepsCount() {
    return ReportTables.isMixed(report.run().load()) ? "Operations" : "Objects";
  }

  public boolean hasRates() {
    return ReportTables.hasRates(report.run().load());
  }

  public boolean hasBadSteps() {
    return report.run().load().steps().stream()
        .filter(step -> !RunDocument.LoadStep.WARM_UP.equals(step.outcome()))
        .anyMatch(step -> step.failedRequests() > 0 || step.late() > 0);
  }

  public StudiesPage studies() {
    return studies;
  }

  public boolean hasGrowth() {
    return growth() != null || !curves.isEmpty();
  }

  public List<String> curveTitles() {
    return curves.stream().map(GrowthCurves.Curve::title).toList();
  }

  /** Returns null if the run has no sufficient steady part. */
  public String growth() {
    return timeline.growth() == null ? null : ReportSummary.growth(report.speed().growth());
  }

  // ---- errors ----

  /** Returns null if no request failed. */
  public Table<?> errors() {
    return timeline.errors() == null || timeline.errors().of() == 0
        ? null
        : TimelineTables.errors(timeline);
  }

  public String errorsText() {
    int shown = timeline.errors().list().size();
    return NumberFormats.count(timeline.errors().of(), "request")
        + " failed."
        + (shown < timeline.errors().of()
            ? " Below are %s of them, spread over the run.".formatted(count(shown))
            : "");
  }

  public Table<?> failures() {
    return ReportTables.failures(report.requests());
  }

  public List<Table<?>> environment() {
    return environment;
  }
}
