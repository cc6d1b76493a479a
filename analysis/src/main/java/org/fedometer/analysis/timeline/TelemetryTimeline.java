package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.analysis.timeline.RunTimeline.Readings;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.query.SqlText;

/**
 * Computes the displayed telemetry by time. Counters become rates: the increase between two
 * readings over their distance. In a long run a bucket has sixteen slots, which yield the lowest
 * and highest rates. Stateless.
 */
final class TelemetryTimeline {
  static final int MAX_SERIES = 40;

  private static final int MAX_BUCKETS = 600;
  private static final int SLOTS_IN_BUCKET = 16;
  private static final int MAX_NAME_LENGTH = 36;

  /** Readings arrive once a second: a slot of this length has one of them. */
  private static final long MIN_SLOT_NANOS = 500_000_000;

  private static final String GC_TIME = "jvm.gc.time.";
  private static final List<Metric> METRICS = metrics();

  private TelemetryTimeline() {}

  private enum Kind {
    GAUGE,
    COUNTER,
    /** A row per event, with an amount as its value. */
    EVENT
  }

  private record Metric(String id, String title, String unit, Kind kind) {}

  private static List<Metric> metrics() {
    List<Metric> list = new ArrayList<>();
    Map<String, String> processes = new LinkedHashMap<>();
    processes.put("fedora", "Fedora's process");
    processes.put("database", "Database server");
    processes.put("driver", "Driver");
    processes.forEach(
        (id, name) -> counter(list, id + ".process.cpu.time", name + ": processor", "cores"));
    gauge(list, "jvm.system.cpu.utilization", "Machine: share of its processors", "1");
    counter(list, "jvm.cpu.time", "Fedora's JVM: processor", "cores");
    counter(list, "jvm.compilation.time", "Fedora's JVM: compilers", "cores");
    gauge(list, "jvm.system.cpu.load_1m", "Machine: load", "{run_queue_item}");
    gauge(list, "jvm.memory.used.heap", "Heap used", "B");
    gauge(list, "jvm.memory.committed.heap", "Heap committed", "B");
    gauge(list, "jvm.memory.used.non-heap", "Memory of the JVM outside the heap", "B");
    gauge(list, "fedometer.agent.memory.usage", "Fedometer's agent: memory", "B");
    processes.forEach(
        (id, name) -> gauge(list, id + ".process.memory.usage", name + ": resident memory", "B"));
    processes.forEach(
        (id, name) -> counter(list, id + ".process.disk.read", name + ": read from disk", "B/s"));
    counter(
        list, "system.disk.read", "Disks below Fedora's home and its own database: read", "B/s");
    counter(
        list,
        "system.disk.written",
        "Disks below Fedora's home and its own database: written",
        "B/s");
    counter(list, GC_TIME, "Garbage collection", "1");
    gauge(list, "jvm.thread.count", "Threads", "{thread}");
    gauge(list, "jvm.thread.count.blocked", "Threads blocked", "{thread}");
    gauge(list, "jvm.hiccup.max", "Longest hiccup", "s");
    gauge(list, "jvm.code_cache.used", "Compiled code", "B");
    gauge(list, "fedora.home.disk.free", "Free disk of FEDORA_HOME", "B");
    list.add(new Metric("triples.flush.updates", "Triples flushed", "1/s", Kind.EVENT));
    gauge(list, "triples.flush.duration", "Duration of a flush of triples", "s");
    counter(list, "pg_stat_database.xact_commit", "Database: commits", "1/s");
    counter(list, "global_status.Com_commit", "Database: commits", "1/s");
    counter(list, "pg_stat_checkpointer.num_timed", "Database: checkpoints by time", "1/s");
    counter(list, "pg_stat_checkpointer.num_requested", "Database: checkpoints by size", "1/s");
    counter(list, "pg_stat_bgwriter.checkpoints_timed", "Database: checkpoints by time", "1/s");
    counter(list, "pg_stat_bgwriter.checkpoints_req", "Database: checkpoints by size", "1/s");
    counter(list, "pg_stat_wal.wal_bytes", "Database: write-ahead log", "B/s");
    counter(list, "pg_current_wal_lsn.bytes", "Database: write-ahead log", "B/s");
    counter(list, "global_status.Innodb_os_log_written", "Database: redo log", "B/s");
    counter(list, "pg_stat_io.wal_fsyncs", "Database: syncs of the write-ahead log", "1/s");
    counter(list, "pg_stat_wal.wal_sync", "Database: syncs of the write-ahead log", "1/s");
    counter(list, "global_status.Innodb_os_log_fsyncs", "Database: syncs of the redo log", "1/s");
    counter(list, "pg_stat_database.blks_read", "Database: blocks read", "1/s");
    counter(list, "global_status.Innodb_buffer_pool_reads", "Database: blocks read", "1/s");
    return List.copyOf(list);
  }

  private static void counter(List<Metric> list, String id, String title, String unit) {
    list.add(new Metric(id, title, unit, Kind.COUNTER));
  }

  private static void gauge(List<Metric> list, String id, String title, String unit) {
    list.add(new Metric(id, title, unit, Kind.GAUGE));
  }

  private record Key(String metric, String source) {}

  private static final class Columns {
    final Column.Builder t = new Column.Builder();
    final Column.Builder mean = new Column.Builder();
    final Column.Builder low = new Column.Builder();
    final Column.Builder high = new Column.Builder();

    /** The first bucket not yet written; for events only. */
    long next;

    /** Adds zeros: without a recorded event there was none. */
    void nothingUpTo(long bucket, long bucketSeconds) {
      for (; next < bucket; next++) {
        t.add(next * (double) bucketSeconds);
        mean.add(0);
        low.add(0);
        high.add(0);
      }
    }
  }

  static List<Readings> of(Query query, TimelineClock clock, double seconds) throws QueryException {
    long bucketSeconds = BucketLength.of(seconds, MAX_BUCKETS);
    long bucketNanos = bucketSeconds * 1_000_000_000L;
    long slotNanos = Math.max(MIN_SLOT_NANOS, bucketNanos / SLOTS_IN_BUCKET);
    String sql =
        """
        WITH slots AS (
          SELECT source, metric, moment // %1$s AS slot, max(moment) AS moment, arg_max("value", moment) AS last,
            sum("value") AS sum, count(*) AS count, min("value") AS least, max("value") AS most
          FROM (SELECT source, metric, %2$s AS moment, "value" FROM telemetry
            WHERE (metric IN %3$s OR starts_with(metric, '%4$s')) AND isfinite("value"))
          WHERE moment BETWEEN 0 AND %5$s
          GROUP BY source, metric, slot),
        steps AS (
          SELECT *, last - lag(last) OVER by_slot AS step, moment - lag(moment) OVER by_slot AS nanos
          FROM slots WINDOW by_slot AS (PARTITION BY source, metric ORDER BY slot))
        SELECT metric, coalesce(source, ''), moment // %6$s AS bucket, sum(sum), sum(count)::BIGINT,
          min(least), max(most), sum(step) FILTER (step >= 0),
          sum(nanos) FILTER (step >= 0)::BIGINT,
          min(step / nanos) FILTER (step >= 0 AND nanos > 0),
          max(step / nanos) FILTER (step >= 0 AND nanos > 0)
        FROM steps GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
            .formatted(
                slotNanos,
                clock.sinceOrigin("at_nanos"),
                SqlText.list(METRICS.stream().map(Metric::id).toList()),
                GC_TIME,
                (long) (seconds * 1e9),
                bucketNanos);
    Map<Key, Columns> found = new LinkedHashMap<>();
    Set<Key> events = new HashSet<>();
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        Kind kind = metric(rows.text(0)).kind();
        if (kind == Kind.COUNTER && rows.integer(8) <= 0) {
          continue;
        }
        Key key = new Key(rows.text(0), rows.text(1));
        if (kind == Kind.EVENT) {
          events.add(key);
        }
        if (!found.containsKey(key) && found.size() == 4 * MAX_SERIES) {
          break;
        }
        add(found.computeIfAbsent(key, none -> new Columns()), kind, bucketSeconds, rows);
      }
    }
    long last = (long) (seconds / bucketSeconds);
    events.stream()
        .filter(found::containsKey)
        .forEach(key -> found.get(key).nothingUpTo(last + 1, bucketSeconds));
    return chosen(found, names(query));
  }

  private static void add(Columns columns, Kind kind, long bucketSeconds, Rows rows)
      throws QueryException {
    if (kind == Kind.EVENT) {
      columns.nothingUpTo(rows.integer(2), bucketSeconds);
    }
    columns.t.add(rows.integer(2) * (double) bucketSeconds);
    switch (kind) {
      case GAUGE -> {
        columns.mean.add(rows.decimal(3) / rows.integer(4));
        columns.low.add(rows.decimal(5));
        columns.high.add(rows.decimal(6));
      }
      case COUNTER -> {
        columns.mean.add(rows.decimal(7) * 1e9 / rows.integer(8));
        columns.low.add(rows.decimal(9) * 1e9);
        columns.high.add(rows.decimal(10) * 1e9);
      }
      case EVENT -> {
        double rate = rows.decimal(3) / bucketSeconds;
        columns.mean.add(rate);
        columns.low.add(rate);
        columns.high.add(rate);
        columns.next++;
      }
    }
  }

  private static Map<String, String> names(Query query) throws QueryException {
    Map<String, String> names = new HashMap<>();
    try (Rows rows =
        query.execute(
            "SELECT source, coalesce(name, '') FROM sources WHERE source IS NOT NULL ORDER BY 1"
                + " LIMIT 1000")) {
      while (rows.next()) {
        names.put(rows.text(0), rows.text(1));
      }
    }
    return names;
  }

  /** Returns the readings to show. Titles distinguish sources of the same metric. */
  private static List<Readings> chosen(Map<Key, Columns> found, Map<String, String> names) {
    Map<String, Long> sources = new HashMap<>();
    found.keySet().forEach(key -> sources.merge(key.metric(), 1L, Long::sum));
    List<Key> order = new ArrayList<>(found.keySet());
    order.sort(
        Comparator.comparingInt((Key key) -> METRICS.indexOf(metric(key.metric())))
            .thenComparing(Key::metric));
    List<Readings> list = new ArrayList<>();
    for (Key key : order) {
      Metric metric = metric(key.metric());
      String title = metric.title();
      if (metric.id().equals(GC_TIME)) {
        title += ", " + cut(key.metric().substring(GC_TIME.length()));
      }
      if (sources.get(key.metric()) > 1) {
        String name = names.getOrDefault(key.source(), "");
        title += " (%s %s)".formatted(cut(name), cut(key.source())).replace("( ", "(");
      }
      if (list.size() < MAX_SERIES) {
        Columns columns = found.get(key);
        list.add(
            new Readings(
                key.metric(),
                title,
                metric.unit(),
                columns.t.build(),
                columns.mean.build(),
                columns.low.build(),
                columns.high.build()));
      }
    }
    return list;
  }

  private static String cut(String text) {
    return Shortened.beginning(text, MAX_NAME_LENGTH);
  }

  private static Metric metric(String id) {
    return METRICS.stream()
        .filter(
            metric ->
                metric.id().equals(id) || metric.id().equals(GC_TIME) && id.startsWith(GC_TIME))
        .findFirst()
        .orElseThrow();
  }
}
