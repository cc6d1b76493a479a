package org.fedometer.analysis.logs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.fedometer.store.RunView;
import org.fedometer.store.RunView.RunFile;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/** Streams a run's log lines of all sources, in order of time; few are in memory at once. */
public final class RunLogs {

  private static final String LOG_FOLDER = "logs/";

  /**
   * A table like {@code logs} without lines of {@code fedora.log}, read at the run's end, that an
   * agent has also sent with their trace. The file has milliseconds, and each source's clock offset
   * is accurate to some more. So equal lines of one burst are counted on both sides, and as many of
   * the file's are omitted as an agent has sent. A limited agent sends the first ones.
   */
  public static final String DEDUPLICATED_LOGS =
      """
      (SELECT source, at_nanos, level, logger, thread, trace, message, thrown, context FROM (
        SELECT *, row_number() OVER (
            PARTITION BY level, thread, line, burst, is_file ORDER BY instant) AS place,
          count(*) FILTER (is_agent) OVER (PARTITION BY level, thread, line, burst) AS sent
        FROM (
          SELECT *, count(*) FILTER (begins) OVER (
              PARTITION BY level, thread, line ORDER BY instant ROWS UNBOUNDED PRECEDING) AS burst
          FROM (
            SELECT *, instant - lag(instant) OVER (
                PARTITION BY level, thread, line ORDER BY instant) >= 50000000 AS begins
            FROM (
              SELECT logs.*, coalesce(name, '') = 'fedora.log' AS is_file,
                coalesce(kind, '') = 'agent' AS is_agent,
                split_part(message, chr(10), 1) AS line,
                at_nanos::HUGEINT + coalesce(epoch_offset_nanos, 0) AS instant
              FROM logs LEFT JOIN sources USING (source)))))
      WHERE NOT (is_file AND place <= sent))\
      """;

  private RunLogs() {}

  /**
   * @param epochNanos time of day, null if the source's clock is unknown
   * @param sourceName the source's own name, or its UUID
   * @param trace its request, 0 if unknown
   * @param pid object of this request, or empty
   * @param thrown stack trace, or empty if there is none or none is wanted
   * @param context JSON object of further data when it was logged, or empty
   */
  record Line(
      Long epochNanos,
      String source,
      String sourceName,
      String level,
      String logger,
      String thread,
      long trace,
      String pid,
      String message,
      String thrown,
      String context) {}

  /** Receives the lines, on the calling thread. */
  interface Sink {
    void line(Line line) throws IOException;
  }

  /**
   * Passes the lines that pass a filter to a sink.
   *
   * @return number of lines
   * @throws IllegalArgumentException if the filter's regular expression or source is invalid
   */
  static long forEach(Query query, LogFilter filter, Sink sink) throws QueryException, IOException {
    checkPattern(query, filter.grep());
    checkSource(query, filter.source());
    List<Object> parameters = new ArrayList<>();
    List<String> conditions = new ArrayList<>(List.of("true"));
    if (filter.level() != null) {
      // An unknown level may be worth showing.
      List<String> below = filter.level().namesBelow();
      if (!below.isEmpty()) {
        conditions.add(
            "upper(coalesce(l.level, '')) NOT IN ("
                + String.join(", ", Collections.nCopies(below.size(), "?"))
                + ")");
        parameters.addAll(below);
      }
    }
    if (filter.grep() != null) {
      conditions.add(
          "(regexp_matches(coalesce(message, ''), ?) OR regexp_matches(coalesce(thrown, ''), ?)"
              + " OR regexp_matches(coalesce(logger, ''), ?))");
      parameters.addAll(Collections.nCopies(3, filter.grep()));
    }
    if (filter.source() != null) {
      conditions.add("(s.name = ? OR starts_with(l.source, ?))");
      parameters.addAll(Collections.nCopies(2, filter.source()));
    }
    addTime(conditions, parameters, ">=", filter.sinceEpochNanos());
    addTime(conditions, parameters, "<", filter.untilEpochNanos());
    String newest = "";
    if (filter.last() > 0) {
      newest = " ORDER BY instant DESC, l.source DESC, l.at_nanos DESC LIMIT ?";
      parameters.add(filter.last());
    }
    String sql =
        """
        WITH lines AS MATERIALIZED (
          SELECT l.at_nanos::HUGEINT + coalesce(epoch_offset_nanos, 0) AS instant, l.at_nanos,
            CASE WHEN attributes->>'clock' = 'epoch' THEN 0
              ELSE nullif(epoch_offset_nanos, 0) END AS clock_offset,
            l.source, coalesce(nullif(s.name, ''), l.source, '') AS source_name, level, logger,
            thread, l.trace, message, %s AS stack, context
          FROM %s l LEFT JOIN sources s ON s.source = l.source
          WHERE %s%s),
        pids AS (
          SELECT source, trace, any_value(pid) AS pid FROM traces
          WHERE trace IN (SELECT trace FROM lines WHERE trace <> 0) GROUP BY ALL)
        SELECT l.at_nanos, clock_offset, l.source, source_name, coalesce(level, ''),
          coalesce(logger, ''), coalesce(thread, ''), l.trace, coalesce(pid, ''),
          coalesce(message, ''), stack, coalesce(context, '')
        FROM lines l LEFT JOIN pids ON pids.source = l.source AND pids.trace = l.trace
        ORDER BY instant, l.source, l.at_nanos\
        """
            .formatted(
                filter.stackTraces() ? "coalesce(thrown, '')" : "''",
                filter.source() == null ? DEDUPLICATED_LOGS : "logs",
                String.join(" AND ", conditions),
                newest);
    long lines = 0;
    try (Rows rows = query.execute(sql, parameters.toArray())) {
      while (rows.next()) {
        lines++;
        sink.line(
            new Line(
                rows.value(1) == null ? null : Long.valueOf(rows.integer(0) + rows.integer(1)),
                rows.text(2),
                rows.text(3),
                rows.text(4),
                rows.text(5),
                rows.text(6),
                rows.integer(7),
                rows.text(8),
                filter.stackTraces() ? rows.text(9) : StackTraceLines.without(rows.text(9)),
                rows.text(10),
                rows.text(11)));
      }
    }
    return lines;
  }

  private static void addTime(
      List<String> conditions, List<Object> parameters, String comparison, Long epochNanos) {
    if (epochNanos != null) {
      conditions.add("l.at_nanos::HUGEINT + coalesce(epoch_offset_nanos, 0) " + comparison + " ?");
      parameters.add(epochNanos);
    }
  }

  private static void checkPattern(Query query, String grep) {
    if (grep == null) {
      return;
    }
    try (Rows row = query.execute("SELECT regexp_matches('', ?)", grep)) {
      row.next();
    } catch (QueryException e) {
      throw new IllegalArgumentException(
          "--grep " + grep + " is not a regular expression of RE2: " + e.getMessage(), e);
    }
  }

  private static void checkSource(Query query, String source) throws QueryException {
    if (source == null) {
      return;
    }
    List<String> names = new ArrayList<>();
    try (Rows rows =
        query.execute(
            "SELECT DISTINCT coalesce(nullif(s.name, ''), l.source), l.source"
                + " FROM (SELECT DISTINCT source FROM logs) l LEFT JOIN sources s USING (source)"
                + " ORDER BY ALL")) {
      while (rows.next()) {
        if (source.equals(rows.text(0)) || rows.text(1).startsWith(source)) {
          return;
        }
        names.add(rows.text(0));
      }
    }
    if (!names.isEmpty()) {
      throw new IllegalArgumentException(
          "No source "
              + source
              + " has log lines in this run; these have: "
              + String.join(", ", names.stream().distinct().toList()));
    }
  }

  static boolean any(Query query) throws QueryException {
    try (Rows rows = query.execute("SELECT 1 FROM logs LIMIT 1")) {
      return rows.next();
    }
  }

  /** Returns whether an agent has sent to the run, even if it was configured to send no lines. */
  static boolean anyAgent(Query query) throws QueryException {
    try (Rows rows = query.execute("SELECT 1 FROM sources WHERE kind = 'agent' LIMIT 1")) {
      return rows.next();
    }
  }

  /** Returns the log files kept with the run. */
  static List<RunFile> files(RunView run) throws IOException {
    return run.files().stream().filter(file -> file.path().startsWith(LOG_FOLDER)).toList();
  }

  /**
   * Returns one of {@link #files}.
   *
   * @param name its path, with or without the folder
   * @throws IllegalArgumentException if there is none; the message lists the existing ones
   */
  static RunFile file(RunView run, String name) throws IOException {
    List<RunFile> files = files(run);
    return files.stream()
        .filter(file -> file.path().equals(name) || file.path().equals(LOG_FOLDER + name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The run "
                        + run.name()
                        + " has no log file "
                        + name
                        + (files.isEmpty()
                            ? "; it has no log files"
                            : "; there are: "
                                + String.join(", ", files.stream().map(RunFile::path).toList()))));
  }
}
