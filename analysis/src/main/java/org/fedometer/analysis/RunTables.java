package org.fedometer.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fedometer.analysis.RunReport.FailureGroup;
import org.fedometer.analysis.RunReport.Latency;
import org.fedometer.analysis.RunReport.Source;
import org.fedometer.analysis.RunReport.Stage;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/**
 * The questions that {@link ReportBuilder} asks of a run's tables, each one SELECT, since the run
 * may lie far away; no sample and no request is ever brought to Java.
 *
 * <p>A run may have hundreds of millions of samples, so what is asked of them is shaped by what
 * DuckDB does cheaply: it groups by one column of few names (a stage) almost as fast as it reads
 * it, by two at several times the cost. That is why the sums, the failures, the work beside the
 * requests and the percentiles are questions of their own ({@code
 * docs/decisions/0010-percentiles-of-stages-by-buckets.md}).
 */
final class RunTables {

  /** Failed requests are shown in at most this many groups. */
  static final int MOST_FAILURE_GROUPS = 20;

  private static final String SUCCEEDED = "status BETWEEN 200 AND 299";

  /**
   * A total time rounded to 11 binary digits, so that times of one bucket differ by less than 0.1
   * %: 1 in 1,024. Multiplying by 2^42 + 1 and taking off what was added leaves 53 - 42 digits of a
   * double (T. J. Dekker, "A floating-point technique for extending the available precision",
   * Numerische Mathematik 18, 1971), at a third of the cost of a logarithm.
   */
  private static final String BUCKET =
      "total_nanos::DOUBLE * 4398046511105"
          + " - (total_nanos::DOUBLE * 4398046511105 - total_nanos::DOUBLE)";

  private final Query query;

  RunTables(Query query) {
    this.query = query;
  }

  /** What the requests table holds in short. Times are nanoTime, 0 where there is no request. */
  record RequestSummary(
      long sent,
      long retried,
      long failed,
      long objectsTried,
      long objectsIngested,
      long answered,
      double meanAnsweredNanos,
      long firstStartNanos,
      long lastEndNanos) {}

  RequestSummary requestSummary() throws QueryException {
    String sql =
        """
        WITH objects AS MATERIALIZED (
          SELECT object_index, bool_or(%1$s) AS ingested FROM requests GROUP BY object_index)
        SELECT count(*), count(*) FILTER (attempt > 1), count(*) FILTER (NOT (%1$s)),
          (SELECT count(*) FROM objects), (SELECT count(*) FROM objects WHERE ingested),
          count(*) FILTER (status > 0),
          coalesce(avg(duration_nanos) FILTER (status > 0), 0),
          coalesce(min(start_nanos), 0), coalesce(max(start_nanos + duration_nanos), 0)
        FROM requests"""
            .formatted(SUCCEEDED);
    try (Rows row = query.ask(sql)) {
      row.next();
      return new RequestSummary(
          row.integer(0),
          row.integer(1),
          row.integer(2),
          row.integer(3),
          row.integer(4),
          row.integer(5),
          row.decimal(6),
          row.integer(7),
          row.integer(8));
    }
  }

  /**
   * Failed requests by status and message. A message often names the object, so the PID is taken
   * out before messages are compared.
   */
  List<FailureGroup> failureGroups() throws QueryException {
    String sql =
        """
        SELECT count(*), status, arg_min(coalesce(message, ''), start_nanos),
          arg_min(coalesce(pid, ''), start_nanos)
        FROM requests WHERE NOT (%s)
        GROUP BY status, CASE WHEN coalesce(pid, '') = '' THEN coalesce(message, '')
          ELSE replace(coalesce(message, ''), pid, '') END
        ORDER BY count(*) DESC, min(start_nanos) LIMIT %d"""
            .formatted(SUCCEEDED, MOST_FAILURE_GROUPS);
    List<FailureGroup> groups = new ArrayList<>();
    try (Rows rows = query.ask(sql)) {
      while (rows.next()) {
        groups.add(
            new FailureGroup(
                rows.integer(0), Math.toIntExact(rows.integer(1)), rows.text(2), rows.text(3)));
      }
    }
    return groups;
  }

  /** Successful ingests in the order in which they were answered, numbered from 0. */
  private static final String COMPLETIONS =
      """
      SELECT row_number() OVER (ORDER BY start_nanos + duration_nanos, object_index) - 1 AS n,
        start_nanos + duration_nanos AS end_nanos, duration_nanos
      FROM requests WHERE %s"""
          .formatted(SUCCEEDED);

  /** Mean service times of consecutive full batches of ingests, in order of completion. */
  double[] batchMeans(int batchObjects) throws QueryException {
    String sql =
        """
        SELECT avg(duration_nanos) FROM (%2$s)
        GROUP BY n // %1$d HAVING count(*) = %1$d ORDER BY n // %1$d"""
            .formatted(batchObjects, COMPLETIONS);
    double[] means = new double[1024];
    int count = 0;
    try (Rows rows = query.ask(sql)) {
      while (rows.next()) {
        if (count == means.length) {
          means = Arrays.copyOf(means, 2 * count);
        }
        means[count++] = rows.decimal(0);
      }
    }
    return Arrays.copyOf(means, count);
  }

  /**
   * Service times before and after a point, in order of completion.
   *
   * @param cold of the ingests before it, null where there are none
   * @param warm of the ingests after it, null where there are none
   * @param coldEndNanos when the last of the former was answered, nanoTime, 0 where there are none
   */
  record ColdAndWarm(Latency cold, Latency warm, long coldEndNanos) {}

  /**
   * @param coldObjects how many of the first completions are cold
   */
  ColdAndWarm coldAndWarm(long coldObjects) throws QueryException {
    String sql =
        "SELECT n < ? AS cold, "
            + latencyColumns()
            + ", max(end_nanos) FROM ("
            + COMPLETIONS
            + ") GROUP BY cold";
    Latency cold = null;
    Latency warm = null;
    long coldEndNanos = 0;
    try (Rows rows = query.ask(sql, coldObjects)) {
      while (rows.next()) {
        if (rows.flag(0)) {
          cold = latency(rows, 1);
          coldEndNanos = rows.integer(5);
        } else {
          warm = latency(rows, 1);
        }
      }
    }
    return new ColdAndWarm(cold, warm, coldEndNanos);
  }

  /**
   * Service times of all successful ingests.
   *
   * @param latency null where there are none
   * @param lastEndNanos the last answer, nanoTime, 0 where there is none
   */
  record Completed(Latency latency, long lastEndNanos) {}

  Completed completed() throws QueryException {
    String sql =
        "SELECT "
            + latencyColumns()
            + ", max(start_nanos + duration_nanos) FROM requests WHERE "
            + SUCCEEDED;
    try (Rows row = query.ask(sql)) {
      row.next();
      return new Completed(latency(row, 0), row.integer(4));
    }
  }

  /** {@code quantile_disc} is the smallest value that at least that share does not exceed. */
  private static String latencyColumns() {
    return "count(*), avg(duration_nanos), max(duration_nanos),"
        + " quantile_disc(duration_nanos, [0.5, 0.95, 0.99])";
  }

  private static Latency latency(Rows row, int column) throws QueryException {
    long count = row.integer(column);
    if (count == 0) {
      return null;
    }
    List<?> percentiles = (List<?>) row.value(column + 3);
    return new Latency(
        count,
        row.decimal(column + 1),
        (Long) percentiles.get(0),
        (Long) percentiles.get(1),
        (Long) percentiles.get(2),
        row.integer(column + 2));
  }

  /**
   * Stages of the ingest, most own time first; {@link Stage#share} is not known yet.
   *
   * @param sources all that have samples
   */
  List<Stage> stages(IngestWindow window, Set<String> sources) throws QueryException {
    if (window.equals(IngestWindow.NONE)) {
      return List.of();
    }
    List<Sums> sums = sums(window);
    Map<String, Long> failed = failed(window);
    Map<String, Beside> beside = beside(window, sources);
    List<long[]> percentiles = percentiles(window, sums.stream().map(Sums::stage).toList());
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < sums.size(); i++) {
      Sums ofStage = sums.get(i);
      Beside besideIt = beside.getOrDefault(ofStage.stage(), Beside.NOTHING);
      stages.add(
          new Stage(
              ofStage.stage(),
              ofStage.count(),
              failed.getOrDefault(ofStage.stage(), 0L),
              ofStage.totalNanos(),
              ofStage.ownNanos(),
              ofStage.ownNanos() - besideIt.ownNanos(),
              null,
              besideIt.count(),
              Math.min(percentiles.get(i)[0], ofStage.maxNanos()),
              Math.min(percentiles.get(i)[1], ofStage.maxNanos()),
              Math.min(percentiles.get(i)[2], ofStage.maxNanos()),
              ofStage.maxNanos()));
    }
    return stages;
  }

  private record Sums(String stage, long count, long totalNanos, long ownNanos, long maxNanos) {
    Sums withMaxNanos(long nanos) {
      return new Sums(stage, count, totalNanos, ownNanos, nanos);
    }
  }

  private List<Sums> sums(IngestWindow window) throws QueryException {
    String sql =
        """
        SELECT stage, sum(n)::BIGINT, sum(total)::BIGINT, sum(own)::BIGINT, max(largest),
          coalesce(max(outside) >= max(largest), false)
        FROM (
          SELECT stage, count(*) AS n, sum(total_nanos) AS total, sum(own_nanos) AS own,
            max(total_nanos) AS largest, NULL::BIGINT AS outside
          FROM samples GROUP BY stage
          UNION ALL
          SELECT stage, -count(*), -sum(total_nanos), -sum(own_nanos), NULL, max(total_nanos)
          FROM %s GROUP BY stage)
        GROUP BY stage HAVING sum(n) > 0 ORDER BY sum(own) DESC, stage"""
            .formatted(outsideOfTheIngest("stage, total_nanos, own_nanos"));
    List<Sums> sums = new ArrayList<>();
    List<String> largestIsOutside = new ArrayList<>();
    try (Rows rows = query.ask(sql, outsideBounds(window).toArray())) {
      while (rows.next()) {
        sums.add(
            new Sums(
                rows.text(0), rows.integer(1), rows.integer(2), rows.integer(3), rows.integer(4)));
        if (rows.flag(5)) {
          largestIsOutside.add(rows.text(0));
        }
      }
    }
    Map<String, Long> largest = largest(window, largestIsOutside);
    sums.replaceAll(of -> of.withMaxNanos(largest.getOrDefault(of.stage(), of.maxNanos())));
    return sums;
  }

  /** Unlike a sum, the largest time of all samples does not tell that of the ingest's. */
  private Map<String, Long> largest(IngestWindow window, List<String> stages)
      throws QueryException {
    Map<String, Long> largest = new HashMap<>();
    if (stages.isEmpty()) {
      return largest;
    }
    String sql =
        "SELECT stage, max(total_nanos) FROM samples WHERE list_contains("
            + literals(stages)
            + ", stage) AND "
            + OF_THE_INGEST
            + " GROUP BY stage";
    try (Rows rows = query.ask(sql, bounds(window))) {
      while (rows.next()) {
        largest.put(rows.text(0), rows.integer(1));
      }
    }
    return largest;
  }

  /** Takes {@link #bounds}. */
  private static final String OF_THE_INGEST =
      "start_nanos >= ? AND start_nanos <= ?"
          + " AND (start_nanos <= ? OR starts_with(stage, 'triples.'))";

  private static Object[] bounds(IngestWindow window) {
    return new Object[] {window.startNanos(), window.drainEndNanos(), window.ingestEndNanos()};
  }

  /**
   * Samples that do not belong to the ingest, as a table of these columns. They are few, and
   * Parquet knows which row groups have none: to count all samples and take these off is a sixth
   * cheaper than to look at the start of each. Takes {@link #outsideBounds}.
   */
  private static String outsideOfTheIngest(String columns) {
    return "(SELECT %1$s FROM samples WHERE start_nanos < ? UNION ALL SELECT %1$s FROM samples"
            .formatted(columns)
        + " WHERE start_nanos > ? AND (start_nanos > ? OR NOT starts_with(stage, 'triples.')))";
  }

  private static List<Object> outsideBounds(IngestWindow window) {
    return List.of(window.startNanos(), window.ingestEndNanos(), window.drainEndNanos());
  }

  private Map<String, Long> failed(IngestWindow window) throws QueryException {
    String sql =
        "SELECT stage, count(*) FROM samples WHERE failed AND " + OF_THE_INGEST + " GROUP BY stage";
    Map<String, Long> failed = new HashMap<>();
    try (Rows rows = query.ask(sql, bounds(window))) {
      while (rows.next()) {
        failed.put(rows.text(0), rows.integer(1));
      }
    }
    return failed;
  }

  /** What a stage did beside the requests: on other threads, or in the drain. */
  private record Beside(long count, long ownNanos) {
    static final Beside NOTHING = new Beside(0, 0);
  }

  /**
   * A request thread is one that ever ran {@code http.request}. That is a handful of threads, where
   * joining each sample with its trace's root would be a join of millions with millions. They are
   * written into the statement as lists, which DuckDB compares with each thread's name once instead
   * of once a sample.
   */
  private Map<String, Beside> beside(IngestWindow window, Set<String> sources)
      throws QueryException {
    StringBuilder onRequestThread = new StringBuilder("(false");
    sourcesByRequestThreads()
        .forEach(
            (threads, ofThese) -> {
              onRequestThread.append(" OR list_contains(" + literals(threads) + ", thread)");
              // Mostly there is one source, and its column is as dear to look at as the threads'.
              if (!ofThese.containsAll(sources)) {
                onRequestThread.append(" AND list_contains(" + literals(ofThese) + ", source)");
              }
            });
    onRequestThread.append(')');
    String sql =
        """
        SELECT stage, sum(n)::BIGINT, sum(own)::BIGINT FROM (
          SELECT stage, count(*) AS n, sum(own_nanos) AS own FROM samples
          WHERE NOT %1$s GROUP BY stage
          UNION ALL
          SELECT stage, -count(*), -sum(own_nanos) FROM %2$s
          WHERE NOT %1$s GROUP BY stage
          UNION ALL
          SELECT stage, count(*), sum(own_nanos) FROM samples
          WHERE start_nanos > ? AND start_nanos <= ? AND starts_with(stage, 'triples.')
            AND %1$s GROUP BY stage)
        GROUP BY stage"""
            .formatted(onRequestThread, outsideOfTheIngest("stage, source, thread, own_nanos"));
    List<Object> parameters = new ArrayList<>(outsideBounds(window));
    parameters.add(window.ingestEndNanos());
    parameters.add(window.drainEndNanos());
    Map<String, Beside> beside = new HashMap<>();
    try (Rows rows = query.ask(sql, parameters.toArray())) {
      while (rows.next()) {
        beside.put(rows.text(0), new Beside(rows.integer(1), rows.integer(2)));
      }
    }
    return beside;
  }

  /** The same set of names of request threads, and the sources that have it. */
  private Map<List<String>, List<String>> sourcesByRequestThreads() throws QueryException {
    Map<String, List<String>> threads = new TreeMap<>();
    try (Rows rows =
        query.ask(
            "SELECT DISTINCT source, thread FROM samples WHERE stage = 'http.request'"
                + " AND source IS NOT NULL AND thread IS NOT NULL ORDER BY ALL")) {
      while (rows.next()) {
        threads.computeIfAbsent(rows.text(0), source -> new ArrayList<>()).add(rows.text(1));
      }
    }
    Map<List<String>, List<String>> sources = new LinkedHashMap<>();
    threads.forEach(
        (source, names) -> sources.computeIfAbsent(names, same -> new ArrayList<>()).add(source));
    return sources;
  }

  /**
   * A list to be written into a statement. With question marks in it DuckDB would go through it for
   * each sample instead of once for each name, which doubles the time of a report.
   */
  private static String literals(List<String> names) {
    return names.stream()
        .map(name -> "'" + name.replace("'", "''").replace("\0", "' || chr(0) || '") + "'")
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /**
   * 50th, 95th and 99th percentile by nearest rank. Samples are counted in buckets of equal ratio,
   * so it costs the same memory however many there are. A percentile is the largest time of the
   * stage, in the ingest or outside of it, in the bucket that the rank falls into: never below the
   * exact one, and above it by less than 0.1 %.
   *
   * @param stages their names; grouping by a name's place in this list is cheaper than by the name
   * @return the three of each stage, in the order of the names
   */
  private List<long[]> percentiles(IngestWindow window, List<String> stages) throws QueryException {
    if (stages.isEmpty()) {
      return List.of();
    }
    String sql =
        """
        WITH counted AS (
          SELECT list_position(%1$s, stage) AS place, %2$s AS bucket, count(*) AS n,
            max(total_nanos) AS largest
          FROM samples GROUP BY ALL
          UNION ALL
          SELECT list_position(%1$s, stage) AS place, %2$s AS bucket, -count(*), NULL
          FROM %3$s GROUP BY ALL),
        buckets AS (
          SELECT place, bucket, sum(n) AS n, max(largest) AS largest
          FROM counted WHERE place > 0 GROUP BY place, bucket HAVING sum(n) > 0),
        ranked AS (
          SELECT place, largest, sum(n) OVER (PARTITION BY place ORDER BY bucket) AS upto,
            sum(n) OVER (PARTITION BY place) AS calls
          FROM buckets)
        SELECT min(largest) FILTER (100 * upto >= 50 * calls),
          min(largest) FILTER (100 * upto >= 95 * calls),
          min(largest) FILTER (100 * upto >= 99 * calls)
        FROM ranked GROUP BY place ORDER BY place"""
            .formatted(literals(stages), BUCKET, outsideOfTheIngest("stage, total_nanos"));
    List<long[]> percentiles = new ArrayList<>();
    try (Rows rows = query.ask(sql, outsideBounds(window).toArray())) {
      while (rows.next()) {
        percentiles.add(new long[] {rows.integer(0), rows.integer(1), rows.integer(2)});
      }
    }
    return percentiles;
  }

  /** Sources of samples with what they recorded and what arrived, over the whole run. */
  List<Source> sources() throws QueryException {
    String sql =
        """
        WITH arrived AS (SELECT source, count(*) AS received FROM samples GROUP BY source),
        counted AS (
          SELECT source, sum("count") AS recorded, max(samples_dropped) AS dropped,
            max(frames_dropped) AS frames_dropped, bool_or("last") AS final_totals
          FROM totals GROUP BY source)
        SELECT source, coalesce(sources.name, ''), coalesce(recorded, 0)::BIGINT,
          coalesce(received, 0)::BIGINT, coalesce(dropped, 0)::BIGINT,
          coalesce(counted.frames_dropped, 0)::BIGINT, coalesce(final_totals, false)
        FROM arrived FULL JOIN counted USING (source) LEFT JOIN sources USING (source)
        ORDER BY source""";
    List<Source> sources = new ArrayList<>();
    try (Rows rows = query.ask(sql)) {
      while (rows.next()) {
        sources.add(
            new Source(
                rows.text(0),
                rows.text(1),
                rows.integer(2),
                rows.integer(3),
                rows.integer(4),
                rows.integer(5),
                rows.flag(6)));
      }
    }
    return sources;
  }
}
