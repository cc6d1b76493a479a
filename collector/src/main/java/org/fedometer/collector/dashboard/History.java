package org.fedometer.collector.dashboard;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.fedometer.store.RunDocument;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RequestSql;
import org.fedometer.store.query.Rows;
import org.fedometer.store.rollup.Rollups;

/**
 * Builds a board of a stored run from its rollups and the few other tables a dashboard shows.
 *
 * <p>DuckDB computes sums; the result is bounded by the number of rollups, not of samples. Blocks
 * on disk reads.
 */
final class History {
  /**
   * Limit of stage rollups whose histograms are read: 60 stages for more than a day. Longer runs
   * have no percentiles of stages.
   */
  private static final long MAX_HISTOGRAMS = 500_000;

  private static final long DAY_SECONDS = 24 * 3600;
  private static final String OTHER_REQUESTS = Rollups.DRIVER_REQUEST + ".";
  private static final String IS_REQUEST =
      "(stage = '" + Rollups.DRIVER_REQUEST + "' OR starts_with(stage, '" + OTHER_REQUESTS + "'))";
  private static final String END_MILLIS =
      "(start_nanos + duration_nanos + epoch_offset_nanos) // 1_000_000";

  private final Query query;
  private final RunBoard board;
  private final long earliest;
  private final long latest;
  private long bucketSeconds = Timeline.MIN_BUCKET_SECONDS;

  private History(Query query, RunBoard board, long earliest, long latest) {
    this.query = query;
    this.board = board;
    this.earliest = earliest;
    this.latest = latest;
  }

  /**
   * @param query the run's query; the caller closes it
   * @param document the run's document, or null
   */
  static RunBoard read(Query query, RunDocument document, Clock clock) throws QueryException {
    RunBoard board = new RunBoard(clock);
    boolean imported = document != null && document.imported() != null;
    long started = secondsOf(document == null ? null : document.started(), 0);
    long ended = secondsOf(document == null ? null : document.ended(), clock.millis() / 1000);
    new History(
            query,
            board,
            imported ? 0 : Math.max(0, started - DAY_SECONDS),
            imported ? Long.MAX_VALUE / 2 : ended + DAY_SECONDS)
        .read();
    if (document != null && document.phases() != null && !document.phases().isEmpty()) {
      RunDocument.Phase last = document.phases().get(document.phases().size() - 1);
      board.phase = last == null ? null : Texts.line(last.name(), Texts.MAX_NAME_CHARACTERS);
    }
    return board;
  }

  private static long secondsOf(String time, long otherwise) {
    try {
      return time == null ? otherwise : Instant.parse(time).getEpochSecond();
    } catch (DateTimeParseException e) {
      return otherwise;
    }
  }

  private void read() throws QueryException {
    if (chooseBuckets()) {
      addRequests();
      addIngestTimes();
      addStages();
    }
    addSources();
    addFacts();
    addTelemetry();
    addCollections();
    addLogs();
    addErrors();
  }

  /** Excludes implausible times: a wrong clock must not create buckets of years. */
  private String inTime(String seconds) {
    return seconds + " BETWEEN " + earliest + " AND " + latest;
  }

  private String bucket(String seconds) {
    return "(" + seconds + ") // " + bucketSeconds + " * " + bucketSeconds;
  }

  /** Chooses the bucket length first, so that DuckDB aggregates per bucket. */
  private boolean chooseBuckets() throws QueryException {
    try (Rows rows =
        query.execute(
            "SELECT count(*), min(begin_epoch_seconds), max(begin_epoch_seconds) FROM rollups WHERE "
                + inTime("begin_epoch_seconds"))) {
      if (!rows.next() || rows.integer(0) == 0) {
        return false;
      }
      while ((rows.integer(2) - rows.integer(1)) / bucketSeconds >= Timeline.MAX_BUCKETS - 1) {
        bucketSeconds *= 2;
      }
      return true;
    }
  }

  private void addRequests() throws QueryException {
    try (Rows rows =
        query.execute(
            "SELECT "
                + bucket("begin_epoch_seconds")
                + " AS moment, stage, sum(count), sum(failed) FROM rollups WHERE "
                + inTime("begin_epoch_seconds")
                + " AND "
                + IS_REQUEST
                + " GROUP BY ALL ORDER BY moment, stage")) {
      while (rows.next()) {
        String stage = rows.text(1);
        String operation =
            stage.equals(Rollups.DRIVER_REQUEST)
                ? Timeline.INGEST
                : Texts.line(stage.substring(OTHER_REQUESTS.length()), Texts.MAX_NAME_CHARACTERS);
        long succeeded = Math.max(0, rows.integer(2) - rows.integer(3));
        board.timeline.addRequests(operation, rows.integer(0), succeeded, rows.integer(3));
        if (operation.equals(Timeline.INGEST)) {
          board.objects += succeeded;
        }
      }
    }
  }

  private void addIngestTimes() throws QueryException {
    try (Rows rows =
        query.execute(
            "SELECT begin_epoch_seconds, max_nanos, histogram FROM rollups WHERE "
                + inTime("begin_epoch_seconds")
                + " AND stage = '"
                + Rollups.DRIVER_REQUEST
                + "' ORDER BY 1")) {
      while (rows.next()) {
        Histogram times = histogramOf(rows, 2);
        if (times != null) {
          board.timeline.addLatencies(rows.integer(0), times, rows.integer(1));
        }
      }
    }
  }

  private void addStages() throws QueryException {
    long rollups;
    try (Rows rows =
        query.execute(
            "SELECT stage, sum(count), sum(failed), sum(sum_duration_nanos), sum(sum_self_nanos),"
                + " max(max_nanos), count(*) FROM rollups WHERE "
                + inTime("begin_epoch_seconds")
                + " AND NOT "
                + IS_REQUEST
                + " GROUP BY stage ORDER BY 5 DESC LIMIT 10000")) {
      rollups = 0;
      while (rows.next()) {
        board.stages.add(
            board.stages.numberOf(rows.text(0)),
            rows.integer(1),
            rows.integer(2),
            longOf(rows, 3),
            longOf(rows, 4),
            rows.integer(5));
        rollups += rows.integer(6);
      }
    }
    try (Rows rows =
        query.execute(
            "SELECT "
                + bucket("begin_epoch_seconds")
                + " AS moment, stage, sum(sum_self_nanos) FROM rollups WHERE "
                + inTime("begin_epoch_seconds")
                + " AND NOT "
                + IS_REQUEST
                + " GROUP BY ALL ORDER BY moment")) {
      while (rows.next()) {
        int stage = board.stages.numberOf(rows.text(1));
        board.timeline.addSelfTime(stage, rows.integer(0), longOf(rows, 2));
      }
    }
    if (rollups <= MAX_HISTOGRAMS) {
      addStageTimes();
    }
  }

  private void addStageTimes() throws QueryException {
    try (Rows rows =
        query.execute(
            "SELECT stage, histogram FROM rollups WHERE "
                + inTime("begin_epoch_seconds")
                + " AND NOT "
                + IS_REQUEST)) {
      while (rows.next()) {
        Histogram times = histogramOf(rows, 1);
        if (times != null) {
          board.stages.addTimes(board.stages.numberOf(rows.text(0)), times);
        }
      }
    }
  }

  /** Returns the value; a hostile source's times may sum up to more than a long holds. */
  private static long longOf(Rows rows, int column) throws QueryException {
    double value = rows.decimal(column);
    return Math.abs(value) < 1L << 53 ? rows.integer(column) : (long) value;
  }

  /** Returns null if there is no valid histogram. */
  private static Histogram histogramOf(Rows rows, int column) throws QueryException {
    if (!(rows.value(column) instanceof byte[] encoded)) {
      return null;
    }
    try {
      Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0);
      return histogram.getTotalCount() == 0 ? null : histogram;
    } catch (DataFormatException | RuntimeException e) {
      // Of a file with foreign content: its counts remain valid.
      return null;
    }
  }

  private void addSources() throws QueryException {
    try (Rows rows =
        query.execute(
            "SELECT source, kind, name, samples_dropped, frames_dropped, executions FROM sources"
                + " LEFT JOIN (SELECT source, sum(count) AS executions FROM totals GROUP BY source)"
                + " USING (source) ORDER BY first_seen_epoch_millis LIMIT "
                + RunBoard.MAX_SOURCES)) {
      while (rows.next()) {
        UUID uuid = uuidOf(rows.text(0));
        if (uuid != null) {
          SourceFacts source = new SourceFacts(uuid, rows.text(1), rows.text(2), null);
          source.samplesDropped = rows.integer(3);
          source.framesDropped = rows.integer(4);
          source.executions = rows.value(5) == null ? -1 : longOf(rows, 5);
          board.sources.put(uuid, source);
        }
      }
    }
  }

  private static UUID uuidOf(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private void addFacts() throws QueryException {
    try (Rows rows =
        query.execute(
            "SELECT source, metric, arg_max(value, at_nanos) FROM telemetry WHERE isfinite(value)"
                + " AND metric IN ("
                + namesOf(metric -> metric.kind() == Metric.Kind.FACT)
                + ") GROUP BY source, metric")) {
      while (rows.next()) {
        SourceFacts source = board.sources.get(uuidOf(rows.text(0)));
        if (source != null) {
          source.note(Metric.of(rows.text(1)), rows.decimal(2));
        }
      }
    }
  }

  private static String namesOf(Predicate<Metric> wanted) {
    return Arrays.stream(Metric.values())
        .filter(wanted)
        .map(metric -> "'" + metric.id() + "'")
        .collect(Collectors.joining(", "));
  }

  private void addTelemetry() throws QueryException {
    String seconds = "(at_nanos + epoch_offset_nanos) // 1_000_000_000";
    try (Rows rows =
        query.execute(
            "SELECT metric, "
                + bucket(seconds)
                + " AS moment, sum(value), count(*), max(value),"
                + " arg_max(value, at_nanos) - arg_min(value, at_nanos),"
                + " (max(at_nanos) - min(at_nanos)) / 1e9"
                + " FROM telemetry JOIN sources USING (source) WHERE isfinite(value) AND metric IN ("
                + namesOf(metric -> metric.kind() != Metric.Kind.FACT)
                + ") AND "
                + inTime(seconds)
                + " GROUP BY source, metric, moment ORDER BY moment")) {
      while (rows.next()) {
        Metric metric = Metric.of(rows.text(0));
        long at = rows.integer(1);
        switch (metric.kind()) {
          case GAUGE -> board.timeline.addReading(metric, at, rows.decimal(2), rows.integer(3));
          case MAXIMUM -> board.timeline.addReading(metric, at, rows.decimal(4), rows.integer(3));
          case COUNTER -> {
            // Less than before: another process.
            if (rows.decimal(5) >= 0) {
              board.timeline.addReading(metric, at, rows.decimal(5), rows.decimal(6));
            }
          }
          case FACT -> {
            // Not queried.
          }
        }
      }
    }
  }

  private void addCollections() throws QueryException {
    String seconds = "(start_nanos + epoch_offset_nanos) // 1_000_000_000";
    try (Rows rows =
        query.execute(
            "SELECT "
                + bucket(seconds)
                + " AS moment, sum(duration_nanos), max(duration_nanos) FROM gc JOIN sources"
                + " USING (source) WHERE "
                + inTime(seconds)
                + " GROUP BY moment ORDER BY moment")) {
      while (rows.next()) {
        board.timeline.addGc(rows.integer(0), longOf(rows, 1), rows.integer(2));
      }
    }
  }

  private void addLogs() throws QueryException {
    try (Rows rows =
        query.execute(
            "SELECT * FROM (SELECT (at_nanos + epoch_offset_nanos) // 1_000_000 AS moment, name, level,"
                + " logger, CASE WHEN trim(message) = '' THEN thrown ELSE message END FROM logs"
                + " JOIN sources USING (source) WHERE level IN ('WARN', 'ERROR', 'FATAL')"
                + " ORDER BY moment DESC LIMIT "
                + LogLine.MAX_KEPT
                + ") ORDER BY moment")) {
      while (rows.next()) {
        board.logs.add(
            new LogLine(rows.integer(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4)));
      }
    }
  }

  private void addErrors() throws QueryException {
    try (Rows rows =
        query.execute(
            "SELECT * FROM (SELECT "
                + END_MILLIS
                + " AS moment, pid, operation, status, attempt, message FROM requests"
                + " JOIN sources USING (source) WHERE NOT ("
                + RequestSql.SUCCEEDED
                + ") ORDER BY moment DESC LIMIT "
                + FailedRequest.MAX_KEPT
                + ") ORDER BY moment")) {
      while (rows.next()) {
        board.errors.add(
            new FailedRequest(
                rows.integer(0),
                rows.text(1),
                rows.text(2),
                (int) rows.integer(3),
                (int) rows.integer(4),
                rows.text(5)));
      }
    }
  }
}
