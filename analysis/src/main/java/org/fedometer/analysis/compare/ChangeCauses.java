package org.fedometer.analysis.compare;

import static org.fedometer.analysis.NumberFormats.share;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.store.RunDocument;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/**
 * Lists recorded events within a few intervals of a change of a run's pace. A simultaneous event is
 * not proof of a cause; the absence of events is reported, too. One run, one thread.
 */
public final class ChangeCauses {

  /** Intervals to examine on each side, since a change is known to an interval of requests. */
  private static final int INTERVALS_AROUND = 3;

  /** Resolution of change points; telemetry arrives once a second. */
  private static final long MIN_AROUND_NANOS = 2_000_000_000L;

  /** The database's counters are read every five seconds. */
  private static final long COUNTERS_AROUND_NANOS = 10_000_000_000L;

  /** Factor to the usual share that makes a share unusual, from {@link #MIN_SHARE} on. */
  private static final double UNUSUAL = 2;

  private static final double MIN_SHARE = 0.05;

  /** Limit of durations that are searched for. */
  private static final long MAX_NANOS = 600_000_000_000L;

  /** A shorter ingest has few samples, and its ends would be too large a part of its rollups. */
  private static final int MIN_ROLLUPS = 30;

  private static final Map<String, String> COUNTERS = counters();

  private final Query query;
  private final RunDocument run;
  private final IngestWindow window;
  private final long objects;
  private final double usualGc;
  private final double usualFlush;

  /**
   * @param window from the first request to the last response
   * @param objects ingested in the window, at least 1
   */
  public ChangeCauses(Query query, RunDocument run, IngestWindow window, long objects)
      throws QueryException {
    this.query = query;
    this.run = run;
    this.window = window;
    this.objects = objects;
    this.usualGc = gcShare(window.startNanos(), window.ingestEndNanos());
    this.usualFlush = usualFlushShare();
  }

  private long nanos() {
    return window.ingestEndNanos() - window.startNanos();
  }

  private static Map<String, String> counters() {
    Map<String, String> counters = new LinkedHashMap<>();
    String checkpoint = "a checkpoint of the database";
    counters.put("pg_stat_checkpointer.num_timed", checkpoint);
    counters.put("pg_stat_checkpointer.num_requested", checkpoint);
    counters.put("pg_stat_bgwriter.checkpoints_timed", checkpoint);
    counters.put("pg_stat_bgwriter.checkpoints_req", checkpoint);
    counters.put("pg_stat_user_tables.autovacuum_count", "autovacuum of the database");
    counters.put("pg_stat_user_tables.autoanalyze_count", "autoanalyze of the database");
    return counters;
  }

  /**
   * @param atNanos nanoTime of the change
   * @param exactRequests as {@code SteadyState.Change.exactRequests}
   * @return short descriptions; empty if nothing is recorded
   */
  public List<String> at(long atNanos, int exactRequests) throws QueryException {
    long interval = (long) ((double) nanos() / objects * exactRequests);
    long aroundNanos = Math.max(MIN_AROUND_NANOS, INTERVALS_AROUND * interval);
    long from = atNanos - aroundNanos;
    long to = atNanos + aroundNanos;
    List<String> causes = new ArrayList<>();
    addDocumented(causes, from, to, aroundNanos);
    double gc = gcShare(from, to);
    if (gc >= MIN_SHARE && gc >= UNUSUAL * usualGc) {
      causes.add(
          "garbage collection (%s of the time, %s over the run)"
              .formatted(share(gc), share(usualGc)));
    }
    double flush = flushShare(from, to);
    if (flush >= MIN_SHARE && flush >= UNUSUAL * usualFlush) {
      causes.add(
          "a flush of triples (%s of the time, %s over the run)"
              .formatted(share(flush), share(usualFlush)));
    }
    addCounters(causes, atNanos, aroundNanos);
    return causes;
  }

  private void addDocumented(List<String> causes, long from, long to, long aroundNanos) {
    if (run.outages() != null) {
      for (RunDocument.Outage outage : run.outages()) {
        if (outage != null && outage.startNanos() <= to && outage.endNanos() >= from) {
          causes.add(
              RunDocument.Outage.DRIVER.equals(outage.who())
                  ? "the driver was away"
                  : "Fedora was out of reach for "
                      + NumberFormats.duration(outage.endNanos() - outage.startNanos()));
        }
      }
    }
    RunDocument.Load load = run.load();
    if (load == null) {
      return;
    }
    if (load.pauses() != null
        && load.pauses().stream()
            .anyMatch(p -> p != null && p.startNanos() <= to && p.endNanos() >= from)) {
      causes.add("the load was paused");
    }
    if (load.changes() != null) {
      for (RunDocument.LoadChange change : load.changes()) {
        if (change != null && change.atNanos() >= from && change.atNanos() <= to) {
          causes.add("the load was changed to " + load(change.workers(), change.ratePerSecond()));
        }
      }
    }
    if (load.steps() != null) {
      for (RunDocument.LoadStep step : load.steps()) {
        // The initial step is no change of the load.
        if (step != null
            && step.startNanos() >= from
            && step.startNanos() <= to
            && step.startNanos() > window.startNanos() + aroundNanos) {
          causes.add("a step of the load, to " + load(step.workers(), step.ratePerSecond()));
        }
      }
    }
  }

  private static String load(int workers, Double ratePerSecond) {
    return ratePerSecond == null
        ? NumberFormats.count(workers, "worker")
        : NumberFormats.rate(ratePerSecond) + " objects a second";
  }

  private double gcShare(long from, long to) throws QueryException {
    return covered("gc WHERE true", "duration_nanos", from, to);
  }

  /**
   * Returns the usual share of flushes. Uses rollups for a long ingest, which has very many
   * samples. Excludes flushes of the drain.
   */
  private double usualFlushShare() throws QueryException {
    CompleteRollups rollups = CompleteRollups.in(query, window, MIN_ROLLUPS);
    if (rollups != null) {
      try (Rows row =
          query.execute(
              "SELECT count(*), coalesce(sum(sum_duration_nanos) FILTER (stage = 'triples.flush'), 0)"
                  + "::DOUBLE FROM rollups WHERE begin_epoch_seconds >= ? AND begin_epoch_seconds < ?",
              CompleteRollups.epochSeconds(rollups.first()),
              CompleteRollups.epochSeconds(rollups.end()))) {
        row.next();
        if (row.integer(0) > 0) {
          return row.decimal(1) / rollups.nanos();
        }
      }
    }
    return flushShare(window.startNanos(), window.ingestEndNanos());
  }

  private double flushShare(long from, long to) throws QueryException {
    return covered("samples WHERE stage = 'triples.flush'", "duration_nanos", from, to);
  }

  /** Returns the share of the nanoTime interval that these rows cover, each separately. */
  private double covered(String rowsOf, String nanos, long from, long to) throws QueryException {
    String sql =
        """
        SELECT coalesce(sum(least(start_nanos + %1$s, %4$s) - greatest(start_nanos, %3$s)), 0)::DOUBLE
        FROM %2$s AND start_nanos BETWEEN %5$s AND %4$s AND start_nanos + %1$s >= %3$s"""
            .formatted(nanos, rowsOf, from, to, from - MAX_NANOS);
    try (Rows row = query.execute(sql)) {
      row.next();
      return to > from ? row.decimal(0) / (to - from) : 0;
    }
  }

  private void addCounters(List<String> causes, long atNanos, long aroundNanos)
      throws QueryException {
    long around = Math.max(aroundNanos, COUNTERS_AROUND_NANOS);
    List<String> names = COUNTERS.keySet().stream().map(name -> "'" + name + "'").toList();
    String sql =
        """
        SELECT metric FROM telemetry
        WHERE at_nanos BETWEEN %s AND %s AND metric IN (%s)
        GROUP BY source, metric HAVING max("value") > min("value")"""
            .formatted(atNanos - around, atNanos + around, String.join(", ", names));
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        String cause = COUNTERS.get(rows.text(0));
        if (!causes.contains(cause)) {
          causes.add(cause);
        }
      }
    }
  }
}
