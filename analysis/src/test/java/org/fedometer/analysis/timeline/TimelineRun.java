package org.fedometer.analysis.timeline;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;
import org.fedometer.analysis.TestRun;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunDocumentBuilder;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/** A run small enough to work its picture out by hand; times in milliseconds since its origin. */
final class TimelineRun implements AutoCloseable {
  static final String DRIVER = "00000000-0000-0000-0000-00000000000d";
  static final String AGENT = "00000000-0000-0000-0000-00000000000a";
  static final long MILLI = 1_000_000;
  static final long ORIGIN = 5_000_000_000_000L;
  static final long EPOCH_OFFSET = 1_763_633_520_000_000_000L;

  private final RunFolder folder;
  private final TestRun tables;

  /** Null for a run without a document. */
  RunDocumentBuilder document = RunDocument.builder("calm-heron", "done").bootId("b").workers(4);

  TimelineRun() throws SQLException, IOException {
    folder = new RunFolder(Files.createTempDirectory("timeline").toRealPath());
    tables = new TestRun(folder);
  }

  /** Driver and agent on one host, whose clock the collector knows. */
  TimelineRun onOneHost() throws SQLException {
    return onHosts("b", "b", 0);
  }

  /**
   * @param agentAhead what the agent's clock shows more than the driver's, nanoseconds
   */
  TimelineRun onHosts(String driverBoot, String agentBoot, long agentAhead) throws SQLException {
    tables.sql("DELETE FROM sources");
    source(DRIVER, "driver", driverBoot, EPOCH_OFFSET);
    source(AGENT, "agent", agentBoot, EPOCH_OFFSET - agentAhead);
    return this;
  }

  private void source(String source, String kind, String boot, long offset) throws SQLException {
    tables.sql(
        "INSERT INTO sources (source, sequence, kind, name, attributes, first_seen_epoch_millis,"
            + " epoch_offset_nanos, finished) VALUES ('%s', 1, '%s', '%s', '{\"bootId\":\"%s\"}', 1, %d, true)"
                .formatted(source, kind, kind, boot, offset));
  }

  /** Phases of a run that ingested so long, and flushed so long. */
  TimelineRun lasting(long ingestMillis, long drainMillis) {
    long end = ORIGIN + ingestMillis * MILLI;
    document.phases(
        List.of(
            new Phase("ingest", ORIGIN, end), new Phase("drain", end, end + drainMillis * MILLI)));
    return this;
  }

  void ingest(long index, double startMillis, double millis) throws SQLException {
    request(index, "ingest", startMillis, startMillis, millis, 201, "");
  }

  void request(
      long index,
      String operation,
      double intendedMillis,
      double startMillis,
      double millis,
      int status,
      String message)
      throws SQLException {
    tables.row(
        Table.REQUESTS,
        DRIVER,
        index,
        "patents:" + index,
        "tp-" + index,
        0,
        1,
        at(startMillis),
        Math.round(millis * MILLI),
        status,
        1000,
        message,
        operation,
        at(intendedMillis));
  }

  /** A trace of an ingest: its stages are to be added as samples. */
  void trace(long index) throws SQLException {
    tables.row(
        Table.TRACES,
        AGENT,
        index,
        "http.request",
        "patents:" + index,
        "tp-" + index,
        false,
        "ingest");
  }

  void sample(
      String stage, String thread, long trace, double startMillis, double millis, double selfNanos)
      throws SQLException {
    tables.sample(
        stage,
        thread,
        trace,
        at(startMillis),
        Math.round(millis * MILLI),
        Math.round(selfNanos * MILLI));
  }

  void reading(String source, String metric, double millis, double value) throws SQLException {
    tables.row(Table.TELEMETRY, source, metric, "x", at(millis), value);
  }

  static long at(double millis) {
    return ORIGIN + Math.round(millis * MILLI);
  }

  void sql(String sql) throws SQLException {
    tables.sql(sql);
  }

  Query query() throws SQLException, IOException, QueryException {
    tables.seal();
    return folder.query();
  }

  RunTimeline timeline() throws SQLException, IOException, QueryException {
    try (Query query = query()) {
      return RunTimeline.of(query, report(query));
    }
  }

  RunReport report(Query query) throws QueryException {
    return RunReport.of(document == null ? null : document.build(), "folder-name", query);
  }

  @Override
  public void close() throws SQLException, IOException {
    tables.close();
  }
}
