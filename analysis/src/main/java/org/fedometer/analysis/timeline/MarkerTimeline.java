package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.compare.ChangeCauses;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.analysis.timeline.RunTimeline.Marker;
import org.fedometer.store.LoadTime;
import org.fedometer.store.RunDocument;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.query.SqlText;

/** Collects events of a run for the chart's margin. One use, one thread. */
final class MarkerTimeline {
  static final int MAX_MARKERS = 200;

  private static final int MAX_DETAIL_LENGTH = 300;
  private static final int MAX_TITLE_LENGTH = 60;

  private static final Set<String> SHOWN_PHASES =
      Set.of(RunDocument.Phase.INGEST, RunDocument.Phase.DRAIN);

  /** The most informative first: of too many markers, the last kinds are omitted. */
  private static final List<String> KINDS =
      List.of("failure", "warm-up", "change", "phase", "outage", "step", "load", "pause", "mark");

  private final Query query;
  private final RunReport report;
  private final RunDocument run;
  private final TimelineClock clock;
  private final double seconds;
  private final List<Marker> markers = new ArrayList<>();

  MarkerTimeline(Query query, RunReport report, TimelineClock clock, double seconds) {
    this.query = query;
    this.report = report;
    this.run = report.run();
    this.clock = clock;
    this.seconds = seconds;
  }

  /**
   * @param points the ingests as a series, or null without any
   * @param pointObjects ingests per point
   * @param steadyState of that series, or null
   */
  List<Marker> of(Series points, double pointObjects, SteadyState steadyState)
      throws QueryException {
    addPhases();
    addDocumented();
    addMarkers();
    if (points != null) {
      addWarmUp(points, pointObjects);
      addChanges(points, pointObjects, steadyState);
    }
    if (run.failure() != null) {
      String step = run.failure().step() == null ? "" : " in the step " + run.failure().step();
      add(
          "failure",
          seconds,
          null,
          "failed",
          run.failure().message() == null
              ? "The run failed%s.".formatted(step)
              : "The run failed%s: %s".formatted(step, run.failure().message()));
    }
    markers.sort(
        Comparator.comparingInt((Marker mark) -> KINDS.indexOf(mark.kind()))
            .thenComparingDouble(Marker::t));
    List<Marker> shown = new ArrayList<>(markers.subList(0, Math.min(MAX_MARKERS, markers.size())));
    shown.sort(Comparator.comparingDouble(Marker::t));
    return shown;
  }

  private void add(String kind, double t, Double end, String title, String detail) {
    markers.add(
        new Marker(
            kind,
            t,
            end,
            Shortened.marked(title, MAX_TITLE_LENGTH),
            Shortened.marked(detail, MAX_DETAIL_LENGTH)));
  }

  private void addPhases() {
    for (RunDocument.Phase phase : run.phases()) {
      if (SHOWN_PHASES.contains(phase.name())) {
        boolean ended = phase.endNanos() > phase.startNanos();
        add(
            "phase",
            clock.seconds(phase.startNanos()),
            ended ? (Double) clock.seconds(phase.endNanos()) : null,
            phase.name(),
            ended
                ? "The phase %s took %s."
                    .formatted(phase.name(), NumberFormats.duration(LoadTime.of(phase, run)))
                : "The phase %s has not ended.".formatted(phase.name()));
      }
    }
  }

  private void addDocumented() {
    for (RunDocument.Outage outage : run.outages()) {
      boolean driver = RunDocument.Outage.DRIVER.equals(outage.who());
      addSpan(
          "outage",
          outage.startNanos(),
          outage.endNanos(),
          driver ? "driver away" : "Fedora out of reach",
          (driver ? "The driver was away for " : "Fedora was out of reach for ")
              + NumberFormats.duration(Math.max(0, outage.endNanos() - outage.startNanos()))
              + (outage.reason() == null ? "." : ": " + outage.reason()));
    }
    RunDocument.Load load = run.load();
    if (load == null) {
      return;
    }
    for (RunDocument.Pause pause : load.pauses()) {
      addSpan(
          "pause",
          pause.startNanos(),
          pause.endNanos(),
          "paused",
          "The load was paused for %s."
              .formatted(
                  NumberFormats.duration(Math.max(0, pause.endNanos() - pause.startNanos()))));
    }
    for (RunDocument.LoadChange change : load.changes()) {
      String to = load(change.workers(), change.ratePerSecond());
      add("load", clock.seconds(change.atNanos()), null, to, "The load was changed to " + to + ".");
    }
    for (RunDocument.LoadStep step : load.steps()) {
      String to = load(step.workers(), step.ratePerSecond());
      addSpan(
          "step",
          step.startNanos(),
          step.endNanos(),
          to,
          "A step of the load, %s: %s; %s a second were reached."
              .formatted(
                  to,
                  step.outcome() == null ? "no outcome" : step.outcome(),
                  NumberFormats.rate(step.donePerSecond())
                      + (step.mixed() ? " operations" : " objects")));
    }
  }

  private void addSpan(String kind, long startNanos, long endNanos, String title, String detail) {
    add(
        kind,
        clock.seconds(startNanos),
        endNanos > startNanos ? (Double) clock.seconds(endNanos) : null,
        title,
        detail);
  }

  private static String load(int workers, Double ratePerSecond) {
    return ratePerSecond == null
        ? NumberFormats.count(workers, "worker")
        : NumberFormats.rate(ratePerSecond) + " objects/s";
  }

  /** Adds users' markers. The table also has one for the start of each phase. */
  private void addMarkers() throws QueryException {
    String sql =
        """
        SELECT DISTINCT left(coalesce(name, ''), %s), moment
        FROM (SELECT name, %s AS moment FROM markers WHERE name NOT IN %s)
        WHERE moment BETWEEN 0 AND %s ORDER BY moment, 1 LIMIT %s\
        """
            .formatted(
                MAX_TITLE_LENGTH,
                clock.sinceOrigin("at_nanos"),
                SqlText.list(RunDocument.Phase.MARKED),
                (long) (seconds * 1e9),
                MAX_MARKERS);
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        add(
            "mark",
            rows.integer(1) / 1e9,
            null,
            rows.text(0),
            "Marker: %s.".formatted(rows.text(0)));
      }
    }
  }

  /** Adds the warm-up as in the report, for consistency. */
  private void addWarmUp(Series points, double pointObjects) {
    WarmUp warmUp = report.speed() == null ? null : report.speed().warmUp();
    if (warmUp == null) {
      return;
    }
    if (warmUp.verdict() == WarmUp.Verdict.NOT_SETTLED) {
      add("warm-up", 0, null, "never settled", "The run never settled: nothing is cut as warm-up.");
    }
    if (warmUp.coldObjects() == 0) {
      return;
    }
    int last = (int) Math.min(points.count() - 1.0, (warmUp.coldObjects() - 1) / pointObjects);
    double end = points.completionNanos(last) / 1e9;
    String first = NumberFormats.count(warmUp.coldObjects(), "object");
    add("warm-up", 0, end, "warm-up", "The first %s are warm-up.".formatted(first));
  }

  /** Returns the nanoTime window from the first request to the last response. */
  static IngestWindow window(long originNanos, Series points) {
    long last = originNanos + points.completionNanos(points.count() - 1);
    return new IngestWindow(originNanos + points.beginNanos(), last, last);
  }

  private void addChanges(Series points, double pointObjects, SteadyState steadyState)
      throws QueryException {
    if (steadyState == null || steadyState.changes().isEmpty()) {
      return;
    }
    long origin = clock.originNanos();
    ChangeCauses causes =
        new ChangeCauses(
            query,
            run,
            window(origin, points),
            Math.max(1, Math.round(points.count() * pointObjects)));
    for (SteadyState.Change change : steadyState.changes()) {
      int exact = (int) Math.min(Integer.MAX_VALUE, change.exactRequests() * pointObjects);
      List<String> found = causes.at(origin + change.atNanos(), exact);
      double relative = change.afterNanos() / change.beforeNanos() - 1;
      add(
          "change",
          change.atNanos() / 1e9,
          null,
          change.beforeNanos() == 0
              ? "slower"
              : "%s %s"
                  .formatted(
                      NumberFormats.share(Math.abs(relative)), relative > 0 ? "slower" : "faster"),
          "Near object %s the mean time went from %s to %s. %s"
              .formatted(
                  NumberFormats.count(Math.round(change.request() * pointObjects)),
                  NumberFormats.duration(Math.round(change.beforeNanos())),
                  NumberFormats.duration(Math.round(change.afterNanos())),
                  found.isEmpty()
                      ? "No possible cause is on record."
                      : "On record at that time: " + String.join("; ", found) + "."));
    }
  }
}
