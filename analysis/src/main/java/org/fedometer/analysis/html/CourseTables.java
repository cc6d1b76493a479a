package org.fedometer.analysis.html;

import static org.fedometer.analysis.Figures.count;
import static org.fedometer.analysis.Figures.duration;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.course.RunCourse;
import org.fedometer.analysis.html.HtmlTable.Cell;
import org.fedometer.analysis.report.ReportWords;

/** The tables of a {@link RunCourse}. Pure. */
final class CourseTables {
  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_SECOND = 1e9;
  private static final double MILLIS_A_SECOND = 1e3;

  private CourseTables() {}

  /** Numbered as the charts have them; phases, which have no line in the charts, among them. */
  static HtmlTable events(RunCourse course) {
    HtmlTable table =
        new HtmlTable("events", "What happened when")
            .number("no.")
            .seconds("after")
            .text("time of day")
            .seconds("for")
            .text("what", "more");
    for (int i = 0; i < course.marks().size(); i++) {
      RunCourse.Mark mark = course.marks().get(i);
      boolean bad = mark.kind().equals("outage") || mark.kind().equals("failure");
      table.row(
          Cell.number(Integer.toString(i + 1), i + 1),
          Cell.number(elapsed(mark.t()), mark.t()),
          Cell.text(timeOfDay(course, mark.t())),
          mark.end() == null
              ? Cell.text("")
              : Cell.number(
                  duration((mark.end() - mark.t()) * NANOS_A_SECOND), mark.end() - mark.t()),
          Cell.text(mark.title()).styled(bad ? "bad" : null),
          Cell.text(mark.detail()).styled("text"));
    }
    return table;
  }

  static HtmlTable longestStops(RunCourse.Gc gc) {
    HtmlTable table =
        new HtmlTable("gc-longest", "Longest stops for garbage collection")
            .seconds("after")
            .millis("stopped")
            .text("collector", "what", "why")
            .sortable()
            .tall();
    for (RunCourse.Stop stop : gc.longest()) {
      table.row(
          Cell.number(elapsed(stop.t()), stop.t()),
          Cell.number(duration(stop.millis() * NANOS_A_MILLI), stop.millis()),
          Cell.text(stop.collector()),
          Cell.text(stop.action()),
          Cell.text(stop.cause()));
    }
    return table;
  }

  static HtmlTable slowest(List<RunCourse.SlowIngest> slowest) {
    HtmlTable table =
        new HtmlTable("slowest", "Slowest ingests")
            .text("object")
            .number("number")
            .seconds("after")
            .millis("took", "late")
            .text("most of its own time in");
    for (RunCourse.SlowIngest ingest : slowest) {
      table.row(
          Cell.text(ingest.pid()),
          Cell.number(count(ingest.index()), ingest.index()),
          Cell.number(elapsed(ingest.t()), ingest.t()),
          Cell.number(duration(ingest.millis() * NANOS_A_MILLI), ingest.millis()),
          Cell.number(
              ingest.late() == 0 ? "" : duration(ingest.late() * NANOS_A_MILLI), ingest.late()),
          Cell.text(mostOwn(ingest)));
    }
    return table;
  }

  private static String mostOwn(RunCourse.SlowIngest ingest) {
    return ingest.rows().stream()
        .filter(row -> row.what() == RunCourse.What.STAGE && row.own() != null)
        .max(Comparator.comparingDouble(RunCourse.Row::own))
        .map(row -> row.name() + ", " + duration(row.own() * NANOS_A_MILLI))
        .orElse("");
  }

  static HtmlTable errors(RunCourse course) {
    HtmlTable table =
        new HtmlTable("errors", "Failed requests one by one")
            .seconds("after")
            .text("time of day", "object", "operation")
            .number("attempt")
            .text("status", "message")
            .tall();
    for (RunCourse.Failed failed : course.errors().list()) {
      table.row(
          Cell.number(elapsed(failed.t()), failed.t()),
          Cell.text(timeOfDay(course, failed.t())),
          Cell.text(failed.pid()),
          Cell.text(failed.operation()),
          Cell.number(Integer.toString(failed.attempt()), failed.attempt()),
          Cell.text(ReportTables.status(failed.status())).styled("bad"),
          Cell.text(failed.message()).styled("text"));
    }
    return table;
  }

  private static String timeOfDay(RunCourse course, double t) {
    return course.originEpochMillis() == null
        ? ""
        : ReportWords.timeOfDay(
            Instant.ofEpochMilli(course.originEpochMillis() + Math.round(t * MILLIS_A_SECOND))
                .toString());
  }

  /** Such as {@code 3:04}, {@code 2:03:04} or {@code 1 d 02:03:04}. */
  static String elapsed(double seconds) {
    long whole = Math.round(Math.abs(seconds));
    long hours = whole / 3600 % 24;
    String minutes = String.format(Locale.ROOT, "%d:%02d", whole / 60 % 60, whole % 60);
    String padded = String.format(Locale.ROOT, "%02d:%02d", whole / 60 % 60, whole % 60);
    String clock = whole >= 3600 ? hours + ":" + padded : minutes;
    String days =
        whole >= 86_400
            ? String.format(Locale.ROOT, "%d d %02d:%s", whole / 86_400, hours, padded)
            : clock;
    return seconds < -0.5 ? "−" + days : days;
  }
}
