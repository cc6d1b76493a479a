package org.fedometer.analysis.course;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fedometer.analysis.ObjectTrace.Span;
import org.fedometer.analysis.Waterfall;
import org.fedometer.analysis.Waterfall.Sample;
import org.fedometer.analysis.course.RunCourse.Icicle;
import org.fedometer.analysis.course.RunCourse.Part;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/**
 * What an ingest is made of: the stages of some hundred ingests, each inside the one that its time
 * lies in. They are taken from short windows spread evenly over the ingest, so that of a long run
 * few samples are read. Fails by itself only; one use, one thread.
 */
final class IcicleCourse {
  static final int MOST_TRACES = 1_000;

  private static final int WINDOWS = 40;
  private static final int MOST_DEPTH = 40;

  /** A part below this share of an ingest cannot be seen. */
  private static final double LEAST_SHARE = 0.0005;

  /** A trace of so many samples is no ingest; a window of so many is read no further. */
  private static final int MOST_SAMPLES = 60_000;

  /** Longer requests are left out, lest a window of samples be very long. */
  private static final long LONGEST_NANOS = 120_000_000_000L;

  private final Query query;
  private final CourseClock clock;
  private final long endNanos;
  private final Sums root = new Sums();
  private int traces;

  /** Sums over all traces of one place in the tree. */
  private static final class Sums {
    long total;
    long own;
    long calls;
    final Map<String, Sums> children = new LinkedHashMap<>();

    void add(Span span, int depth) {
      total += span.totalNanos();
      own += span.ownNanos();
      calls += span.calls();
      if (depth < MOST_DEPTH) {
        for (Span child : span.children()) {
          children.computeIfAbsent(child.stage(), name -> new Sums()).add(child, depth + 1);
        }
      }
    }
  }

  /**
   * @param endNanos the end of the ingest since the origin
   */
  private IcicleCourse(Query query, CourseClock clock, long endNanos) {
    this.query = query;
    this.clock = clock;
    this.endNanos = endNanos;
  }

  /**
   * @param sources that sent samples
   * @param seconds from the origin to the end of the ingest
   * @return null where no ingest was traced
   */
  static Icicle of(Query query, CourseClock clock, List<String> sources, double seconds)
      throws QueryException {
    return new IcicleCourse(query, clock, (long) (seconds * 1e9)).read(sources);
  }

  private Icicle read(List<String> sources) throws QueryException {
    long of;
    try (Rows row =
        query.ask("SELECT count(*) FROM traces WHERE coalesce(operation, '') IN ('ingest', '')")) {
      row.next();
      of = row.integer(0);
    }
    if (of == 0 || sources.isEmpty() || endNanos <= 0) {
      return null;
    }
    // Sources of one clock are asked for together; mostly that is all of them.
    Map<Long, List<String>> byShift =
        sources.stream()
            .collect(Collectors.groupingBy(clock::shiftNanos, TreeMap::new, Collectors.toList()));
    List<Map.Entry<Long, List<String>>> clocks = new ArrayList<>(byShift.entrySet());
    int windows = of <= MOST_TRACES ? clocks.size() : WINDOWS;
    int most = of <= MOST_TRACES ? MOST_TRACES : MOST_TRACES / WINDOWS;
    long step = of <= MOST_TRACES ? endNanos + 1 : Math.max(1, endNanos / windows);
    // Twice as long as it takes for so many, and where requests stood still nothing is found.
    long length = (long) Math.min(step, 2.0 * most * endNanos / of + 1_000_000_000.0);
    for (int i = 0; i < windows; i++) {
      Map.Entry<Long, List<String>> sourcesOfClock = clocks.get(i % clocks.size());
      long begin = of <= MOST_TRACES ? 0 : i * step;
      window(
          begin + clock.originNanos() - sourcesOfClock.getKey(),
          length,
          clocks.size() == 1 ? null : sourcesOfClock.getValue(),
          most);
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

  /** By the clock of the sources; null for all. */
  private void window(long fromNanos, long lengthNanos, List<String> sources, int most)
      throws QueryException {
    String sql =
        """
        SELECT s.source, s.trace, coalesce(s.stage, ''), s.start_nanos, s.total_nanos, s.own_nanos,
          coalesce(s.failed, false)
        FROM samples s JOIN (
          FROM (SELECT source, trace, thread, start_nanos, start_nanos + total_nanos AS end_nanos
            FROM samples
            WHERE stage = 'http.request' AND start_nanos >= %1$d AND start_nanos < %2$d
              AND trace <> 0 AND total_nanos BETWEEN 0 AND %3$d%4$s) roots
          SEMI JOIN (SELECT source, trace FROM traces
            WHERE coalesce(operation, '') IN ('ingest', '') AND NOT coalesce(failed, false)) t
            USING (source, trace)
          ORDER BY start_nanos LIMIT %5$d) r
          ON s.source = r.source AND s.trace = r.trace AND s.thread = r.thread
        WHERE s.start_nanos >= %1$d AND s.start_nanos < %2$d + %3$d
          AND s.start_nanos BETWEEN r.start_nanos AND r.end_nanos
        ORDER BY s.source, s.trace, s.start_nanos LIMIT %6$d"""
            .formatted(
                fromNanos,
                fromNanos + lengthNanos,
                LONGEST_NANOS,
                sources == null ? "" : " AND source IN " + SqlText.list(sources),
                most,
                MOST_SAMPLES);
    List<Sample> samples = new ArrayList<>();
    String source = "";
    long trace = 0;
    int read = 0;
    try (Rows rows = query.ask(sql)) {
      while (rows.next()) {
        read++;
        if (rows.integer(1) != trace || !source.equals(rows.text(0))) {
          take(samples);
          samples.clear();
          source = rows.text(0);
          trace = rows.integer(1);
        }
        samples.add(
            new Sample(
                rows.text(2), "", rows.integer(3), rows.integer(4), rows.integer(5), rows.flag(6)));
      }
    }
    if (read < MOST_SAMPLES) {
      take(samples);
    }
  }

  private void take(List<Sample> samplesOfTrace) {
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
          if (of.total >= all * LEAST_SHARE) {
            children.add(part(child, of, all));
          }
        });
    children.sort(Comparator.comparingDouble(Part::millis).reversed());
    return new Part(
        name,
        sums.total / 1e6 / traces,
        sums.own / 1e6 / traces,
        (double) sums.calls / traces,
        children);
  }
}
