package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.fedometer.store.TestStore.query;
import static org.fedometer.store.TestStore.samples;
import static org.fedometer.store.TestStore.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.fedometer.store.seal.TestSegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queries runs of any age, single and together, while files come and go. */
@Tag("slow")
@Timeout(120)
class RunQueryTest {
  private static final int QUERIES = 300;

  @TempDir Path directory;

  @Test
  void aColumnThatOldFilesLackIsNullAndOneOfALaterVersionIsNotSeen() throws Exception {
    RunFolder run = run("old");
    write(run, "samples", "1.parquet", "SELECT 's' AS source, 1::INTEGER AS trace, 9 AS colour");
    write(run, "requests", "1.parquet", "SELECT 's' AS source, 7::BIGINT AS object_index");
    write(run, "samples", "2.parquet", samples(2, 3));

    try (Query query = run.query()) {
      assertThat(query(query, "SELECT trace, stage, self_nanos FROM samples ORDER BY trace"))
          .containsExactly("1|null|null", "2|ingest|4");
      for (Table table : Table.values()) {
        assertThat(
                query(
                    query,
                    "SELECT column_name || ' ' || column_type FROM (DESCRIBE " + table + ")"))
            .isEqualTo(columnsOf(table));
      }
    }
  }

  @Test
  void theTablesOfAllRunsHaveTheRunAsFirstColumn() throws Exception {
    write(run("a"), "samples", "1.parquet", samples(0, 10));
    write(run("b"), "samples", "1.parquet", samples(0, 20));
    for (String name : List.of("a", "b")) {
      for (int sequence = 1; sequence <= 2; sequence++) {
        write(
            run(name),
            "totals",
            sequence + ".parquet",
            "SELECT 's' AS source, 'ingest' AS stage, %1$d::BIGINT AS sequence, %1$d::BIGINT AS count"
                .formatted(sequence));
        write(
            run(name),
            "sources",
            sequence + ".parquet",
            "SELECT 's' AS source, %d::BIGINT AS sequence".formatted(sequence));
      }
    }

    try (Query query = RunStore.at(directory).query()) {
      assertThat(query(query, "SELECT run, count(*) FROM samples GROUP BY run ORDER BY run"))
          .containsExactly("a|10", "b|20");
      assertThat(query(query, "SELECT run, count FROM totals ORDER BY run"))
          .as("the newest of each run")
          .containsExactly("a|2", "b|2");
      assertThat(query(query, "SELECT run, sequence FROM sources ORDER BY run"))
          .containsExactly("a|2", "b|2");
      for (Table table : Table.values()) {
        List<String> columns = new ArrayList<>(List.of("run VARCHAR"));
        columns.addAll(columnsOf(table));
        assertThat(
                query(
                    query,
                    "SELECT column_name || ' ' || column_type FROM (DESCRIBE " + table + ")"))
            .startsWith(columns.toArray(String[]::new));
      }
    }
  }

  @Test
  void aConditionOnTheRunOpensNoFileOfOthers() throws Exception {
    write(run("a"), "samples", "1.parquet", samples(0, 10));
    write(run("a"), "totals", "1.parquet", "SELECT 's' AS source, 1::BIGINT AS sequence");
    for (String table : List.of("samples", "totals")) {
      Files.writeString(
          write(run("broken"), table, "1.parquet", "SELECT 1 AS x"), "this is no Parquet");
    }

    try (Query query = RunStore.at(directory).query()) {
      assertThat(query(query, "SELECT count(*) FROM samples WHERE run = 'a'"))
          .containsExactly("10");
      assertThat(query(query, "SELECT sequence FROM totals WHERE run = 'a'")).containsExactly("1");
    }
  }

  @Test
  void queriesARunByItsPath() throws Exception {
    Path odd = directory.resolve("it's [a] *run?");
    write(new RunFolder(directory.resolve("plain")), "samples", "1.parquet", samples(0, 3));
    Files.move(directory.resolve("plain"), odd);
    Files.writeString(odd.resolve("run.json"), "{}");

    try (Query query = RunStore.at(directory.resolve("other")).run(odd.toString()).query()) {
      assertThat(query(query, "SELECT count(*) FROM samples")).containsExactly("3");
    }
  }

  @Test
  void aTableIsThereHoweverItsNameIsWritten() throws Exception {
    TestSegment.number(1).traces(0, 0, 3).seal(run("a"));

    for (String sql :
        List.of(
            "SELECT count(*) FROM samples",
            "SELECT count(*) FROM \"SAMPLES\"",
            "SELECT count(*) FROM query_table('sam' || 'ples')",
            "SELECT 3 FROM (SHOW TABLES) WHERE name = 'samples'",
            "SELECT 3 FROM sqlite_master WHERE name = 'samples'",
            "SELECT 3 FROM duckdb_views() WHERE view_name = 'samples'",
            "SELECT 3 FROM information_schema.tables WHERE table_name = 'samples'")) {
      try (Query query = run("a").query()) {
        assertThat(query(query, sql)).as(sql).containsExactly("3");
      }
    }
  }

  @Test
  void returnsValuesOfEveryType() throws Exception {
    try (Query query = run("none").query();
        Rows rows =
            query.execute(
                "SELECT sum(range), 18446744073709551615::UHUGEINT, 'NaN'::DOUBLE, ?, '\\xAA'::BLOB,"
                    + " [1, NULL], {'b': 'c', 'a': {'x': 1}}, row(1, 2), MAP {'k': 2.5::DOUBLE}, 1.50::DECIMAL(4, 2), NULL"
                    + " FROM range(5)",
                "it's")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.value(0)).isEqualTo(10L);
      assertThat(rows.value(1)).isEqualTo("18446744073709551615");
      assertThat(rows.value(2)).isEqualTo(Double.NaN);
      assertThat(rows.value(3)).isEqualTo("it's");
      assertThat(rows.value(4)).isEqualTo(new byte[] {(byte) 0xAA});
      assertThat(rows.value(5)).asString().isEqualTo("[1, null]");
      assertThat(rows.value(6)).asString().isEqualTo("{b=c, a={x=1}}");
      assertThat(rows.value(7)).asString().isEqualTo("{element1=1, element2=2}");
      assertThat(rows.value(8)).asString().isEqualTo("{k=2.5}");
      assertThat(rows.decimal(9)).isEqualTo(1.5);
      assertThat(rows.value(10)).isNull();
      assertThat(rows.next()).isFalse();
    }
  }

  @Test
  void queriesSurviveMergingOfFiles() throws Exception {
    RunFolder run = run("merged");
    write(run, "samples", "0-0.parquet", samples(0, 100));
    Semaphore permits = new Semaphore(0);
    CompletableFuture<Void> merging =
        CompletableFuture.runAsync(() -> mergeOnceForEach(permits, run));
    try {
      for (int i = 0; i < QUERIES; i++) {
        permits.release();
        try (Query query = i % 2 == 0 ? run.query() : RunStore.at(directory).query()) {
          assertThat(query(query, "SELECT count(DISTINCT trace) FROM samples"))
              .containsExactly("100");
        }
      }
    } finally {
      permits.release(QUERIES);
      merging.get(10, TimeUnit.SECONDS);
    }
  }

  /** Replaces the one file by one of another name with the same rows. */
  private static void mergeOnceForEach(Semaphore permits, RunFolder run) {
    try {
      Path current = run.tableFiles(Table.SAMPLES).get(0);
      byte[] content = Files.readAllBytes(current);
      for (int i = 1; i <= QUERIES; i++) {
        permits.acquireUninterruptibly();
        Path next = current.resolveSibling(i + ".parquet");
        Path aside = run.path().resolve("merging.tmp");
        Files.write(aside, content);
        Files.move(aside, next);
        Files.delete(current);
        current = next;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aThousandRunsAreSummedUp() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      RunFolder run = run("run-" + i);
      Files.createDirectories(run.path());
      Files.writeString(
          run.documentFile(),
          """
          {"schema": 1, "id": "%s", "state": "done", "profile": {"name": "p"},
           "dataset": {"name": "d"}, "objects": {"requested": 20, "ingested": 20},
           "phases": [{"name": "ingest", "startNanos": 0, "endNanos": 1000000000},
                      {"name": "drain", "startNanos": 1000000000, "endNanos": 2000000000}],
           "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T00:01:00Z"}"""
              .formatted(Ulid.of(i)));
    }
    Files.createDirectories(run("broken").path());

    List<RunSummary> summaries = RunStore.at(directory).summaries();

    assertThat(summaries).hasSize(1_001);
    assertThat(summaries.get(0).state()).isEqualTo(RunSummary.UNKNOWN);
    RunSummary newest = summaries.get(1);
    assertThat(newest.name()).isEqualTo("run-999");
    assertThat(newest.objectsPerSecond()).isEqualTo(10.0);
    assertThat(newest.durationMillis()).isEqualTo(60_000);
    assertThat(newest.sizeBytes()).isGreaterThan(100);
    assertThat(RunStore.at(directory.resolve("nowhere")).summaries()).isEmpty();
  }

  /** Returns name and type of all columns for queries, including computed ones. */
  private static List<String> columnsOf(Table table) {
    List<String> columns = new ArrayList<>(table.columns());
    if (table == Table.SAMPLES) {
      columns.add("self_nanos BIGINT");
    }
    return columns;
  }

  private RunFolder run(String name) {
    return RunStore.at(directory).folderOf(name);
  }
}
