package org.fedometer.analysis.html;

import static org.fedometer.analysis.Figures.count;
import static org.fedometer.analysis.Figures.duration;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.html.HtmlTable.Cell;
import org.fedometer.analysis.study.DatastreamStudy;
import org.fedometer.analysis.study.ScaleStudy;

/** The tables of studies, with times in milliseconds for their CSV. Pure. */
final class StudyTables {
  private static final double NANOS_A_MILLI = 1e6;

  private StudyTables() {}

  /** A limit as people write it: {@code 0.1 s}. */
  static String seconds(double limitMillis) {
    double seconds = limitMillis / 1000;
    return (seconds == Math.rint(seconds)
            ? Long.toString((long) seconds)
            : Double.toString(seconds))
        + " s";
  }

  static HtmlTable passes(ScaleStudy study) {
    HtmlTable table =
        new HtmlTable("break-even", "Objects from which on the mean is above a limit")
            .number("no.")
            .text("operation");
    ScaleStudy.LIMITS_MILLIS.forEach(limit -> table.number("above " + seconds(limit)));
    table.number("failed").sortable();
    int number = 0;
    for (ScaleStudy.Operation operation : study.operations()) {
      number++;
      List<Cell> row = new ArrayList<>();
      row.add(Cell.number(Integer.toString(number), number));
      row.add(Cell.text(operation.name()));
      for (double limit : ScaleStudy.LIMITS_MILLIS) {
        Long passes = operation.passes(limit);
        row.add(
            passes != null
                ? Cell.number(count(passes), passes).styled("warning")
                : operation.isTimed()
                    ? Cell.text("never").styled("good")
                    : Cell.text("not known").styled("bad"));
      }
      row.add(failed(operation.failed()));
      table.row(row);
    }
    return table;
  }

  static HtmlTable timings(ScaleStudy study) {
    HtmlTable table =
        new HtmlTable("timings", "All timings of the study")
            .text("operation")
            .number("objects", "timed", "failed")
            .millis("mean", "shortest", "longest")
            .sortable()
            .tall();
    for (ScaleStudy.Operation operation : study.operations()) {
      for (ScaleStudy.Timing timing : operation.timings()) {
        boolean timed = timing.count() > 0;
        table.row(
            Cell.text(operation.name()),
            Cell.number(count(timing.objects()), timing.objects()),
            Cell.number(count(timing.count()), timing.count()),
            failed(timing.failed()),
            millis(timed, timing.meanMillis()),
            millis(timed, timing.minMillis()),
            millis(timed, timing.maxMillis()));
      }
    }
    return table;
  }

  static HtmlTable additions(DatastreamStudy study) {
    HtmlTable table =
        new HtmlTable("additions", "Additions of datastreams to one object")
            .number("datastreams", "added")
            .millis("mean", "shortest", "longest")
            .sortable();
    for (DatastreamStudy.Additions one : study.additions()) {
      boolean timed = one.count() > 0;
      table.row(
          Cell.number(count(one.datastreams()), one.datastreams()),
          Cell.number(count(one.count()), one.count()),
          millis(timed, one.meanMillis()),
          millis(timed, one.minMillis()),
          millis(timed, one.maxMillis()));
    }
    return table;
  }

  private static Cell failed(long failed) {
    Cell cell = Cell.number(count(failed), failed);
    return failed > 0 ? cell.styled("bad") : cell;
  }

  private static Cell millis(boolean known, double millis) {
    return known ? Cell.number(duration(millis * NANOS_A_MILLI), millis) : Cell.text("");
  }
}
