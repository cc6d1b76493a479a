package org.fedometer.analysis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.Dataset;
import org.fedometer.store.RunDocument.Failure;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunDocument.Profile;
import org.fedometer.store.RunDocument.TripleCounts;
import org.fedometer.store.RunDocument.Verification;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.rollup.FileSums;

/** A run small enough to work out by hand: a real DuckDB with the tables that a store shows. */
public final class TestRun implements AutoCloseable {

  public static final String AGENT = "00000000-0000-0000-0000-00000000000a";
  public static final String DRIVER = "00000000-0000-0000-0000-00000000000d";

  /** Shared by all runs, each with its own schema, since creating a DuckDB is slow. */
  private static final DuckDBConnection DUCKDB = duckDb();

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final String schema = "run" + SCHEMAS.incrementAndGet();
  private final Connection connection;
  private final RunFolder folder;

  /** Not in DuckDB yet, since single statements need a millisecond each. */
  private final Map<Table, List<Object[]>> rows = new EnumMap<>(Table.class);

  private final Map<String, long[]> recorded = new LinkedHashMap<>();
  public Map<String, String> moreVersions = Map.of();
  public String name = "calm-heron";
  public String state = "done";
  public Map<String, String> workload;
  public Failure failure;
  public ObjectCounts objects;
  public TripleCounts triples;
  public RunDocument.StatementCounts statements;
  public Verification verification;
  public List<Phase> phases = List.of();
  public List<String> notes = List.of();
  public RunDocument.Load load;
  public List<RunDocument.Outage> outages = List.of();

  public TestRun() throws SQLException, IOException {
    this(new RunFolder(Files.createTempDirectory("run").toRealPath()));
  }

  /** A run that is to lie there. */
  public TestRun(RunFolder folder) throws SQLException, IOException {
    this.folder = folder;
    connection = DUCKDB.duplicate();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema + "; USE " + schema);
      for (Table table : Table.values()) {
        statement.execute(
            "CREATE TABLE "
                + table.tableName()
                + " ("
                + table.columns().stream().map(TestRun::quoted).collect(Collectors.joining(", "))
                + ")");
      }
    }
    sql(
        "INSERT INTO sources (source, sequence, kind, name, finished) VALUES ('"
            + AGENT
            + "', 1, 'agent', 'fedora', true)");
  }

  public void sample(
      String stage, String thread, long trace, long start, long total, long selfNanos)
      throws SQLException {
    sample(stage, thread, trace, start, total, selfNanos, false);
  }

  public void sample(
      String stage,
      String thread,
      long trace,
      long start,
      long total,
      long selfNanos,
      boolean failed)
      throws SQLException {
    row(Table.SAMPLES, AGENT, stage, thread, trace, start, total, total - selfNanos, failed);
    long[] totals = recorded.computeIfAbsent(stage, name -> new long[2]);
    totals[0]++;
    totals[1] += total;
  }

  /** An attempt to ingest an object, begun when it was due. */
  public void request(
      long index, int attempt, long start, long duration, int status, String message)
      throws SQLException {
    operation("ingest", index, attempt, start, start, duration, status, message);
  }

  public void operation(
      String operation,
      long index,
      int attempt,
      long intendedStart,
      long start,
      long duration,
      int status,
      String message)
      throws SQLException {
    row(
        Table.REQUESTS,
        DRIVER,
        index,
        "patents:" + index,
        "",
        index % 4,
        attempt,
        start,
        duration,
        status,
        1000,
        message,
        operation,
        intendedStart);
  }

  public void ingested(long index, long start, long duration) throws SQLException {
    request(index, 1, start, duration, 201, "");
  }

  /** Final totals of all samples so far, and of so many more that never came. */
  public void totals(long more, long dropped, boolean last) throws SQLException {
    for (Map.Entry<String, long[]> stage : recorded.entrySet()) {
      row(
          Table.TOTALS,
          AGENT,
          7,
          stage.getKey(),
          stage.getValue()[0] + more,
          0,
          stage.getValue()[1],
          dropped,
          0,
          last,
          0,
          0,
          0);
      more = 0;
    }
  }

  /** The values of all columns, in order. */
  public void row(Table table, Object... values) {
    rows.computeIfAbsent(table, none -> new ArrayList<>()).add(values);
  }

  public void sql(String sql) throws SQLException {
    appendRows();
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns a query on the current tables, sealed as in a store; the caller closes it. */
  public Query query() throws SQLException, IOException, QueryException {
    seal();
    return folder.query();
  }

  /** Seals the tables as they are now. */
  public void seal() throws SQLException, IOException {
    appendRows();
    StringBuilder copies = new StringBuilder();
    for (Table table : Table.values()) {
      Path tables = Files.createDirectories(folder.tableDirectory(table));
      copies
          .append("COPY ")
          .append(table.tableName())
          .append(" TO '")
          .append(tables.resolve("0a1b2c3d-000001-000001.parquet"))
          .append("' (FORMAT parquet);");
    }
    sql(copies.toString());
  }

  /**
   * As {@link #query}, with samples in several files by start. Most files contain sums of their
   * samples; some lack them or have unreadable ones.
   */
  public Query queryOfSummedFiles(int samplesInFile)
      throws SQLException, IOException, QueryException {
    query().close();
    Path tables = folder.tableDirectory(Table.SAMPLES);
    Files.delete(tables.resolve("0a1b2c3d-000001-000001.parquet"));
    sql("CREATE OR REPLACE TABLE in_order AS FROM samples ORDER BY start_nanos");
    for (int file = 1; ; file++) {
      String rows =
          "FROM in_order LIMIT %d OFFSET %d".formatted(samplesInFile, (file - 1) * samplesInFile);
      FileSums sums = sumsOf(rows);
      if (sums.toText() == null) {
        return folder.query();
      }
      sql(
          "COPY (%s) TO '%s' (FORMAT parquet, KV_METADATA {%s: '%s'})"
              .formatted(
                  rows,
                  tables.resolve("0a1b2c3d-%06d-%06d.parquet".formatted(file, file)),
                  file % 4 == 0 ? "other" : FileSums.METADATA_KEY,
                  file % 5 == 3 ? "broken" : sums.toText().replace("'", "''")));
    }
  }

  /** Makes one file of all files of samples, as the collector does from time to time. */
  public void mergeSamples() throws SQLException, IOException {
    Path tables = folder.tableDirectory(Table.SAMPLES);
    sql(
        "COPY in_order TO '"
            + tables.resolve("0a1b2c3d-000001-999999.parquet")
            + "' (FORMAT parquet)");
  }

  private FileSums sumsOf(String rows) throws SQLException {
    FileSums sums = new FileSums();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(rows)) {
      while (row.next()) {
        sums.add(
            sums.thread(row.getString("source"), row.getString("thread")),
            sums.stage(row.getString("stage")),
            row.getLong("start_nanos"),
            row.getLong("duration_nanos"),
            row.getLong("duration_nanos") - row.getLong("children_nanos"),
            row.getBoolean("failed"));
      }
    }
    return sums;
  }

  public RunFolder folder() {
    return folder;
  }

  /** A line of Fedora's log. */
  public void log(long at, String level, long trace, String message, String thrown)
      throws SQLException {
    row(Table.LOGS, AGENT, at, level, "org.fcrepo.Storage", "http-1", trace, message, thrown, "");
  }

  /** A request as Fedora saw it. */
  public void trace(long trace, String pid, String traceparent, boolean failed)
      throws SQLException {
    row(Table.TRACES, AGENT, trace, "http.request", pid, traceparent, failed, "ingest");
  }

  /** The driver on its host; the agent's is known from the start. */
  public void hosts(String driversBoot, String agentsBoot) throws SQLException {
    insert(
        "INSERT INTO sources (source, sequence, kind, name, attributes,"
            + " first_seen_epoch_millis, epoch_offset_nanos)"
            + " VALUES (?, 1, 'driver', 'driver', ?, 1, 1763633523000000000)",
        DRIVER,
        "{\"bootId\":\"" + driversBoot + "\"}");
    insert(
        "UPDATE sources SET attributes = ?, first_seen_epoch_millis = 1, epoch_offset_nanos ="
            + " 1763633523000000000 WHERE source = ?",
        "{\"bootId\":\"" + agentsBoot + "\"}",
        AGENT);
  }

  public RunReport report() throws SQLException, IOException, QueryException {
    return report(document(), "folder-name");
  }

  public RunReport monitoringReport() throws SQLException, IOException, QueryException {
    return report(null, "monitoring-2026-11-20-0000000a");
  }

  public RunReport report(RunDocument document, String name)
      throws SQLException, IOException, QueryException {
    try (Query query = query()) {
      return RunReport.of(document, name, query);
    }
  }

  public RunDocument document() {
    Map<String, String> choices = new LinkedHashMap<>();
    choices.put("triplestore", "mptstore");
    choices.put("database", "postgresql");
    choices.put("gc", "g1");
    choices.put("heap", "1g");
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("scale", "paper");
    parameters.put("seed", "1");
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("fedora", "3.8.1");
    versions.put("java", "17.0.13");
    versions.put("postgresql", "14.15");
    versions.putAll(moreVersions);
    return RunDocument.builder(name, state)
        .id("01JD5B1Z0000000000000000AB")
        .failure(failure)
        .profile(new Profile("mptstore-postgresql", choices, Map.of("xacml.enabled", "false")))
        .dataset(new Dataset("patents", parameters))
        .workers(4)
        .workload(workload)
        .objects(objects)
        .statements(statements)
        .triples(triples)
        .verification(verification)
        .phases(phases)
        .load(load)
        .outages(outages)
        .versions(versions)
        .environment(Map.of("host", "a-machine"))
        .configurationFiles(List.of("config/fedora.fcfg"))
        .logFiles(List.of("logs/fedora.log"))
        .bootId("boot")
        .started("2026-11-20T10:12:03.123Z")
        .ended("2026-11-20T10:14:34Z")
        .notes(notes)
        .build();
  }

  private static DuckDBConnection duckDb() {
    try {
      return DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Name and type, the name quoted: {@code last} is a keyword. */
  private static String quoted(String column) {
    String[] parts = column.split(" ");
    return '"' + parts[0] + "\" " + parts[1];
  }

  private void appendRows() throws SQLException {
    for (Map.Entry<Table, List<Object[]>> added : rows.entrySet()) {
      List<String> columns = added.getKey().columns();
      try (DuckDBAppender appender =
          connection
              .unwrap(DuckDBConnection.class)
              .createAppender(schema, added.getKey().tableName())) {
        for (Object[] row : added.getValue()) {
          appender.beginRow();
          for (int i = 0; i < row.length; i++) {
            append(appender, columns.get(i).split(" ")[1], row[i]);
          }
          appender.endRow();
        }
      }
    }
    rows.clear();
  }

  private static void append(DuckDBAppender appender, String type, Object value)
      throws SQLException {
    switch (type) {
      case "VARCHAR" -> appender.append((String) value);
      case "BOOLEAN" -> appender.append((boolean) value);
      case "INTEGER" -> appender.append(((Number) value).intValue());
      case "BIGINT" -> appender.append(((Number) value).longValue());
      case "DOUBLE" -> appender.append(((Number) value).doubleValue());
      default -> throw new IllegalArgumentException(type);
    }
  }

  private void insert(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  @Override
  public void close() throws SQLException, IOException {
    sql("USE main; DROP SCHEMA " + schema + " CASCADE");
    connection.close();
    RunDeletion.delete(folder.path());
  }
}
