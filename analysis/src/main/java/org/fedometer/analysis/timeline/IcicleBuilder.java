package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fedometer.analysis.timeline.RunTimeline.Icicle;
import org.fedometer.analysis.timeline.RunTimeline.Part;
import org.fedometer.analysis.trace.ObjectTrace.Span;
import org.fedometer.analysis.trace.Waterfall;
import org.fedometer.analysis.trace.Waterfall.Sample;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.query.SqlText;

/**
 * Computes the composition of an ingest: the nested stages of some hundred ingests. They are taken
 * from short windows spread evenly over the ingest, so that few samples of a long run are read. One
 * use, one thread.
 */
final class IcicleBuilder {
  static final int MAX_TRACES = 1_000;

  private static final int WINDOWS = 40;
  private static final int MAX_DEPTH = 40;

  /** Share of an ingest below which a part is invisible. */
  private static final double MIN_SHARE = 0.0005;

  /** Up to this number, all samples may be read. */
  private static final long FEW_SAMPLES = 3_000_000;

  /** Limit of samples loaded into Java; if ingests have very many, fewer ingests are read. */
  private static final int MAX_SAMPLES = 400_000;

  /** Longer requests are omitted, to limit a window of samples. */
  private static final long MAX_REQUEST_NANOS = 120_000_000_000L;

  private final Query query;
  private final TimelineClock clock;
  private final long endNanos;
  private final Sums root = new Sums();
  private int traces;

  /** Sums over all traces of one node of the tree. */
  private static final class Sums {
    long total;
    long self;
    long calls;
    final Map<String, Sums> children = new LinkedHashMap<>();

    void add(Span span, int depth) {
      total += span.durationNanos();
      self += span.selfNanos();
      calls += span.calls();
      if (depth < MAX_DEPTH) {
        for (Span child : span.children()) {
          children.computeIfAbsent(child.stage(), name -> new Sums()).add(child, depth + 1);
        }
      }
    }
  }

  private IcicleBuilder(Query query, TimelineClock clock, long endNanos) {
    this.query = query;
    this.clock = clock;
    this.endNanos = endNanos;
  }

  /**
   * @param sources sources of samples
   * @param seconds from the origin to the end of the ingest
   * @return null without traced ingests
   */
  static Icicle of(
      Query query, TimelineClock clock, List<String> sources, long samples, double seconds)
      throws QueryException {
    return new IcicleBuilder(query, clock, (long) (seconds * 1e9)).read(sources, samples);
  }

  private Icicle read(List<String> sources, long samples) throws QueryException {
    long ingests;
    long unknown;
    try (Rows row =
        query.execute(
            "SELECT count(*) FILTER (operation = 'ingest'),"
                + " count(*) FILTER (coalesce(operation, '') = '') FROM traces"
                + " WHERE root_stage = 'http.request'")) {
      row.next();
      ingests = row.integer(0);
      unknown = row.integer(1);
    }
    // Foreign agents may omit the operation of a request.
    String ofIngest = ingests > 0 ? "operation = 'ingest'" : "coalesce(operation, '') = ''";
    long of = ingests > 0 ? ingests : unknown;
    if (of == 0 || sources.isEmpty() || endNanos <= 0) {
      return null;
    }
    if (samples <= FEW_SAMPLES) {
      readFew(ofIngest);
    } else {
      readWindows(windows(sources, of), ofIngest);
    }
    if (traces == 0) {
      return null;
    }
    Map.Entry<String, Sums> main =
        root.children.entrySet().stream()
            .max(Comparator.comparingLong(entry -> entry.getValue().total))
            .orElseThrow();
    return new Icicle(traces, of, part(main.getKey(), main.getValue(), main.getValue().total));
  }

  /** Reads every n-th ingest in one statement. */
  private void readFew(String ofIngest) throws QueryException {
    String sql =
        """
        WITH roots AS (
          SELECT source, trace, thread, start_nanos, TRY(start_nanos + duration_nanos) AS end_nanos
          FROM samples
          WHERE stage = 'http.request' AND trace <> 0 AND duration_nanos >= 0
            AND %1$s BETWEEN 0 AND %2$s),
        numbered AS (
          SELECT *, row_number() OVER (ORDER BY start_nanos, source, trace) - 1 AS n, count(*) OVER () AS all_of
          FROM roots SEMI JOIN (
            SELECT source, trace FROM traces WHERE %3$s AND NOT coalesce(failed, false)) ingests
            USING (source, trace)),
        chosen AS (
          FROM numbered WHERE all_of <= %4$s OR (n + 1) * %4$s // all_of > n * %4$s // all_of)
        SELECT s.source, s.trace, coalesce(s.stage, ''), s.start_nanos, s.duration_nanos, s.self_nanos,
          coalesce(s.failed, false)
        FROM samples s JOIN chosen c
          ON s.source = c.source AND s.trace = c.trace AND s.thread = c.thread
        WHERE s.start_nanos BETWEEN c.start_nanos AND c.end_nanos
        ORDER BY s.source, s.trace, s.start_nanos LIMIT %5$s"""
            .formatted(
                clock.sinceOrigin("start_nanos"), endNanos, ofIngest, MAX_TRACES, MAX_SAMPLES);
    List<Sample> samples = new ArrayList<>();
    String source = "";
    long trace = 0;
    int read = 0;
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        read++;
        if (rows.integer(1) != trace || !source.equals(rows.text(0))) {
          addTrace(samples);
          samples.clear();
          source = rows.text(0);
          trace = rows.integer(1);
        }
        samples.add(sample(rows));
      }
    }
    if (read < MAX_SAMPLES) {
      addTrace(samples);
    }
  }

  private static Sample sample(Rows rows) throws QueryException {
    return new Sample(
        rows.text(2), "", rows.integer(3), rows.integer(4), rows.integer(5), rows.flag(6));
  }

  /**
   * A time window by the clock of some sources; null for all.
   *
   * @param roots the first requests in it
   */
  private record Window(long fromNanos, long toNanos, List<String> sources, List<Root> roots) {}

  private record Trace(String source, long number) implements Comparable<Trace> {
    @Override
    public int compareTo(Trace other) {
      int bySource = source.compareTo(other.source);
      return bySource != 0 ? bySource : Long.compare(number, other.number);
    }
  }

  private record Root(Trace trace, String thread, long startNanos, long endNanos) {}

  private List<Window> windows(List<String> sources, long of) {
    // Sources of one clock, mostly all of them, are queried together.
    Map<Long, List<String>> byShift = new TreeMap<>();
    for (String source : sources) {
      byShift.computeIfAbsent(clock.shiftNanos(source), shift -> new ArrayList<>()).add(source);
    }
    List<Map.Entry<Long, List<String>>> clocks = new ArrayList<>(byShift.entrySet());
    long step = Math.max(1, endNanos / WINDOWS);
    // Twice the mean time for that number; windows without requests yield nothing.
    long length =
        (long) Math.min(step, 2.0 * MAX_TRACES / WINDOWS * endNanos / of + 1_000_000_000.0);
    List<Window> windows = new ArrayList<>();
    for (int i = 0; i < WINDOWS; i++) {
      Map.Entry<Long, List<String>> ofClock = clocks.get(i % clocks.size());
      long from = i * step + clock.originNanos() - ofClock.getKey();
      windows.add(
          new Window(
              from,
              from + length,
              clocks.size() == 1 ? null : ofClock.getValue(),
              new ArrayList<>()));
    }
    return windows;
  }

  /**
   * Reads windows in three statements with one SELECT per window: only then the database skips the
   * gaps.
   */
  private void readWindows(List<Window> windows, String ofIngest) throws QueryException {
    readRoots(windows);
    List<Window> filled = windows.stream().filter(window -> !window.roots().isEmpty()).toList();
    if (filled.isEmpty()) {
      return;
    }
    Set<Trace> ingests = ingests(filled, ofIngest);
    Map<Trace, Root> chosen = new HashMap<>();
    List<String> selects = new ArrayList<>();
    for (Window window : filled) {
      List<Root> roots =
          window.roots().stream()
              .filter(root -> ingests.contains(root.trace()))
              .limit(MAX_TRACES / WINDOWS)
              .toList();
      if (!roots.isEmpty()) {
        roots.forEach(root -> chosen.put(root.trace(), root));
        selects.add(samplesOf(roots, selects.size()));
      }
    }
    if (selects.isEmpty()) {
      return;
    }
    Map<Trace, List<Sample>> samples = new LinkedHashMap<>();
    int[] read = new int[selects.size()];
    Trace[] last = new Trace[selects.size()];
    try (Rows rows = query.execute(String.join(" UNION ALL ", selects))) {
      while (rows.next()) {
        Trace trace = new Trace(rows.text(0), rows.integer(1));
        int window = (int) rows.integer(8);
        read[window]++;
        if (last[window] == null || trace.compareTo(last[window]) > 0) {
          last[window] = trace;
        }
        Root of = chosen.get(trace);
        if (of != null
            && of.thread().equals(rows.text(7))
            && rows.integer(3) >= of.startNanos()
            && rows.integer(3) <= of.endNanos()) {
          samples.computeIfAbsent(trace, none -> new ArrayList<>()).add(sample(rows));
        }
      }
    }
    for (int i = 0; i < read.length; i++) {
      if (read[i] >= MAX_SAMPLES / WINDOWS) {
        // It may be incomplete; missing stages would look like self time of the request.
        samples.remove(last[i]);
      }
    }
    samples.values().forEach(this::addTrace);
  }

  private void readRoots(List<Window> windows) throws QueryException {
    List<String> selects = new ArrayList<>();
    for (int i = 0; i < windows.size(); i++) {
      Window window = windows.get(i);
      selects.add(
          """
          (SELECT %s AS number, source, trace, coalesce(thread, ''), start_nanos,
            start_nanos + duration_nanos FROM samples
          WHERE stage = 'http.request' AND start_nanos >= %s AND start_nanos < %s AND trace <> 0
            AND duration_nanos BETWEEN 0 AND %s AND source IS NOT NULL%s
          ORDER BY start_nanos, source, trace LIMIT %s)"""
              .formatted(
                  i,
                  window.fromNanos(),
                  window.toNanos(),
                  MAX_REQUEST_NANOS,
                  window.sources() == null
                      ? ""
                      : " AND source IN " + SqlText.list(window.sources()),
                  2 * MAX_TRACES / WINDOWS));
    }
    try (Rows rows = query.execute(String.join(" UNION ALL ", selects))) {
      while (rows.next()) {
        windows
            .get((int) rows.integer(0))
            .roots()
            .add(
                new Root(
                    new Trace(rows.text(1), rows.integer(2)),
                    rows.text(3),
                    rows.integer(4),
                    rows.integer(5)));
      }
    }
  }

  private Set<Trace> ingests(List<Window> windows, String ofIngest) throws QueryException {
    List<String> selects = new ArrayList<>();
    for (Window window : windows) {
      selects.add(
          """
          SELECT source, trace FROM traces WHERE %s AND NOT coalesce(failed, false)
            AND trace BETWEEN %s AND %s AND trace IN (%s)"""
              .formatted(
                  ofIngest,
                  window.roots().stream().mapToLong(root -> root.trace().number()).min().orElse(0),
                  window.roots().stream().mapToLong(root -> root.trace().number()).max().orElse(0),
                  numbers(window.roots())));
    }
    Set<Trace> ingests = new HashSet<>();
    try (Rows rows = query.execute(String.join(" UNION ALL ", selects))) {
      while (rows.next()) {
        ingests.add(new Trace(rows.text(0), rows.integer(1)));
      }
    }
    return ingests;
  }

  private static String samplesOf(List<Root> roots, int window) {
    return """
        (SELECT source, trace, coalesce(stage, ''), start_nanos, duration_nanos, self_nanos,
          coalesce(failed, false), coalesce(thread, ''), %s
        FROM samples WHERE start_nanos BETWEEN %s AND %s AND trace IN (%s)
        ORDER BY source, trace, start_nanos LIMIT %s)"""
        .formatted(
            window,
            roots.stream().mapToLong(Root::startNanos).min().orElse(0),
            roots.stream().mapToLong(Root::endNanos).max().orElse(0),
            numbers(roots),
            MAX_SAMPLES / WINDOWS);
  }

  private static String numbers(List<Root> roots) {
    return roots.stream()
        .map(root -> Long.toString(root.trace().number()))
        .collect(Collectors.joining(", "));
  }

  private void addTrace(List<Sample> samplesOfTrace) {
    if (samplesOfTrace.isEmpty()) {
      return;
    }
    List<Span> trees = Waterfall.trees(samplesOfTrace);
    if (trees.size() == 1) {
      Span tree = trees.get(0);
      root.children.computeIfAbsent(tree.stage(), name -> new Sums()).add(tree, 0);
      traces++;
    }
  }

  private Part part(String name, Sums sums, long all) {
    List<Part> children = new ArrayList<>();
    sums.children.forEach(
        (child, of) -> {
          if (of.total >= all * MIN_SHARE) {
            children.add(part(child, of, all));
          }
        });
    children.sort(Comparator.comparingDouble(Part::millis).reversed());
    return new Part(
        name,
        sums.total / 1e6 / traces,
        sums.self / 1e6 / traces,
        (double) sums.calls / traces,
        children);
  }
}
