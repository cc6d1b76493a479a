package org.fedometer.analysis.html;

import static org.fedometer.analysis.NumberFormats.duration;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.fedometer.analysis.report.ReportSummary;
import org.fedometer.analysis.report.ReportTables;
import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.section.Table;
import org.fedometer.analysis.timeline.RunTimeline;

/** Creates the tables of a {@link RunTimeline}. Pure. */
final class TimelineTables {
  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_SECOND = 1e9;
  private static final double MILLIS_A_SECOND = 1e3;

  private TimelineTables() {}

  /** Lists events with the numbers of the charts; includes phases, which have no line there. */
  static Table<RunTimeline.Marker> events(RunTimeline timeline) {
    return new Table<RunTimeline.Marker>("events", "Events")
        .numbered("no.")
        .seconds("after", mark -> Cell.elapsed(mark.t()))
        .text("time of day", mark -> timeOfDay(timeline, mark.t()))
        .seconds("for", TimelineTables::length)
        .cell(
            "what",
            mark -> {
              boolean bad = mark.kind().equals("outage") || mark.kind().equals("failure");
              return Cell.text(mark.title()).styled(bad ? "bad" : null);
            })
        .prose("more", RunTimeline.Marker::detail)
        .rows(timeline.markers());
  }

  private static Cell length(RunTimeline.Marker mark) {
    if (mark.end() == null) {
      return Cell.EMPTY;
    }
    double seconds = mark.end() - mark.t();
    return Cell.number(duration(seconds * NANOS_A_SECOND), seconds);
  }

  static Table<RunTimeline.GcPause> longestPauses(RunTimeline.Gc gc) {
    return new Table<RunTimeline.GcPause>("gc-longest", "Longest stops for garbage collection")
        .seconds("after", stop -> Cell.elapsed(stop.t()))
        .millis("stopped", stop -> ofMillis(stop.millis()))
        .text("collector", RunTimeline.GcPause::collector)
        .text("what", RunTimeline.GcPause::action)
        .text("why", RunTimeline.GcPause::cause)
        .sortable()
        .tall()
        .rows(gc.longest());
  }

  private static Cell ofMillis(double millis) {
    return Cell.number(duration(millis * NANOS_A_MILLI), millis);
  }

  static Table<RunTimeline.SlowIngest> slowest(List<RunTimeline.SlowIngest> slowest) {
    return new Table<RunTimeline.SlowIngest>("slowest", "Slowest ingests")
        .text("object", RunTimeline.SlowIngest::pid)
        .count("number", RunTimeline.SlowIngest::index)
        .seconds("after", ingest -> Cell.elapsed(ingest.t()))
        .millis("took", ingest -> ofMillis(ingest.millis()))
        .millis("late", ingest -> ingest.late() == 0 ? Cell.number("", 0) : ofMillis(ingest.late()))
        .text("most self time in", TimelineTables::stageWithMaxSelfTime)
        .rows(slowest);
  }

  private static String stageWithMaxSelfTime(RunTimeline.SlowIngest ingest) {
    return ingest.rows().stream()
        .filter(row -> row.what() == RunTimeline.RowKind.STAGE && row.self() != null)
        .max(Comparator.comparingDouble(RunTimeline.Row::self))
        .map(row -> row.name() + ", " + duration(row.self() * NANOS_A_MILLI))
        .orElse("");
  }

  static Table<RunTimeline.Failed> errors(RunTimeline timeline) {
    return new Table<RunTimeline.Failed>("errors", "Failed requests one by one")
        .seconds("after", failed -> Cell.elapsed(failed.t()))
        .text("time of day", failed -> timeOfDay(timeline, failed.t()))
        .text("object", RunTimeline.Failed::pid)
        .text("operation", RunTimeline.Failed::operation)
        .number(
            "attempt", failed -> Cell.number(Integer.toString(failed.attempt()), failed.attempt()))
        .cell("status", failed -> Cell.text(ReportTables.status(failed.status())).styled("bad"))
        .prose("message", RunTimeline.Failed::message)
        .tall()
        .rows(timeline.errors().list());
  }

  private static String timeOfDay(RunTimeline timeline, double t) {
    return timeline.originEpochMillis() == null
        ? ""
        : ReportSummary.timeOfDay(
            Instant.ofEpochMilli(timeline.originEpochMillis() + Math.round(t * MILLIS_A_SECOND))
                .toString());
  }
}
