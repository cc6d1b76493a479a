package org.fedometer.analysis.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.query.SqlText;
import org.fedometer.store.rollup.FileSums;

/**
 * Computes a report's data on samples. A run may have hundreds of millions, so most are never read:
 * sealed files contain sums of their samples, which suffice if all belong to the ingest. Only
 * samples of other files are queried: those in which the ingest starts or ends, and those without
 * sums ({@code docs/decisions/0015-report-figures.md}). One use, one thread.
 */
public final class SampleTables {

  /**
   * A total time rounded to 11 binary digits; with whether that is more, it identifies the bucket
   * of a histogram of three decimal digits. Multiplying by 2^42 + 1 and subtracting the addend
   * leaves 53 - 42 digits of a double (T. J. Dekker, "A floating-point technique for extending the
   * available precision", Numerische Mathematik 18, 1971), at a third of the cost of a logarithm.
   */
  private static final String BUCKET =
      "duration_nanos::DOUBLE * 4398046511105"
          + " - (duration_nanos::DOUBLE * 4398046511105 - duration_nanos::DOUBLE)";

  private static final int SUM_FIELDS = 4;
  private static final int COUNT = 0;
  private static final int FAILED = 1;
  private static final int TOTAL_NANOS = 2;
  private static final int SELF_NANOS = 3;

  /** Parameters: start of the ingest, end of the drain, end of the ingest. */
  private static final String IN_INGEST =
      "start_nanos >= ? AND start_nanos <= ?"
          + " AND (start_nanos <= ? OR starts_with(stage, 'triples.'))";

  private final Query query;
  private final IngestWindow window;
  private final Set<String> files = new HashSet<>();

  private final List<String> filesWithoutSums = new ArrayList<>();

  /** Files with only some samples of the ingest, as far as known. */
  private final List<String> filesToRead = new ArrayList<>();

  private final Map<String, Long> received = new TreeMap<>();

  /** Threads that ever ran {@code http.request}, by source. */
  private final Map<String, Set<String>> requestThreads = new TreeMap<>();

  /** Sums of the files whose samples all belong to the ingest. */
  private final Map<ThreadStage, long[]> sums = new HashMap<>();

  private final Map<String, OneStage> stages = new HashMap<>();

  private record ThreadStage(String source, String thread, String stage) {}

  public SampleTables(Query query, IngestWindow window) throws QueryException {
    this.query = query;
    this.window = window;
    try (Rows rows = listing()) {
      while (rows.next()) {
        addFile(rows.text(0), sums(rows.text(1)));
      }
    }
    filesToRead.addAll(filesWithoutSums);
    if (!filesWithoutSums.isEmpty()) {
      countSamples(filesWithoutSums);
    }
  }

  private Rows listing() throws QueryException {
    return query.execute("SELECT file, sums FROM sample_files ORDER BY file");
  }

  /** Returns null for unreadable sums, since the samples exist. */
  private static FileSums sums(String text) {
    try {
      return text == null ? null : FileSums.parse(text);
    } catch (IOException e) {
      return null;
    }
  }

  /** Adds a file's sums without keeping them, since there may be thousands of files. */
  private void addFile(String file, FileSums fileSums) {
    files.add(file);
    if (fileSums == null) {
      filesWithoutSums.add(file);
      return;
    }
    boolean inside = isInside(fileSums);
    fileSums.forEachSum(
        (source, thread, stage, count, failed, totalNanos, selfNanos) -> {
          received.merge(source, count, Long::sum);
          if (stage.equals(ReportBuilder.HTTP_REQUEST)) {
            addRequestThread(source, thread);
          }
          if (inside) {
            long[] sum =
                sums.computeIfAbsent(
                    new ThreadStage(source, thread, stage), name -> new long[SUM_FIELDS]);
            sum[COUNT] += count;
            sum[FAILED] += failed;
            sum[TOTAL_NANOS] += totalNanos;
            sum[SELF_NANOS] += selfNanos;
          }
        });
    if (inside) {
      fileSums.forEachStage(
          (name, maxNanos, histogram) -> {
            OneStage of = stage(name);
            of.maxNanos = Math.max(of.maxNanos, maxNanos);
            of.times.add(histogram);
          });
    } else if (!isOutside(fileSums)) {
      filesToRead.add(file);
    }
  }

  private boolean isInside(FileSums fileSums) {
    return fileSums.minStartNanos() >= window.startNanos()
        && fileSums.maxStartNanos() <= window.ingestEndNanos();
  }

  private boolean isOutside(FileSums fileSums) {
    return fileSums.maxStartNanos() < window.startNanos()
        || fileSums.minStartNanos() > window.drainEndNanos();
  }

  private OneStage stage(String name) {
    return stages.computeIfAbsent(name, OneStage::new);
  }

  private void addRequestThread(String source, String thread) {
    requestThreads.computeIfAbsent(source, name -> new TreeSet<>()).add(thread);
  }

  private void countSamples(List<String> fileNames) throws QueryException {
    try (Rows rows =
        query.execute(
            "SELECT source, count(*) FROM samples_by_file WHERE "
                + in(fileNames)
                + " AND source IS NOT NULL GROUP BY source")) {
      while (rows.next()) {
        received.merge(rows.text(0), rows.integer(1), Long::sum);
      }
    }
    try (Rows rows =
        query.execute(
            "SELECT DISTINCT source, thread FROM samples_by_file WHERE "
                + in(fileNames)
                + " AND stage = '"
                + ReportBuilder.HTTP_REQUEST
                + "' AND source IS NOT NULL AND thread IS NOT NULL")) {
      while (rows.next()) {
        addRequestThread(rows.text(0), rows.text(1));
      }
    }
  }

  /** Returns the number of arrived samples per source, over the whole run. */
  Map<String, Long> received() {
    return received;
  }

  /**
   * Returns whether the run still has all initial files. If not, they were merged meanwhile, and
   * some samples may have been missed.
   */
  public boolean hasAllFiles() throws QueryException {
    List<String> now = new ArrayList<>();
    try (Rows rows = query.execute("SELECT file FROM sample_files")) {
      while (rows.next()) {
        now.add(rows.text(0));
      }
    }
    return now.containsAll(files);
  }

  /**
   * Returns stages of the ingest, most self time first; {@link Stage#share} is not known yet. Call
   * once.
   */
  public List<Stage> stages() throws QueryException {
    sums.forEach(
        (of, sum) ->
            stage(of.stage())
                .add(
                    requestThreads.getOrDefault(of.source(), Set.of()).contains(of.thread()),
                    sum[COUNT],
                    sum[FAILED],
                    sum[TOTAL_NANOS],
                    sum[SELF_NANOS]));
    if (!filesToRead.isEmpty() && !window.equals(IngestWindow.NONE)) {
      Object[] bounds = {window.startNanos(), window.drainEndNanos(), window.ingestEndNanos()};
      addSums(bounds);
      addTimes(bounds);
    }
    return stages.values().stream()
        .map(OneStage::stage)
        .sorted(Comparator.comparingLong(Stage::selfNanos).reversed().thenComparing(Stage::name))
        .toList();
  }

  private void addSums(Object[] bounds) throws QueryException {
    String sql =
        """
        SELECT stage, start_nanos <= %s AND %s AS request, count(*), count(*) FILTER (failed),
          sum(duration_nanos)::BIGINT, sum(self_nanos)::BIGINT, max(duration_nanos)
        FROM samples_by_file WHERE %s AND %s GROUP BY ALL"""
            .formatted(window.ingestEndNanos(), onRequestThread(), in(filesToRead), IN_INGEST);
    try (Rows rows = query.execute(sql, bounds)) {
      while (rows.next()) {
        OneStage of = stage(rows.text(0));
        of.add(rows.flag(1), rows.integer(2), rows.integer(3), rows.integer(4), rows.integer(5));
        of.maxNanos = Math.max(of.maxNanos, rows.integer(6));
      }
    }
  }

  /**
   * Returns a condition on rows of samples, by the columns {@code source} and {@code thread}:
   * whether their thread ever ran a request.
   *
   * <p>There are few request threads, whereas joining each sample with its trace's root would join
   * millions with millions. The statement contains them as lists, which DuckDB compares once per
   * thread name instead of once per sample.
   */
  public String onRequestThread() {
    Map<Set<String>, List<String>> sourcesByThreads = new LinkedHashMap<>();
    requestThreads.forEach(
        (source, threads) ->
            sourcesByThreads.computeIfAbsent(threads, same -> new ArrayList<>()).add(source));
    return sourcesByThreads.entrySet().stream()
        .map(
            entry ->
                "(list_contains(%s, thread) AND list_contains(%s, source))"
                    .formatted(literals(entry.getKey()), literals(entry.getValue())))
        .collect(
            Collectors.joining(
                " OR ", "coalesce(", sourcesByThreads.isEmpty() ? "false, false)" : ", false)"));
  }

  /** Counts samples in buckets of equal ratio, which yields few rows for any number. */
  private void addTimes(Object[] bounds) throws QueryException {
    String sql =
        """
        SELECT stage, max(duration_nanos), count(*)
        FROM samples_by_file WHERE %1$s AND %2$s GROUP BY stage, %3$s, %3$s > duration_nanos"""
            .formatted(in(filesToRead), IN_INGEST, BUCKET);
    try (Rows rows = query.execute(sql, bounds)) {
      while (rows.next()) {
        long nanos = Math.max(0, Math.min(rows.integer(1), Long.MAX_VALUE / 4));
        stage(rows.text(0)).times.recordValueWithCount(nanos, rows.integer(2));
      }
    }
  }

  private static String in(List<String> fileNames) {
    return "list_contains(" + literals(fileNames) + ", file)";
  }

  /**
   * Returns a list of literals. With parameters instead, DuckDB would search the list per sample
   * instead of per name, which doubles the time of a report.
   */
  private static String literals(Iterable<String> names) {
    List<String> list = new ArrayList<>();
    names.forEach(name -> list.add(SqlText.literal(name)));
    return "[" + String.join(", ", list) + "]";
  }

  private static final class OneStage {
    private final String name;
    private final Histogram times = new Histogram(FileSums.SIGNIFICANT_DIGITS);
    private long count;
    private long failed;
    private long totalNanos;
    private long selfNanos;
    private long outsideCount;
    private long outsideSelfNanos;
    private long maxNanos;

    OneStage(String name) {
      this.name = name;
      times.setAutoResize(true);
    }

    /**
     * @param ofRequest whether it ran on a request's thread during the ingest; otherwise it is
     *     outside the requests: on other threads, or in the drain
     */
    void add(
        boolean ofRequest,
        long moreCount,
        long moreFailed,
        long moreTotalNanos,
        long moreSelfNanos) {
      count += moreCount;
      failed += moreFailed;
      totalNanos += moreTotalNanos;
      selfNanos += moreSelfNanos;
      if (!ofRequest) {
        outsideCount += moreCount;
        outsideSelfNanos += moreSelfNanos;
      }
    }

    Stage stage() {
      return new Stage(
          name,
          count,
          failed,
          totalNanos,
          selfNanos,
          selfNanos - outsideSelfNanos,
          null,
          outsideCount,
          percentile(50),
          percentile(95),
          percentile(99),
          maxNanos);
    }

    /**
     * Returns a percentile by nearest rank: never below the exact one, and less than 0.1 % above
     * it.
     */
    private long percentile(double percent) {
      return Math.min(times.getValueAtPercentile(percent), maxNanos);
    }
  }
}
