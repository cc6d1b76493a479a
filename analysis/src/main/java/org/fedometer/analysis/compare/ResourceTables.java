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
 * What a run's tables say of processors, memory, disk, garbage collections and waits in its
 * measured part, to the last answer: what comes after it is also this tool that counts. What
 * happened in pauses of the load, or while its driver was away, belongs to no object and is left
 * out. Stateless.
 */
final class ResourceTables {

  /** Stages that are nothing but waiting for another request; docs/stages.md. */
  private static final Set<String> WAITS =
      Set.of(Wait.POOL, "ingest.prepare.wait", "ingest.pid.wait", "ingest.lock", "triples.wait");

  /** Readings must cover this share of the load for their increase to stand for all of it. */
  private static final double MIN_COVERAGE = 0.5;

  private static final String EMBEDDED = "derby";

  private static final String CPU = ".process.cpu.time";

  /** The same of Fedora as an agent reads it, where nobody watches the process from outside. */
  private static final String AGENT_CPU = "jvm.cpu.time";

  /** Processor time is counted in ticks of 10 ms: of less than ten of them a tenth is not known. */
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
        // A database on another host writes to disks that nobody here has read.
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
   * What stands behind a table so that only those of its rows are left whose time is in one of the
   * part's stretches without a pause; the column {@code stretch} tells which.
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

  /** Of each object; null also where it is too little to be counted in ticks. */
  private static Double cpuNanos(Double seconds, MeasuredPart part) {
    return seconds == null || seconds < MIN_CPU_SECONDS ? null : perObject(seconds, part, 1e9);
  }

  private static Double perObject(Double sum, MeasuredPart part, double factor) {
    return sum == null ? null : (Double) (sum * factor / part.objects());
  }

  /** Of Fedora and a database of its own; null where either is not on record. */
  private static Double sum(RunDocument run, Map<String, Double> values, String metric) {
    Double fedora = values.get("fedora" + metric);
    Double database = values.get("database" + metric);
    if (fedora == null || database == null && hasDatabaseServer(run)) {
      return null;
    }
    return fedora + (database == null ? 0 : database);
  }

  /** Whether the database is a process of its own, which may be on another host. */
  private static boolean hasDatabaseServer(RunDocument run) {
    String database =
        run.profile() == null || run.profile().choices() == null
            ? null
            : run.profile().choices().get("database");
    return database != null && !database.equals(EMBEDDED);
  }

  /** Processors of the machine, or what a container may use of them. */
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

  /** A run of which no collection is on record may have had none, or nobody who told it. */
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
      if (WAITS.contains(stage.stage()) && !stage.beside() && stage.share() != null) {
        waits.add(new Wait(stage.stage(), stage.selfNanos(), stage.share()));
      }
    }
    waits.sort(Comparator.comparingDouble(Wait::nanos).reversed());
    return waits;
  }
}
