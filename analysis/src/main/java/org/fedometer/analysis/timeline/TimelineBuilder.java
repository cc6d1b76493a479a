package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.Resampling;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.analysis.timeline.RunTimeline.Growth;
import org.fedometer.analysis.timeline.RunTimeline.Marker;
import org.fedometer.analysis.timeline.RunTimeline.Row;
import org.fedometer.analysis.timeline.RunTimeline.RowKind;
import org.fedometer.analysis.trace.ObjectTrace.Attempt;
import org.fedometer.analysis.trace.ObjectTrace.Span;
import org.fedometer.analysis.trace.SlowIngest;
import org.fedometer.store.RunDocument;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.rollup.Rollups;

/** Builds a {@link RunTimeline} from a run's report and tables. One use, one thread. */
final class TimelineBuilder {
  static final int MAX_SLOW_INGESTS = 10;
  static final int MAX_ROWS = 60;

  private final Query query;
  private final RunReport report;
  private final RunDocument run;
  private final IngestWindow phases;

  TimelineBuilder(Query query, RunReport report) {
    this.query = query;
    this.report = report;
    this.run = report.run();
    this.phases = IngestWindow.of(run.phases());
  }

  RunTimeline build() throws QueryException {
    TimelineClock unset = TimelineClock.of(query, run.bootId(), report.imported());
    RequestExtent extent = RequestExtent.of(query, unset);
    Long origin = origin(unset, extent);
    if (origin == null) {
      return nothing();
    }
    TimelineClock clock = unset.from(origin);
    extent = extent.from(origin);
    double ingestEnd = ingestEndSeconds(clock, extent);
    double seconds = seconds(clock, extent, ingestEnd);
    RequestTimeline requests = new RequestTimeline(query, clock, extent);
    Series points = requests.points();
    SteadyState steadyState = points == null ? null : steadyState(points, requests.pointObjects());
    List<Marker> marks =
        new MarkerTimeline(query, report, clock, seconds)
            .of(points, requests.pointObjects(), steadyState);
    Set<String> outside =
        report.stages().list().stream()
            .filter(RunReport.Stage::outside)
            .map(RunReport.Stage::name)
            .collect(Collectors.toSet());
    List<String> sources =
        report.samples().sources().stream()
            .filter(source -> source.received() > 0)
            .map(RunReport.Source::source)
            .toList();
    boolean stillGoing = phases.equals(IngestWindow.NONE) || !ended(phases);
    return new RunTimeline(
        run.name(),
        run.state(),
        clock.originEpochNanos() == null
            ? null
            : (Long) Math.floorDiv(clock.originEpochNanos(), 1_000_000L),
        seconds,
        requests.byTime(),
        requests.byObjects(),
        requests.heat(),
        StageTimeline.of(
            query,
            clock,
            seconds,
            stillGoing ? Double.POSITIVE_INFINITY : ingestEnd,
            outside,
            report.samples().received()),
        IcicleBuilder.of(query, clock, sources, report.samples().received(), ingestEnd),
        GcTimeline.of(query, clock, seconds),
        TelemetryTimeline.of(query, clock, seconds),
        marks,
        growth(),
        slowest(clock),
        FailedRequests.of(query, clock, extent));
  }

  /** Returns the steady state after the report's warm-up, if it has one. */
  private SteadyState steadyState(Series points, double pointObjects) {
    WarmUp warmUp =
        report.speed() == null
            ? WarmUp.of(points)
            : report.speed().warmUp().inEntriesOf(pointObjects);
    return SteadyState.of(points, warmUp, Comparison.DEFAULT_THRESHOLD, Resampling.DEFAULT.seed());
  }

  /** Returns the timeline of a run without records, and thus without times. */
  private RunTimeline nothing() {
    return new RunTimeline(
        run.name(),
        run.state(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        List.of(),
        null,
        List.of(),
        null);
  }

  private static boolean ended(IngestWindow window) {
    return window.ingestEndNanos() != Long.MAX_VALUE;
  }

  private Long origin(TimelineClock clock, RequestExtent extent) throws QueryException {
    Long origin = extent.originNanos(phases);
    if (origin != null) {
      return origin;
    }
    // Monitoring, or failed before its ingest: the first record.
    Long first = recorded(clock, "min");
    return first == null && !run.phases().isEmpty()
        ? (Long) run.phases().get(0).startNanos()
        : first;
  }

  /** Returns the first or last record outside requests; null without any. */
  private Long recorded(TimelineClock clock, String minOrMax) throws QueryException {
    String sql =
        """
        SELECT %1$s(begin_epoch_seconds)::BIGINT, (SELECT %1$s(%2$s) FROM telemetry)::BIGINT
        FROM rollups\
        """
            .formatted(minOrMax, clock.sinceOrigin("at_nanos"));
    boolean last = minOrMax.equals("max");
    try (Rows row = query.execute(sql)) {
      row.next();
      Long ofRollups = null;
      if (row.value(0) != null) {
        long epochSeconds = row.integer(0) + (last ? Rollups.SECONDS : 0);
        Long nanos = clock.ofEpochNanos(epochSeconds * 1_000_000_000L);
        ofRollups = nanos == null ? null : (Long) (nanos - clock.originNanos());
      }
      Long ofTelemetry = row.value(1) == null ? null : (Long) row.integer(1);
      if (ofRollups == null || ofTelemetry == null) {
        return ofRollups == null ? ofTelemetry : ofRollups;
      }
      return last ? Math.max(ofRollups, ofTelemetry) : Math.min(ofRollups, ofTelemetry);
    }
  }

  /** Returns the end of the ingest; the last response if it has not ended or its end is unknown. */
  private double ingestEndSeconds(TimelineClock clock, RequestExtent extent) throws QueryException {
    if (!phases.equals(IngestWindow.NONE) && ended(phases)) {
      return clock.seconds(phases.ingestEndNanos());
    }
    Long last = extent.lastNanos() == null ? recorded(clock, "max") : extent.lastNanos();
    return last == null ? 0 : Math.max(0, last / 1e9);
  }

  private double seconds(TimelineClock clock, RequestExtent extent, double ingestEnd) {
    double end = phases.drained() ? clock.seconds(phases.drainEndNanos()) : ingestEnd;
    return Math.max(end, extent.lastNanos() == null ? 0 : extent.lastNanos() / 1e9);
  }

  private Growth growth() {
    SizeSlope slope = report.speed() == null ? null : report.speed().growth();
    // Nanoseconds per object are microseconds per thousand.
    return slope == null
        ? null
        : new Growth(
            slope.fromObjects(),
            slope.toObjects(),
            slope.fromNanos() / 1e6,
            slope.toNanos() / 1e6,
            slope.nanosPerObject(),
            slope.low(),
            slope.high(),
            slope.pValue());
  }

  private List<RunTimeline.SlowIngest> slowest(TimelineClock clock) throws QueryException {
    List<RunTimeline.SlowIngest> list = new ArrayList<>();
    for (SlowIngest slow : SlowIngest.of(query, MAX_SLOW_INGESTS)) {
      Attempt attempt = slow.attempt();
      List<Row> rows = rows(attempt);
      List<Row> shown = shown(rows);
      long shift = clock.shiftNanos(attempt.request().source());
      Long uncertainty = attempt.clock().uncertaintyNanos();
      list.add(
          new RunTimeline.SlowIngest(
              slow.pid(),
              slow.objectIndex(),
              attempt.request().number(),
              clock.seconds(slow.startNanos() + shift),
              attempt.request().durationNanos() / 1e6,
              attempt.request().status(),
              attempt.request().lateNanos() / 1e6,
              shown,
              rows.size() - shown.size(),
              attempt.clock().placement(),
              uncertainty == null ? null : (Double) (uncertainty / 1e6)));
    }
    return list;
  }

  private static List<Row> rows(Attempt attempt) {
    List<Row> rows = new ArrayList<>();
    long duration = attempt.request().durationNanos();
    Long beyond = attempt.beyondFedoraNanos();
    rows.add(
        new Row(
            0,
            RowKind.CLIENT,
            "client",
            1,
            0,
            duration / 1e6,
            duration / 1e6,
            beyond == null || beyond < 0 ? null : (Double) (beyond / 1e6),
            0));
    attempt.stages().forEach(span -> add(rows, span, 1, RowKind.STAGE));
    attempt.otherThreads().forEach(span -> add(rows, span, 0, RowKind.THREAD));
    attempt.later().forEach(span -> add(rows, span, 0, RowKind.LATER));
    return rows;
  }

  private static void add(List<Row> rows, Span span, int depth, RowKind what) {
    rows.add(
        new Row(
            depth,
            what,
            span.stage(),
            span.calls(),
            span.startNanos() / 1e6,
            span.endNanos() / 1e6,
            span.durationNanos() / 1e6,
            span.selfNanos() / 1e6,
            span.failed()));
    span.children().forEach(child -> add(rows, child, depth + 1, what));
  }

  /**
   * Returns the longest rows, in order. A row is never longer than its parent, so the tree stays
   * connected.
   */
  private static List<Row> shown(List<Row> rows) {
    if (rows.size() <= MAX_ROWS) {
      return rows;
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      order.add(i);
    }
    order.sort(
        Comparator.comparing((Integer i) -> rows.get(i).what() != RowKind.CLIENT)
            .thenComparing(i -> -rows.get(i).millis())
            .thenComparing(i -> i));
    return order.subList(0, MAX_ROWS).stream().sorted().map(rows::get).toList();
  }
}
