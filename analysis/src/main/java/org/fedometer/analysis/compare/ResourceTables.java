package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.fedometer.analysis.compare.ResourceUse.Wait;
import org.fedometer.store.RunDocument;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/**
 * Computes CPU, memory, disk, garbage collections and waits from a run's tables, for its measured
 * part up to the last response; later use includes Fedometer's own counting. Times of a paused load
 * or absent driver belong to no object and are excluded. Stateless.
 */
final class ResourceTables {

  /** Stages that only wait for another request; docs/stages.md. */
  private static final Set<String> WAITS =
      Set.of(Wait.POOL, "ingest.prepare.wait", "ingest.pid.wait", "ingest.lock", "triples.wait");

  /** Minimum share of the load that readings must cover to represent it. */
  private static final double MIN_COVERAGE = 0.5;

  private static final String EMBEDDED = "derby";

  private static final String CPU = ".process.cpu.time";

  /** Fedora's CPU time read by an agent, for processes not monitored from outside. */
  private static final String AGENT_CPU = "jvm.cpu.time";

  /** CPU time is counted in ticks of 10 ms: below ten of them, a tenth is unknown. */
  private static final double MIN_CPU_SECONDS = 0.1;

  private static final String WRITTEN = "system.disk.written";
  private static final String MEMORY = ".process.memory.usage";

  private ResourceTables() {}

  /**
   * @param stages of the same part
   */
  static ResourceUse of(Query query, RunDocument run, MeasuredPart part, List<StageTime> stages)
      throws QueryException {
    Map<String, Double> increases = new HashMap<>();
    Map<String, Double> maxMemory = new HashMap<>();
    readTelemetry(query, part, increases, maxMemory);
    Double processors = processors(run);
    Double fedora =
        cpuNanos(increases.getOrDefault("fedora" + CPU, increases.get(AGENT_CPU)), part);
    Double both = sum(run, increases, CPU);
    Double busy = null;
    if (processors != null && both != null && part.loadedNanos() > 0) {
      double seconds = both + increases.getOrDefault("driver" + CPU, 0.0);
      busy = seconds * 1e9 / (part.loadedNanos() * processors);
    }
    GcCollections collections = collections(query, part);
    return new ResourceUse(
        processors,
        fedora,
        cpuNanos(increases.get("database" + CPU), part),
        cpuNanos(both, part),
        cpuNanos(increases.get("driver" + CPU), part),
        busy,
        machineBusy(query, part),
        collections.share,
        collections.pauses,
        // Disks of a database on another host are not read.
        both == null ? null : perObject(increases.get(WRITTEN), part, 1),
        sum(run, maxMemory, MEMORY),
        waits(stages));
  }

  private static void readTelemetry(
      Query query, MeasuredPart part, Map<String, Double> increases, Map<String, Double> maxMemory)
      throws QueryException {
    String sql =
        """
        SELECT metric, sum(increase), sum(covered)::DOUBLE, max(largest)
        FROM (SELECT metric, coalesce(sum(step) FILTER (step > 0), 0) AS increase,
            max(at_nanos) - min(at_nanos) AS covered, max("value") AS largest
          FROM (SELECT metric, stretch, at_nanos, "value", "value"
                - lag("value") OVER (PARTITION BY source, metric, stretch ORDER BY at_nanos) AS step
            FROM telemetry%s
            WHERE at_nanos BETWEEN ? AND ? AND (contains(metric, '.process.') OR metric IN ('%s', '%s')))
          GROUP BY metric, stretch)
        GROUP BY metric\
        """
            .formatted(whileLoaded(part, "at_nanos"), WRITTEN, AGENT_CPU);
    try (Rows rows =
        query.execute(sql, part.window().startNanos(), part.window().ingestEndNanos())) {
      while (rows.next()) {
        double covered = rows.decimal(2) / part.loadedNanos();
        if (covered >= MIN_COVERAGE) {
          increases.put(rows.text(0), rows.decimal(1) / covered);
        }
        maxMemory.put(rows.text(0), rows.decimal(3));
      }
    }
  }

  private static Double machineBusy(Query query, MeasuredPart part) throws QueryException {
    try (Rows row =
        query.execute(
            "SELECT avg(\"value\") FROM telemetry"
                + whileLoaded(part, "at_nanos")
                + " WHERE metric = 'jvm.system.cpu.utilization'"
                + " AND \"value\" >= 0 AND at_nanos BETWEEN ? AND ?",
            part.window().startNanos(),
            part.window().ingestEndNanos())) {
      row.next();
      return (Double) row.value(0);
    }
  }

  /**
   * Returns a join that keeps only rows whose time is in an unpaused period of the part; the column
   * {@code stretch} has its start.
   */
  private static String whileLoaded(MeasuredPart part, String nanoTime) {
    String stretches =
        part.stretches().stream()
            .map(stretch -> "(" + stretch.startNanos() + ", " + stretch.endNanos() + ")")
            .collect(Collectors.joining(", "));
    return " JOIN (VALUES "
        + (stretches.isEmpty() ? "(NULL::BIGINT, NULL::BIGINT)" : stretches)
        + ") AS stretches(stretch, stretch_end) ON "
        + nanoTime
        + " BETWEEN stretch AND stretch_end";
  }

  /** Returns the value per object; null also if too small for ticks. */
  private static Double cpuNanos(Double seconds, MeasuredPart part) {
    return seconds == null || seconds < MIN_CPU_SECONDS ? null : perObject(seconds, part, 1e9);
  }

  private static Double perObject(Double sum, MeasuredPart part, double factor) {
    return sum == null ? null : (Double) (sum * factor / part.objects());
  }

  /** Returns the sum of Fedora and its database server; null if either is not recorded. */
  private static Double sum(RunDocument run, Map<String, Double> values, String metric) {
    Double fedora = values.get("fedora" + metric);
    Double database = values.get("database" + metric);
    if (fedora == null || database == null && hasDatabaseServer(run)) {
      return null;
    }
    return fedora + (database == null ? 0 : database);
  }

  /** Returns whether the database is a separate process, possibly on another host. */
  private static boolean hasDatabaseServer(RunDocument run) {
    String database =
        run.profile() == null || run.profile().choices() == null
            ? null
            : run.profile().choices().get("database");
    return database != null && !database.equals(EMBEDDED);
  }

  /** Returns the CPUs of the machine, or a container's quota. */
  static Double processors(RunDocument run) {
    if (run.environment() == null) {
      return null;
    }
    Double count = number(run.environment().get("cpu.count"));
    String quota = run.environment().get("cpu.quota");
    if (quota != null && quota.strip().split(" +").length == 2) {
      String[] parts = quota.strip().split(" +");
      Double of = number(parts[0]);
      Double period = number(parts[1]);
      if (of != null && period != null) {
        return count == null ? (Double) (of / period) : (Double) Math.min(count, of / period);
      }
    }
    return count;
  }

  private static Double number(String textOrNull) {
    try {
      double value = textOrNull == null ? 0 : Double.parseDouble(textOrNull);
      return value > 0 && value < Double.POSITIVE_INFINITY ? (Double) value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private record GcCollections(Double share, Long pauses) {}

  /**
   * Returns the collections. Without any, there may have been none, or no source that reports them.
   */
  private static GcCollections collections(Query query, MeasuredPart part) throws QueryException {
    try (Rows row =
        query.execute(
            "SELECT (SELECT count(*) FROM gc), count(*), coalesce(sum(duration_nanos), 0)::BIGINT"
                + " FROM gc"
                + whileLoaded(part, "start_nanos")
                + " WHERE start_nanos BETWEEN ? AND ?",
            part.window().startNanos(),
            part.window().ingestEndNanos())) {
      row.next();
      return row.integer(0) == 0 || part.loadedNanos() <= 0
          ? new GcCollections(null, null)
          : new GcCollections(row.decimal(2) / part.loadedNanos(), row.integer(1));
    }
  }

  private static List<Wait> waits(List<StageTime> stages) {
    List<Wait> waits = new ArrayList<>();
    for (StageTime stage : stages) {
      if (WAITS.contains(stage.stage()) && !stage.outside() && stage.share() != null) {
        waits.add(new Wait(stage.stage(), stage.selfNanos(), stage.share()));
      }
    }
    waits.sort(Comparator.comparingDouble(Wait::nanos).reversed());
    return waits;
  }
}
