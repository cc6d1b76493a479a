package org.fedometer.store;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The tables of a run and their columns, sealed and queried. */
public enum Table {
  SAMPLES(
      List.of(
          "source VARCHAR",
          "stage VARCHAR",
          "thread VARCHAR",
          "trace BIGINT",
          "start_nanos BIGINT",
          "duration_nanos BIGINT",
          "children_nanos BIGINT",
          "failed BOOLEAN"),
      "SELECT *, duration_nanos - children_nanos AS self_nanos FROM %s"),
  REQUESTS(
      List.of(
          "source VARCHAR",
          "object_index BIGINT",
          "pid VARCHAR",
          "traceparent VARCHAR",
          "worker INTEGER",
          "attempt INTEGER",
          "start_nanos BIGINT",
          "duration_nanos BIGINT",
          "status INTEGER",
          "content_bytes BIGINT",
          "message VARCHAR",
          "operation VARCHAR",
          "intended_start_nanos BIGINT"),
      "SELECT * FROM %s"),
  TRACES(
      List.of(
          "source VARCHAR",
          "trace BIGINT",
          "root_stage VARCHAR",
          "pid VARCHAR",
          "traceparent VARCHAR",
          "failed BOOLEAN",
          "operation VARCHAR"),
      "SELECT * FROM %s"),
  TOTALS(
      List.of(
          "source VARCHAR",
          "sequence BIGINT",
          "stage VARCHAR",
          "count BIGINT",
          "failed BIGINT",
          "sum_duration_nanos BIGINT",
          "samples_dropped BIGINT",
          "frames_dropped BIGINT",
          "last BOOLEAN",
          "traces_dropped BIGINT",
          "stages_skipped BIGINT",
          "threads_refused BIGINT"),
      "SELECT * FROM %1$s QUALIFY"
          + " row_number() OVER (PARTITION BY %2$ssource, stage ORDER BY sequence DESC) = 1"),
  SOURCES(
      List.of(
          "source VARCHAR",
          "sequence BIGINT",
          "kind VARCHAR",
          "name VARCHAR",
          "attributes VARCHAR",
          "first_seen_epoch_millis BIGINT",
          "epoch_offset_nanos BIGINT",
          "frames_missing BIGINT",
          "frames_unreadable BIGINT",
          "samples_dropped BIGINT",
          "frames_dropped BIGINT",
          "finished BOOLEAN",
          "log_events_assumed BIGINT"),
      "SELECT %2$ssource, max(sequence) AS sequence, arg_max(kind, sequence) AS kind,"
          + " arg_max(name, sequence) AS name, arg_max(attributes, sequence) AS attributes,"
          + " min(first_seen_epoch_millis) AS first_seen_epoch_millis,"
          + " arg_min(epoch_offset_nanos, first_seen_epoch_millis) AS epoch_offset_nanos,"
          + " max(frames_missing) AS frames_missing,"
          + " sum(frames_unreadable)::BIGINT AS frames_unreadable,"
          + " max(samples_dropped) AS samples_dropped, max(frames_dropped) AS frames_dropped,"
          + " bool_or(finished) AS finished,"
          + " sum(log_events_assumed)::BIGINT AS log_events_assumed FROM %1$s GROUP BY %2$ssource"),
  ENVIRONMENT(
      List.of("source VARCHAR", "sequence BIGINT", "name VARCHAR", "value VARCHAR"),
      "SELECT * FROM %1$s QUALIFY"
          + " row_number() OVER (PARTITION BY %2$ssource, name ORDER BY sequence DESC) = 1"),
  LOGS(
      List.of(
          "source VARCHAR",
          "at_nanos BIGINT",
          "level VARCHAR",
          "logger VARCHAR",
          "thread VARCHAR",
          "trace BIGINT",
          "message VARCHAR",
          "thrown VARCHAR",
          "context VARCHAR"),
      // Makes context->>'user' valid for all rows.
      "SELECT * REPLACE (nullif(context, '') AS context) FROM %s"),
  TELEMETRY(
      List.of(
          "source VARCHAR", "metric VARCHAR", "unit VARCHAR", "at_nanos BIGINT", "value DOUBLE"),
      "SELECT * FROM %s"),
  GC(
      List.of(
          "source VARCHAR",
          "collector VARCHAR",
          "action VARCHAR",
          "cause VARCHAR",
          "start_nanos BIGINT",
          "duration_nanos BIGINT",
          "heap_before_bytes BIGINT",
          "heap_after_bytes BIGINT"),
      "SELECT * FROM %s"),
  MARKERS(
      List.of("source VARCHAR", "sequence BIGINT", "name VARCHAR", "at_nanos BIGINT"),
      "SELECT * FROM %s"),
  CLOCKS(
      List.of(
          "source VARCHAR",
          "at_nanos BIGINT",
          "offset_nanos BIGINT",
          "uncertainty_nanos BIGINT",
          "boot_id VARCHAR"),
      "SELECT * FROM %s"),
  ROLLUPS(
      List.of(
          "begin_epoch_seconds BIGINT",
          "stage VARCHAR",
          "count BIGINT",
          "failed BIGINT",
          "sum_duration_nanos BIGINT",
          "sum_self_nanos BIGINT",
          "min_nanos BIGINT",
          "max_nanos BIGINT",
          "histogram BLOB"),
      "SELECT * FROM %s");

  private final List<String> columns;
  private final String view;

  Table(List<String> columns, String view) {
    this.columns = columns;
    this.view = view;
  }

  /** Also the name of its folder and of its view. */
  public String tableName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Name and DuckDB type as sealed, in order. */
  public List<String> columns() {
    return columns;
  }

  /** Returns columns that are null but have a name and a type. */
  public String typedNulls() {
    return columns.stream()
        .map(column -> column.split(" "))
        .map(parts -> "NULL::" + parts[1] + " AS " + parts[0])
        .collect(Collectors.joining(", "));
  }

  /** Returns the rows of several sealed files for writing into one. */
  public String mergedFrom(String rows) {
    return switch (this) {
      case TOTALS, SOURCES, ENVIRONMENT -> selectFrom(rows);
      default -> "FROM " + rows;
    };
  }

  /**
   * Returns the query of the sealed rows. Totals and sources are cumulative: each sealed segment
   * adds a row, of which the newest counts.
   */
  String selectFrom(String rows) {
    return view.formatted(rows, "");
  }

  /**
   * Returns the query as {@link #selectFrom}, for rows of many runs whose first column is {@code
   * run}.
   */
  String selectFromRuns(String rows) {
    return view.formatted(rows, "run, ");
  }
}
