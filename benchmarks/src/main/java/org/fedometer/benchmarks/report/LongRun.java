package org.fedometer.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;

/**
 * A run as a load of many days leaves it, made up: Parquet files of a million requests each, as
 * merged ones are, written by DuckDB. Ten objects a second by four workers, one in 10,000 failed,
 * 40 stages, 60 readings a second. Samples are there of every fiftieth object only. The same with
 * each making.
 */
final class LongRun {
  static final int TELEMETRY_METRICS = 60;
  static final int STAGES = 40;

  /** Of so many objects one has samples. */
  static final int OBJECTS_PER_SAMPLED = 50;

  private static final long OBJECTS_IN_FILE = 1_000_000;
  private static final double OBJECTS_PER_SECOND = 10.1;
  private static final long START_NANOS = 1_000_000_000_000L;
  private static final long EPOCH_OFFSET_NANOS = 1_760_000_000_000_000_000L;
  private static final String DRIVER = "00000000-0000-0000-0000-00000000000d";
  private static final String AGENT = "00000000-0000-0000-0000-00000000000a";

  private final RunFolder folder;
  private final long objects;

  LongRun(Path folder, long objects) {
    this.folder = new RunFolder(folder);
    this.objects = objects;
  }

  RunFolder write() throws IOException, SQLException {
    for (Table table : Table.values()) {
      Files.createDirectories(folder.tableDirectory(table));
    }
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET memory_limit = '2GB'");
      statement.execute(
          "CREATE MACRO noise(i, salt) AS (hash(i, salt) % 1000003) / 1000003.0 + 0.0000001");
      statement.execute(
          "CREATE MACRO began(i) AS "
              + START_NANOS
              + " + (i * 1e9 / "
              + OBJECTS_PER_SECOND
              + ")::BIGINT + (noise(i, 1) * 5e7)::BIGINT");
      // Log-normal, a median of 300 ms, by the method of Box and Muller.
      statement.execute(
          "CREATE MACRO took(i) AS (3e8 * exp(0.4 * sqrt(-2 * ln(noise(i, 2)))"
              + " * cos(6.2831853 * noise(i, 3))))::BIGINT");
      int file = 0;
      for (long first = 0; first < objects; first += OBJECTS_IN_FILE) {
        writeFiles(statement, ++file, first, Math.min(objects, first + OBJECTS_IN_FILE));
      }
      copy(
          statement,
          Table.SOURCES,
          1,
          """
          SELECT * FROM (VALUES ('%s', 1::BIGINT, 'driver', 'driver', '{"bootId":"b"}', 1::BIGINT,
            %s::BIGINT, 0::BIGINT, 0::BIGINT, 0::BIGINT, 0::BIGINT, false),
            ('%s', 1, 'agent', 'fedora', '{"bootId":"b"}', 1, %s, 0, 0, 0, 0, true))
          AS t(source, sequence, kind, name, attributes, first_seen_epoch_millis,
            epoch_offset_nanos, frames_missing, frames_unreadable, samples_dropped, frames_dropped,
            finished)"""
              .formatted(DRIVER, EPOCH_OFFSET_NANOS, AGENT, EPOCH_OFFSET_NANOS));
    }
    Files.write(folder.documentFile(), RunDocumentJson.write(document()));
    return folder;
  }

  private static long nanos(long object) {
    return (long) (object * 1e9 / OBJECTS_PER_SECOND);
  }

  private RunDocument document() {
    long end = START_NANOS + nanos(objects) + 10_000_000_000L;
    return RunDocument.builder("long", "done")
        .workers(4)
        .objects(new RunDocument.ObjectCounts(objects, objects, 0, objects, 0, 0))
        .phases(
            List.of(
                new RunDocument.Phase("ingest", START_NANOS - 1_000_000, end),
                new RunDocument.Phase("drain", end, end + 1_000_000_000L)))
        .bootId("b")
        .build();
  }

  private void writeFiles(Statement statement, int file, long first, long end) throws SQLException {
    copy(
        statement,
        Table.REQUESTS,
        file,
        """
        SELECT '%s' AS source, i AS object_index, 'patent:WO-' || i AS pid,
          '00-' || md5(i::VARCHAR) || '-' || left(md5('s' || i), 16) || '-01' AS traceparent,
          (i %% 4)::INTEGER AS worker, 1::INTEGER AS attempt, began(i) AS start_nanos,
          took(i) AS duration_nanos, if(i %% 10000 = 9999, 500, 201)::INTEGER AS status,
          130000::BIGINT AS content_bytes,
          if(i %% 10000 = 9999, 'Object could not be stored: ' || i, '') AS message,
          'ingest' AS operation, began(i) AS intended_start_nanos
        FROM range(%s, %s) t(i) ORDER BY start_nanos"""
            .formatted(DRIVER, first, end));
    copy(
        statement,
        Table.TRACES,
        file,
        """
        SELECT '%s' AS source, i + 1 AS trace, 'http.request' AS root_stage,
          'patent:WO-' || i AS pid,
          '00-' || md5(i::VARCHAR) || '-' || left(md5('s' || i), 16) || '-01' AS traceparent,
          false AS failed, 'ingest' AS operation
        FROM range(%s, %s) t(i) ORDER BY i"""
            .formatted(AGENT, first, end));
    copy(
        statement,
        Table.SAMPLES,
        file,
        """
        SELECT '%1$s' AS source, if(s = 0, 'http.request', 'stage.part-' || s) AS stage,
          'http-bio-' || (i %% 4) AS thread, i + 1 AS trace,
          began(i) + 1000000 + if(s = 0, 0, 1000 + (s - 1) * (took(i) // %2$s)) AS start_nanos,
          if(s = 0, took(i) - 2000000, took(i) // (%2$s + 5)) AS duration_nanos,
          if(s = 0, %2$s * (took(i) // (%2$s + 5)), 0) AS children_nanos, false AS failed
        FROM range(%3$s, %4$s, %5$s) t(i), range(%2$s) u(s) ORDER BY i, s"""
            .formatted(AGENT, STAGES, first, end, OBJECTS_PER_SAMPLED));
    long fromSecond = nanos(first) / 1_000_000_000L;
    long toSecond = nanos(end) / 1_000_000_000L;
    copy(
        statement,
        Table.ROLLUPS,
        file,
        """
        SELECT (%1$s + t) // 10 * 10 AS begin_epoch_seconds,
          if(s = 0, 'http.request', 'stage.part-' || s) AS stage, 101::BIGINT AS count,
          0::BIGINT AS failed, (1e9 * noise(t, s))::BIGINT AS sum_duration_nanos,
          (1e9 * noise(t, s) / (s + 1))::BIGINT AS sum_self_nanos, 1000::BIGINT AS min_nanos,
          1000000000::BIGINT AS max_nanos,
          (md5(t::VARCHAR || s) || md5(s::VARCHAR || t))::BLOB AS histogram
        FROM range(%2$s, %3$s, 10) r(t), range(%4$s) u(s)"""
            .formatted(
                (START_NANOS + EPOCH_OFFSET_NANOS) / 1_000_000_000L, fromSecond, toSecond, STAGES));
    copy(
        statement,
        Table.TELEMETRY,
        file,
        """
        SELECT '%1$s' AS source, metric, unit, %2$s + t * 1000000000 + m AS at_nanos,
          CASE WHEN counts THEN t * 0.7 + noise(t, m) * 0.5 ELSE noise(t, m) * 1e9 END AS value
        FROM range(%3$s, %4$s) r(t), (
          SELECT m, CASE m WHEN 0 THEN 'fedora.process.cpu.time' WHEN 1 THEN 'driver.process.cpu.time'
              WHEN 2 THEN 'database.process.cpu.time' WHEN 3 THEN 'jvm.memory.used.heap'
              WHEN 4 THEN 'jvm.memory.committed.heap' WHEN 5 THEN 'jvm.system.cpu.utilization'
              WHEN 6 THEN 'fedora.process.memory.usage' WHEN 7 THEN 'driver.process.memory.usage'
              WHEN 8 THEN 'database.process.memory.usage' WHEN 9 THEN 'fedora.process.disk.read'
              WHEN 10 THEN 'driver.process.disk.read' WHEN 11 THEN 'database.process.disk.read'
              WHEN 12 THEN 'system.disk.read' WHEN 13 THEN 'system.disk.written'
              WHEN 14 THEN 'pg_stat_wal.wal_bytes' WHEN 15 THEN 'jvm.thread.count'
              WHEN 16 THEN 'jvm.thread.count.blocked' WHEN 17 THEN 'jvm.hiccup.max'
              WHEN 18 THEN 'jvm.code_cache.used' WHEN 19 THEN 'fedora.home.disk.free'
              WHEN 20 THEN 'jvm.cpu.time' WHEN 21 THEN 'jvm.compilation.time'
              WHEN 22 THEN 'jvm.gc.time.g1-young-generation'
              WHEN 23 THEN 'jvm.gc.time.g1-old-generation'
              WHEN 24 THEN 'jvm.memory.used.non-heap' ELSE 'jvm.memory.used.pool.p' || m END AS metric,
            if(m < 3 OR m > 19, 's', 'By') AS unit, m < 3 OR m BETWEEN 9 AND 14 OR m BETWEEN 20 AND 23
              AS counts
          FROM range(%5$s) u(m))"""
            .formatted(AGENT, START_NANOS, fromSecond, toSecond, TELEMETRY_METRICS));
    copy(
        statement,
        Table.GC,
        file,
        """
        SELECT 'gc.log' AS source, 'G1' AS collector, 'Pause Young (Normal)' AS action,
          'G1 Evacuation Pause' AS cause, %1$s + t * 1000000000 AS start_nanos,
          (2e7 * noise(t, 9))::BIGINT AS duration_nanos, 800000000::BIGINT AS heap_before_bytes,
          300000000::BIGINT AS heap_after_bytes
        FROM range(%2$s, %3$s, 2) r(t)"""
            .formatted(START_NANOS, fromSecond, toSecond));
  }

  private void copy(Statement statement, Table table, int file, String select) throws SQLException {
    Path path =
        folder
            .tableDirectory(table)
            .resolve(String.format(Locale.ROOT, "0a1b2c3d-%06d-%06d.parquet", file, file));
    statement.execute(
        "COPY (%s) TO '%s' (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2, ROW_GROUP_SIZE %s)"
            .formatted(
                select,
                path.toString().replace("'", "''"),
                table == Table.SAMPLES ? 131_072 : 65_536));
  }
}
