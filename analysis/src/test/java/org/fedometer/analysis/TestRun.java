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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.store.Disposal;
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

  private final Connection connection;
  private final RunFolder folder;
  private final List<Object[]> samples = new ArrayList<>();
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
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
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

  public void sample(String stage, String thread, long trace, long start, long total, long own)
      throws SQLException {
    sample(stage, thread, trace, start, total, own, false);
  }

  public void sample(
      String stage, String thread, long trace, long start, long total, long own, boolean failed)
      throws SQLException {
    samples.add(new Object[] {AGENT, stage, thread, trace, start, total, total - own, failed});
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
    insert(
        "INSERT INTO requests VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, 1000, ?, ?, ?)",
        DRIVER,
        index,
        "patents:" + index,
        (int) (index % 4),
        attempt,
        start,
        duration,
        status,
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
      insert(
          "INSERT INTO totals VALUES (?, 7, ?, ?, 0, ?, ?, 0, ?, 0, 0, 0)",
          AGENT,
          stage.getKey(),
          stage.getValue()[0] + more,
          stage.getValue()[1],
          dropped,
          last);
      more = 0;
    }
  }

  public void sql(String sql) throws SQLException {
    appendSamples();
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Of the tables as they are now, sealed as a store seals them; the caller closes it. */
  public Query query() throws SQLException, IOException, QueryException {
    seal();
    return folder.query();
  }

  /** Seals the tables as they are now. */
  public void seal() throws SQLException, IOException {
    appendSamples();
    for (Table table : Table.values()) {
      Path tables = Files.createDirectories(folder.tableDirectory(table));
      sql(
          "COPY "
              + table.tableName()
              + " TO '"
              + tables.resolve("0a1b2c3d-000001-000001.parquet")
              + "' (FORMAT parquet)");
    }
  }

  /**
   * As {@link #query}, but the samples lie in several files by start, and most files say what their
   * samples add up to; some do not, or cannot be understood.
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
            row.getLong("total_nanos"),
            row.getLong("total_nanos") - row.getLong("children_nanos"),
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
    insert(
        "INSERT INTO logs VALUES (?, ?, ?, 'org.fcrepo.Storage', 'http-1', ?, ?, ?, '')",
        AGENT,
        at,
        level,
        trace,
        message,
        thrown);
  }

  /** A request as Fedora saw it. */
  public void trace(long trace, String pid, String traceparent, boolean failed)
      throws SQLException {
    insert(
        "INSERT INTO traces VALUES (?, ?, 'http.request', ?, ?, ?, 'ingest')",
        AGENT,
        trace,
        pid,
        traceparent,
        failed);
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

  public RunReport watchReport() throws SQLException, IOException, QueryException {
    return report(null, "watch-2026-11-20-0000000a");
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

  /** Name and type, the name quoted: {@code last} is a keyword. */
  private static String quoted(String column) {
    String[] parts = column.split(" ");
    return '"' + parts[0] + "\" " + parts[1];
  }

  private void appendSamples() throws SQLException {
    if (samples.isEmpty()) {
      return;
    }
    try (DuckDBAppender appender =
        connection.unwrap(DuckDBConnection.class).createAppender("main", "samples")) {
      for (Object[] sample : samples) {
        appender.beginRow();
        for (int i = 0; i < 3; i++) {
          appender.append((String) sample[i]);
        }
        for (int i = 3; i < 7; i++) {
          appender.append((long) sample[i]);
        }
        appender.append((boolean) sample[7]);
        appender.endRow();
      }
    }
    samples.clear();
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
    connection.close();
    Disposal.delete(folder.path());
  }
}
