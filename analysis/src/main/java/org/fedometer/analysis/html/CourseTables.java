package org.fedometer.analysis.html;

import static org.fedometer.analysis.Figures.duration;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.fedometer.analysis.course.RunCourse;
import org.fedometer.analysis.report.ReportTables;
import org.fedometer.analysis.report.ReportWords;
import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.section.Table;

/** The tables of a {@link RunCourse}. Pure. */
final class CourseTables {
  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_SECOND = 1e9;
  private static final double MILLIS_A_SECOND = 1e3;

  private CourseTables() {}

  /** Numbered as the charts have them; phases, which have no line in the charts, among them. */
  static Table<RunCourse.Mark> events(RunCourse course) {
    return new Table<RunCourse.Mark>("events", "What happened when")
        .numbered("no.")
        .seconds("after", mark -> Cell.elapsed(mark.t()))
        .text("time of day", mark -> timeOfDay(course, mark.t()))
        .seconds("for", CourseTables::length)
        .cell(
            "what",
            mark -> {
              boolean bad = mark.kind().equals("outage") || mark.kind().equals("failure");
              return Cell.text(mark.title()).styled(bad ? "bad" : null);
            })
        .prose("more", RunCourse.Mark::detail)
        .rows(course.marks());
  }

  private static Cell length(RunCourse.Mark mark) {
    if (mark.end() == null) {
      return Cell.EMPTY;
    }
    double seconds = mark.end() - mark.t();
    return Cell.number(duration(seconds * NANOS_A_SECOND), seconds);
  }

  static Table<RunCourse.Stop> longestStops(RunCourse.Gc gc) {
    return new Table<RunCourse.Stop>("gc-longest", "Longest stops for garbage collection")
        .seconds("after", stop -> Cell.elapsed(stop.t()))
        .millis("stopped", stop -> ofMillis(stop.millis()))
        .text("collector", RunCourse.Stop::collector)
        .text("what", RunCourse.Stop::action)
        .text("why", RunCourse.Stop::cause)
        .sortable()
        .tall()
        .rows(gc.longest());
  }

  private static Cell ofMillis(double millis) {
    return Cell.number(duration(millis * NANOS_A_MILLI), millis);
  }

  static Table<RunCourse.SlowIngest> slowest(List<RunCourse.SlowIngest> slowest) {
    return new Table<RunCourse.SlowIngest>("slowest", "Slowest ingests")
        .text("object", RunCourse.SlowIngest::pid)
        .count("number", RunCourse.SlowIngest::index)
        .seconds("after", ingest -> Cell.elapsed(ingest.t()))
        .millis("took", ingest -> ofMillis(ingest.millis()))
        .millis("late", ingest -> ingest.late() == 0 ? Cell.number("", 0) : ofMillis(ingest.late()))
        .text("most of its own time in", CourseTables::mostOwn)
        .rows(slowest);
  }

  private static String mostOwn(RunCourse.SlowIngest ingest) {
    return ingest.rows().stream()
        .filter(row -> row.what() == RunCourse.What.STAGE && row.own() != null)
        .max(Comparator.comparingDouble(RunCourse.Row::own))
        .map(row -> row.name() + ", " + duration(row.own() * NANOS_A_MILLI))
        .orElse("");
  }

  static Table<RunCourse.Failed> errors(RunCourse course) {
    return new Table<RunCourse.Failed>("errors", "Failed requests one by one")
        .seconds("after", failed -> Cell.elapsed(failed.t()))
        .text("time of day", failed -> timeOfDay(course, failed.t()))
        .text("object", RunCourse.Failed::pid)
        .text("operation", RunCourse.Failed::operation)
        .number(
            "attempt", failed -> Cell.number(Integer.toString(failed.attempt()), failed.attempt()))
        .cell("status", failed -> Cell.text(ReportTables.status(failed.status())).styled("bad"))
        .prose("message", RunCourse.Failed::message)
        .tall()
        .rows(course.errors().list());
  }

  private static String timeOfDay(RunCourse course, double t) {
    return course.originEpochMillis() == null
        ? ""
        : ReportWords.timeOfDay(
            Instant.ofEpochMilli(course.originEpochMillis() + Math.round(t * MILLIS_A_SECOND))
                .toString());
  }
}
