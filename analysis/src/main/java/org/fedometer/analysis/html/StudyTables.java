package org.fedometer.analysis.html;

import static org.fedometer.analysis.NumberFormats.duration;

import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.section.Table;
import org.fedometer.analysis.study.DatastreamStudy;
import org.fedometer.analysis.study.DatastreamStudy.Additions;
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.analysis.study.ScaleStudy.Operation;

/** Creates the tables of studies; times in CSV are in milliseconds. Pure. */
final class StudyTables {
  private static final double NANOS_A_MILLI = 1e6;

  private StudyTables() {}

  /** Formats a limit as {@code 0.1 s}. */
  static String seconds(double limitMillis) {
    double seconds = limitMillis / 1000;
    return (seconds == Math.rint(seconds)
            ? Long.toString((long) seconds)
            : Double.toString(seconds))
        + " s";
  }

  static Table<Operation> passes(ScaleStudy study) {
    Table<Operation> table =
        new Table<Operation>("break-even", "Objects from which the mean exceeds a limit")
            .numbered("no.")
            .text("operation", Operation::name);
    for (double limit : ScaleStudy.LIMITS_MILLIS) {
      table.number("above " + seconds(limit), operation -> passes(operation, limit));
    }
    return table
        .number("failed", operation -> failed(operation.failed()))
        .sortable()
        .rows(study.operations());
  }

  private static Cell passes(Operation operation, double limit) {
    Long passes = operation.passes(limit);
    return passes != null
        ? Cell.count(passes).styled("warning")
        : operation.isTimed()
            ? Cell.text("never").styled("good")
            : Cell.text("not known").styled("bad");
  }

  private record Timed(String operation, ScaleStudy.Timing timing) {}

  static Table<?> timings(ScaleStudy study) {
    Table<Timed> table =
        new Table<Timed>("timings", "All timings of the study")
            .text("operation", Timed::operation)
            .count("objects", row -> row.timing().objects())
            .count("timed", row -> row.timing().count())
            .number("failed", row -> failed(row.timing().failed()))
            .millis("mean", row -> millis(row.timing().count(), row.timing().meanMillis()))
            .millis("shortest", row -> millis(row.timing().count(), row.timing().minMillis()))
            .millis("longest", row -> millis(row.timing().count(), row.timing().maxMillis()))
            .sortable()
            .tall();
    for (Operation operation : study.operations()) {
      operation.timings().forEach(timing -> table.row(new Timed(operation.name(), timing)));
    }
    return table;
  }

  static Table<Additions> additions(DatastreamStudy study) {
    return new Table<Additions>("additions", "Additions of datastreams to one object")
        .count("datastreams", Additions::datastreams)
        .count("added", Additions::count)
        .millis("mean", one -> millis(one.count(), one.meanMillis()))
        .millis("shortest", one -> millis(one.count(), one.minMillis()))
        .millis("longest", one -> millis(one.count(), one.maxMillis()))
        .sortable()
        .rows(study.additions());
  }

  private static Cell failed(long failed) {
    return Cell.count(failed).styled(failed > 0 ? "bad" : null);
  }

  private static Cell millis(long timed, double millis) {
    return timed > 0 ? Cell.number(duration(millis * NANOS_A_MILLI), millis) : Cell.EMPTY;
  }
}
