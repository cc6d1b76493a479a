package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.stream.Stream;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.Table;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code runs trace} and {@code runs logs} on a small run, as a user types them. */
class TraceAndLogsTest {
  @TempDir private Path folder;

  @BeforeEach
  void aRunWithOneObject() throws Exception {
    RunFolder run = RunStore.at(folder).folderOf("calm");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      seal(
          statement,
          run,
          Table.REQUESTS,
          "SELECT 'd' AS source, 0 AS object_index, 'p:1' AS pid, '' AS traceparent, 0 AS worker,"
              + " 1 AS attempt, 1000 AS start_nanos, 5000 AS duration_nanos, 201 AS status,"
              + " 10 AS content_bytes, '' AS message, 'ingest' AS operation, 1000 AS intended_start_nanos");
      seal(
          statement,
          run,
          Table.TRACES,
          "SELECT 'a' AS source, 7 AS trace, 'http.request' AS root_stage, 'p:1' AS pid,"
              + " '' AS traceparent, false AS failed");
      seal(
          statement,
          run,
          Table.SAMPLES,
          "SELECT 'a' AS source, 'http.request' AS stage, 't' AS thread, 7 AS trace,"
              + " 2000 AS start_nanos, 3000 AS duration_nanos, 3000 AS self_nanos, false AS failed");
      seal(
          statement,
          run,
          Table.LOGS,
          "SELECT 'a' AS source, 2500 AS at_nanos, level, 'l' AS logger, 't' AS thread,"
              + " 7 AS trace, 'said ' || level AS message, 'Boom' AS thrown"
              + " FROM (VALUES ('INFO'), ('WARN')) v(level)");
    }
    Files.createDirectories(run.path().resolve("logs"));
    Files.writeString(run.path().resolve("logs/fedora.log"), "as kept\n");
  }

  @Test
  void traceDrawsTheObjectsWay() throws Exception {
    var text = fedometer("runs", "trace", "calm", "p:1");
    text.expect(ExitCode.DONE);
    assertThat(text.out()).contains("Object p:1", "client request", "http.request", "said WARN");

    var json = fedometer("runs", "trace", "calm", "p:1", "--all-attempts", "--json");
    json.expect(ExitCode.DONE);
    assertThat(json.json().at("/attempts/0/stages/0/totalMicros").asInt()).isEqualTo(3);
  }

  @Test
  void unknownObjectSuggestsSimilarOnes() throws Exception {
    var call = fedometer("runs", "trace", "calm", "p:2");
    call.expect(ExitCode.BAD_USAGE);
    assertThat(call.err()).contains("p:2", "nearest: p:1").doesNotContain("Exception");
    var attempt = fedometer("runs", "trace", "calm", "p:1", "--attempt", "0");
    attempt.expect(ExitCode.BAD_USAGE);
    assertThat(attempt.err()).contains("--attempt 0");
  }

  @Test
  void logsAreFilteredAndLogFilesPrinted() throws Exception {
    var warnings = fedometer("runs", "logs", "calm", "--log-level", "warn");
    warnings.expect(ExitCode.DONE);
    assertThat(warnings.out()).hasLineCount(2).contains("said WARN");
    assertThat(warnings.err()).contains("logs/fedora.log");
    var newest = fedometer("runs", "logs", "calm", "--tail", "2");
    assertThat(newest.expect(ExitCode.DONE).out()).contains("Boom").doesNotContain("fedora.log");
    var bare = fedometer("runs", "logs", "calm", "--no-stack-traces");
    assertThat(bare.expect(ExitCode.DONE).out()).hasLineCount(2).doesNotContain("Boom");

    var json = fedometer("runs", "logs", "calm", "--tail", "1", "--json");
    json.expect(ExitCode.DONE);
    assertThat(json.json().at("/lines")).hasSize(1);

    var file = fedometer("runs", "logs", "calm", "--file", "fedora.log");
    file.expect(ExitCode.DONE);
    assertThat(file.out()).isEqualTo("as kept\n");
  }

  @Test
  void reportsInvalidLogOptions() throws Exception {
    var pattern = fedometer("runs", "logs", "calm", "--grep", "(");
    pattern.expect(ExitCode.BAD_USAGE);
    assertThat(pattern.err()).contains("--grep (").doesNotContain("at org.fedometer");
    var file = fedometer("runs", "logs", "calm", "--file", "none.log");
    file.expect(ExitCode.BAD_USAGE);
    assertThat(file.err()).contains("none.log", "logs/fedora.log");
  }

  private InProcess fedometer(String... arguments) {
    return InProcess.fedometer(
        Stream.concat(Stream.of(arguments), Stream.of("--store", folder.toString()))
            .toArray(String[]::new));
  }

  private static void seal(Statement statement, RunFolder run, Table table, String rows)
      throws Exception {
    Path tables = Files.createDirectories(run.tableDirectory(table));
    statement.execute(
        "COPY (" + rows + ") TO '" + tables.resolve("0001.parquet") + "' (FORMAT parquet)");
  }
}
