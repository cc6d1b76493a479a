package org.fedometer.analysis.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.fedometer.analysis.TestRun;
import org.fedometer.analysis.UnsealedData;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogsTest {

  private static final long MS = 1_000_000;
  private static final TextStyle STYLE = new TextStyle(100, true, false);

  @TempDir Path directory;
  private String state = "done";
  private TestRun run;

  @BeforeEach
  void open() throws Exception {
    run = new TestRun();
  }

  @AfterEach
  void close() throws Exception {
    run.close();
  }

  @Test
  void printsAllSourcesInOrderOfTime() throws Exception {
    threeLines();
    assertThat(text(LogFilter.ALL))
        .isEqualTo(
            """
            2025-11-20 10:12:03.005 DEBUG driver org.fcrepo.Storage [http-1]: from the driver
            2025-11-20 10:12:03.010 INFO  fedora org.fcrepo.Storage [http-1]: up
            2025-11-20 10:12:03.020 WARN  fedora org.fcrepo.Storage [http-1] (trace 7): slow disk
                java.io.IOException: slow
                \tat a.B.c(B.java:1)
            """);
  }

  @Test
  void deduplicatesLinesOfAgentAndFile() throws Exception {
    threeLines();
    run.log(30 * MS, "WARN", 9, "slow\nas ever", "");
    run.sql(
        "INSERT INTO sources (source, sequence, kind, name, first_seen_epoch_millis,"
            + " epoch_offset_nanos)"
            + " VALUES ('file', 1, 'log', 'fedora.log', 1, 1763633523002000000)");
    run.sql(
        "INSERT INTO logs SELECT 'file', at_nanos - 2300000, level, 'Storage', thread, 0,"
            + " split_part(message, chr(10), 1), thrown, '' FROM logs");
    run.sql(
        "INSERT INTO logs SELECT 'file', at_nanos + 1000000000, level, 'Storage', thread, 0,"
            + " message, thrown, '' FROM logs WHERE message = 'slow disk' AND trace = 7");
    String all = text(LogFilter.ALL);
    assertThat(all.lines().filter(line -> line.contains("slow disk"))).hasSize(2);
    assertThat(all.lines().filter(line -> line.contains("slow") && line.contains("WARN")))
        .hasSize(3);
    assertThat(text(source("fedora.log")).lines().filter(line -> line.contains("WARN"))).hasSize(3);
  }

  @Test
  void readsEqualLinesThatTheAgentDroppedFromTheFile() throws Exception {
    run.hosts("a", "b");
    run.sql(
        "INSERT INTO sources (source, sequence, kind, name, first_seen_epoch_millis,"
            + " epoch_offset_nanos)"
            + " VALUES ('file', 1, 'log', 'fedora.log', 1, 1763633523000000000)");
    for (int line = 0; line < 100; line++) {
      run.log(line * MS, "WARN", 1, "full", "");
    }
    run.sql(
        "INSERT INTO logs SELECT 'file', at_nanos, level, 'Storage', thread, 0, message, thrown, ''"
            + " FROM logs");
    // As a limited agent does.
    run.sql("DELETE FROM logs WHERE source = '" + TestRun.AGENT + "' AND at_nanos >= " + 10 * MS);
    String all = text(LogFilter.ALL);
    assertThat(all.lines().filter(line -> line.contains("full"))).hasSize(100);
    assertThat(all.lines().filter(line -> line.contains(" fedora "))).hasSize(10);
  }

  @Test
  void printsRequestAndObjectOfALine() throws Exception {
    run.hosts("a", "b");
    run.log(10 * MS, "WARN", 7, "slow", "");
    run.log(20 * MS, "WARN", 8, "of nothing that is known", "");
    run.log(30 * MS, "WARN", 0, "outside all requests", "");
    run.trace(7, "demo:1", "", false);

    assertThat(text(LogFilter.ALL).lines())
        .extracting(line -> line.substring(line.indexOf("[http-1]")))
        .containsExactly(
            "[http-1] (trace 7, demo:1): slow",
            "[http-1] (trace 8): of nothing that is known",
            "[http-1]: outside all requests");
    StringWriter json = new StringWriter();
    JsonLogs.write(folder(), LogFilter.ALL, json);
    JsonNode lines = new ObjectMapper().readTree(json.toString()).get("lines");
    assertThat(lines.get(0).get("pid").asText()).isEqualTo("demo:1");
    assertThat(lines.get(1).get("pid").asText()).isEmpty();
  }

  @Test
  void stackTracesThatMessagesHoldAreLeftOutToo() throws Exception {
    run.hosts("a", "b");
    run.log(
        10 * MS,
        "WARN",
        0,
        "Application has thrown exception, unwinding now\norg.apache.cxf.Fault: boom\n"
            + "\tat a.B.<init>(B.java:1) ~[b.jar:1]\r\n\tat c.D$e.f(Native Method)\n"
            + "Caused by: java.io.IOException: at fault\n\t... 12 more\nnext line",
        "");
    assertThat(text(new LogFilter(null, null, null, null, null, 0, false)))
        .endsWith(
            ": Application has thrown exception, unwinding now\n"
                + "    org.apache.cxf.Fault: boom\n    next line\n");
    assertThat(text(LogFilter.ALL)).contains("at a.B.<init>", "... 12 more");
  }

  @Test
  void filtersByLevelAndAbove() throws Exception {
    threeLines();
    run.log(30 * MS, "SEVERE", 0, "as java.util.logging says", "");
    run.log(40 * MS, "AUDIT", 0, "a level that is unknown", "");
    run.log(50 * MS, "fine", 0, "small", "");
    assertThat(text(level(LogLevel.WARN)))
        .contains("slow disk", "as java.util.logging says", "a level that is unknown")
        .doesNotContain("up\n", "from the driver", "small");
    assertThat(text(level(LogLevel.TRACE))).contains("small", "from the driver");
  }

  @Test
  void filtersByRegularExpressionInMessageAndStackTrace() throws Exception {
    threeLines();
    assertThat(text(grep("IOEx.*slow"))).contains("slow disk").doesNotContain("up\n");
    assertThat(text(grep("(?i)UP$"))).contains("up\n").doesNotContain("slow disk");
    assertThat(text(grep("nothing of it"))).isEmpty();
    assertThat(notes(grep("nothing of it"))).isEqualTo("No log line of the run calm matches.\n");
    assertThatThrownBy(() -> text(grep("(")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--grep ( is not a regular expression");
  }

  @Test
  void filtersBySourceByNameOrUuid() throws Exception {
    threeLines();
    assertThat(text(source("driver"))).contains("from the driver").doesNotContain("slow disk");
    assertThat(text(source(TestRun.AGENT))).contains("slow disk").doesNotContain("the driver");
    assertThatThrownBy(() -> text(source("absent")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("No source absent has log lines in this run; these have: driver, fedora");
  }

  @Test
  void printsTheNewestInOrder() throws Exception {
    threeLines();
    assertThat(text(new LogFilter(null, null, null, null, null, 2, true)))
        .containsSubsequence("up\n", "slow disk")
        .doesNotContain("from the driver");
  }

  @Test
  void leavesOutStackTracesButStillLooksIntoThem() throws Exception {
    threeLines();
    LogFilter bare = new LogFilter(null, "a.B.c", null, null, null, 0, false);
    assertThat(text(bare))
        .isEqualTo(
            "2025-11-20 10:12:03.020 WARN  fedora org.fcrepo.Storage [http-1] (trace 7): slow"
                + " disk\n");
    StringWriter json = new StringWriter();
    JsonLogs.write(folder(), bare, json);
    JsonNode line = new ObjectMapper().readTree(json.toString()).at("/lines/0");
    assertThat(line.at("/thrown").asText()).isEmpty();
  }

  @Test
  void filtersByTime() throws Exception {
    threeLines();
    RunDocument document = run.document();
    long begin = LogFilter.epochNanos(document.started(), document);
    assertThat(LogFilter.epochNanos("1.5", document)).isEqualTo(begin + 1_500 * MS);
    long up = LogFilter.epochNanos("2025-11-20T10:12:03.010Z", null);
    assertThat(text(new LogFilter(null, null, null, up, up + MS, 0, true)))
        .contains("up\n")
        .doesNotContain("slow disk", "from the driver");
    assertThatThrownBy(() -> LogFilter.epochNanos("noon", document))
        .hasMessageStartingWith("noon is not a time: give seconds");
    assertThatThrownBy(() -> LogFilter.epochNanos("90", null))
        .hasMessageStartingWith("The run has no recorded start");
  }

  @Test
  void makesHostileTextHarmless() throws Exception {
    run.log(MS, "WARN\u001b[31m", 0, "a\u001b]0;x\u0007\nb\u009b\u202ec\r", "\ud800");
    assertThat(text(LogFilter.ALL))
        .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e", "\r")
        .contains("a\\u001b]0;x\\u0007\n    b\\u009b\\u202ec\\u000d");
  }

  @Test
  void marksLinesOfUnknownTime() throws Exception {
    run.log(MS, "INFO", 0, "hello", "");
    assertThat(text(LogFilter.ALL)).startsWith("(time unknown)");
  }

  @Test
  void reportsThatUnsealedLinesAreMissing() throws Exception {
    run.sql("INSERT INTO rollups (stage, count) VALUES ('ingest', 3), ('driver.request', 2)");
    try (Query query = run.query()) {
      assertThat(UnsealedData.message(query))
          .isEqualTo(
              "; 3 samples and their related data have arrived but are not sealed yet: try again in"
                  + " a minute");
    }
  }

  @Test
  void explainsWhichLinesAnAgentSendsIfItSentNone() throws Exception {
    assertThat(notes(LogFilter.ALL).replaceAll("\\s+", " "))
        .startsWith("The run calm has no log lines. An agent sends Fedora's log lines from WARN.")
        .contains("attach --log-level", "with off it sends none.");
  }

  @Test
  void reportsARunWithoutLogs() throws Exception {
    run.sql("DELETE FROM sources WHERE kind = 'agent'");
    assertThat(notes(LogFilter.ALL)).isEqualTo("The run calm has no log lines.\n");
    state = "monitoring";
    assertThat(notes(LogFilter.ALL))
        .isEqualTo(
            "The run calm has no log lines; those of the last minute may not be sealed yet: try"
                + " again in a\nminute.\n");
  }

  @Test
  void listsTheLogFilesAndPrintsOne() throws Exception {
    RunFolder folder = folder();
    Path logs = Files.createDirectories(folder.path().resolve("logs"));
    String longLine = "x".repeat(8191) + "\ud83d\ude00\n";
    Files.writeString(logs.resolve("fedora.log"), "one\r\n\ttwo\u001b[2J\n" + longLine);
    assertThat(notes(LogFilter.ALL)).contains("logs/fedora.log  8.21 kB");
    assertThat(text(LogFilter.ALL)).as("what is no log line").isEmpty();
    for (String name : new String[] {"fedora.log", "logs/fedora.log"}) {
      StringBuilder out = new StringBuilder();
      TextLogs.writeFile(folder, name, STYLE, out);
      assertThat(out.toString()).isEqualTo("one\n\ttwo\\u001b[2J\n" + longLine);
    }
    assertThatThrownBy(() -> TextLogs.writeFile(folder, "../run.json", STYLE, new StringBuilder()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The run calm has no log file ../run.json; there are: logs/fedora.log");
  }

  @Test
  void isTheSameForPrograms() throws Exception {
    threeLines();
    StringWriter out = new StringWriter();

    JsonLogs.write(folder(), LogFilter.ALL, out);

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/schema").asInt()).isEqualTo(1);
    assertThat(json.at("/lines")).hasSize(3);
    JsonNode line = json.at("/lines/2");
    assertThat(line.at("/time").asText()).isEqualTo("2025-11-20T10:12:03.020Z");
    assertThat(line.at("/level").asText()).isEqualTo("WARN");
    assertThat(line.at("/name").asText()).isEqualTo("fedora");
    assertThat(line.at("/trace").asLong()).isEqualTo(7);
    assertThat(line.at("/thrown").asText()).contains("IOException: slow\n\tat");
    assertThat(json.at("/files").isArray()).isTrue();
  }

  @Test
  void whatElseWasKnownIsShownBelowALineWhoseSourceCountsFrom1970() throws Exception {
    run.sql(
        "INSERT INTO sources (source, sequence, kind, name, attributes, first_seen_epoch_millis,"
            + " epoch_offset_nanos)"
            + " VALUES ('host', 1, 'log4j2', '192.0.2.7', '{\"clock\":\"epoch\"}', 1, 0)");
    run.sql(
        "INSERT INTO logs VALUES ('host', 1763633523123456789, 'WARN', 'app', 'main', 0, 'slow',"
            + " 'java.lang.Error', '{\"user\":\"n\u00e4me\u001b[31m\"}')");
    run.sql(
        "INSERT INTO logs VALUES ('host', 1763633524000000000, 'INFO', '', '', 0, 'up', '', '')");

    assertThat(text(LogFilter.ALL))
        .isEqualTo(
            """
            2025-11-20 10:12:03.123 WARN  192.0.2.7 app [main]: slow
                java.lang.Error
                {"user":"n\u00e4me\\u001b[31m"}
            2025-11-20 10:12:04.000 INFO  192.0.2.7: up
            """);
    StringWriter out = new StringWriter();
    JsonLogs.write(folder(), LogFilter.ALL, out);
    JsonNode line = new ObjectMapper().readTree(out.toString()).at("/lines/0");
    assertThat(line.at("/time").asText()).isEqualTo("2025-11-20T10:12:03.123456789Z");
    assertThat(line.at("/context").asText()).isEqualTo("{\"user\":\"n\u00e4me\u001b[31m\"}");
  }

  private void threeLines() throws SQLException {
    run.hosts("a", "b");
    run.log(20 * MS, "WARN", 7, "slow disk", "java.io.IOException: slow\n\tat a.B.c(B.java:1)\n");
    run.log(5 * MS, "DEBUG", 0, "from the driver", "");
    run.sql("UPDATE logs SET source = '" + TestRun.DRIVER + "' WHERE level = 'DEBUG'");
    run.log(10 * MS, "INFO", 0, "up", "");
  }

  private static LogFilter level(LogLevel level) {
    return new LogFilter(level, null, null, null, null, 0, true);
  }

  private static LogFilter grep(String pattern) {
    return new LogFilter(null, pattern, null, null, null, 0, true);
  }

  private static LogFilter source(String name) {
    return new LogFilter(null, null, name, null, null, 0, true);
  }

  private String text(LogFilter filter) throws Exception {
    StringBuilder out = new StringBuilder();
    TextLogs.write(folder(), filter, STYLE, out, new StringBuilder());
    return out.toString();
  }

  private String notes(LogFilter filter) throws Exception {
    StringBuilder notes = new StringBuilder();
    TextLogs.write(folder(), filter, STYLE, new StringBuilder(), notes);
    return notes.toString();
  }

  /** The run as a folder, as far as logs need it. */
  private RunFolder folder() throws Exception {
    RunFolder folder = new RunFolder(directory.resolve("calm"));
    Files.createDirectories(folder.path());
    for (Table table : new Table[] {Table.LOGS, Table.SOURCES, Table.TRACES}) {
      Path tables = Files.createDirectories(folder.tableDirectory(table));
      run.sql(
          "COPY (SELECT * FROM %s) TO '%s' (FORMAT parquet)"
              .formatted(table.tableName(), tables.resolve("0001.parquet")));
    }
    Files.writeString(
        folder.documentFile(), "{\"schema\": 1, \"name\": \"calm\", \"state\": \"" + state + "\"}");
    return folder;
  }
}
