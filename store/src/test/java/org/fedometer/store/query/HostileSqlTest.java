package org.fedometer.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.fedometer.store.RunFolder;
import org.fedometer.store.TestStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A query reads the run's tables: nothing else, and it changes nothing. */
@Tag("slow")
@Timeout(60)
class HostileSqlTest {
  private static final String SECRET = "not for everybody";

  @TempDir Path folder;
  private RunFolder run;
  private Path secret;
  private Path spills;
  private LocalQuery query;

  @BeforeEach
  void makeRun() throws Exception {
    run = new RunFolder(folder.resolve("runs/night"));
    TestStore.write(run, "samples", "1.parquet", TestStore.samples(0, 100));
    secret = Files.writeString(folder.resolve("secret.csv"), SECRET);
    spills = Files.createDirectory(folder.resolve("spills"));
    query = (LocalQuery) run.query(new QueryLimits(96 << 20, 1, spills, 8 << 20));
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    query.close();
    assertThat(spills).isEmptyDirectory();
    assertThat(secret).hasContent(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FROM samples LIMIT 1",
        "SELECT count(*) FROM samples;",
        "WITH a AS (SELECT 1) FROM a",
        "VALUES (1), (2)",
        "DESCRIBE samples",
        "SUMMARIZE samples",
        "SHOW TABLES",
        "EXPLAIN SELECT 1",
        "-- why\n /* so */ explain analyze FROM samples",
        "PIVOT samples ON stage IN ('ingest') USING sum(self_nanos)",
        "SELECT 'DROP TABLE samples; COPY' AS harmless",
        "FROM query_table('samples')",
        "FROM duckdb_columns() WHERE table_name = 'samples'",
        "WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 4) FROM t",
        "WITH q AS MATERIALIZED (FROM samples) FROM q UNION ALL FROM q",
        "SELECT stage FROM samples EXCEPT SELECT 'other'"
      })
  void executesReadingStatements(String sql) throws Exception {
    assertThat(TestStore.query(query, sql)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COPY samples TO 'RUN/tables/samples/2.parquet'",
        "COPY samples TO 'RUN/tables/samples/1.parquet' (RETURN_FILES)",
        "EXPLAIN ANALYZE COPY samples TO 'RUN/tables/samples/2.parquet'",
        "EXPORT DATABASE 'RUN/tables/samples'",
        "ATTACH 'RUN/tables/samples/x.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "CREATE TABLE x (a INTEGER)",
        "CREATE TEMP TABLE x AS SELECT 1",
        "CREATE OR REPLACE VIEW samples AS SELECT 1",
        "CREATE MACRO f() AS 1",
        "INSERT INTO samples VALUES (1)",
        "DELETE FROM samples",
        "DROP VIEW samples",
        "SET threads = 64",
        "SET memory_limit = '1TB'",
        "RESET memory_limit",
        "SET VARIABLE a = 1",
        "PRAGMA enable_profiling",
        "PRAGMA memory_limit = '1TB'",
        "CALL enable_logging()",
        "FROM enable_logging(storage = 'file', storage_config = {'path': 'RUN/log'})",
        "EXPLAIN ANALYZE FROM enable_logging()",
        "DESCRIBE FROM Enable_Profiling()",
        "SELECT * FROM main.\"enable_profiling\"(save_location = 'RUN/x')",
        "SELECT (SELECT count(*) FROM checkpoint())",
        "WITH q AS (FROM truncate_duckdb_logs()) FROM q",
        "FROM json_execute_serialized_sql(json_serialize_sql('FROM enable_logging()'))",
        "FROM query('FROM enable_logging()')",
        "FROM arrow_scan(1, 2, 3)",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP VIEW samples",
        "EXPLAIN SELECT 1; SELECT 2",
        "EXPLAIN EXPLAIN SELECT 1",
        "PREPARE p AS SELECT 1",
        "BEGIN",
        "USE memory",
        "VACUUM",
        "WITH q AS (INSERT INTO samples VALUES (1) RETURNING *) FROM q",
        "WITH q AS (COPY samples TO 'RUN/tables/samples/1.parquet') FROM q",
        "WITH q AS (COPY (SELECT 1) TO 'RUN/tables/samples/1.parquet' (RETURN_STATS)) FROM q",
        "EXPLAIN ANALYZE WITH q AS (COPY samples TO 'RUN/tables/samples/1.parquet') FROM q",
        "SELECT (WITH q AS (COPY samples TO 'RUN/x.parquet') SELECT count(*) FROM q)",
        "SELECT 1 UNION (WITH q AS (COPY samples TO 'RUN/x.parquet') FROM q)",
        "WITH q AS (UPDATE samples SET trace = 1 RETURNING *) FROM q",
        "WITH q AS (DELETE FROM samples RETURNING *) FROM q",
        "WITH q AS (MERGE INTO samples USING (SELECT 1) ON true WHEN MATCHED THEN DELETE) FROM q",
        "CONNECT 'RUN/x.db'",
        "DISCONNECT",
        "FROM read_csv('SECRET')",
        "FROM read_text('SECRET')",
        "FROM read_blob('SECRET')",
        "FROM read_json('SECRET')",
        "FROM sniff_csv('SECRET')",
        "FROM glob('FOLDER/*')",
        "FROM 'SECRET'",
        "FROM 'RUN/../../secret.csv'",
        "FROM read_parquet('RUN/tables/samples/../../../../secret.csv')",
        "FROM read_parquet('RUN/tables/*/*.parquet')",
        "FROM 'http://127.0.0.1:9/x.parquet'",
        "FROM read_parquet('s3://bucket/x.parquet')",
        "FROM read_single_parquet_file('RUN/tables/samples/../../../../secret.csv')",
        "FROM read_single_csv_file('SECRET')",
        "FROM read_single_json_file('SECRET')",
        "FROM read_parquet([path_join('FOLDER', 'secret.csv')])",
        "FROM register_external_resource('file', 'SECRET')",
        "FROM register_external_resource_type('file')",
        "FROM create_external_resource('file', 'SECRET')",
        "FROM destroy_external_resource('SECRET')",
        "FROM deregister_external_resource('SECRET')",
        "FROM duckdb_external_resources()",
        "FROM duckdb_extension_repositories()",
        "FROM duckdb_secrets()",
        "CREATE SECRET s (TYPE http)",
        "INSTALL httpfs FROM 'FOLDER'",
        "UPDATE EXTENSIONS",
        "SET extension_repository_directory = 'FOLDER'",
        "SET allow_extension_repositories = 'allowed'",
        "SET external_file_cache_spill = true",
        "SET max_execution_time = 1",
        "SET operator_memory_limit = '1TB'",
        "SET current_dialect = 'spark'",
        "SET allowed_configs = ['memory_limit']",
        "FROM allowed_configs('memory_limit')",
        "COPY (FROM samples) TO 'RUN/x.json'",
        "CHECKPOINT",
        "SELECT getenv('HOME')",
        "SELEC 1",
        "",
        " ; "
      })
  void refusesStatementsThatWriteOrReadElsewhere(String template) throws Exception {
    String sql =
        template
            .replace("RUN", run.path().toString())
            .replace("SECRET", secret.toString())
            .replace("FOLDER", folder.toString());
    List<String> before = everything();

    assertThatThrownBy(() -> TestStore.query(query, sql))
        .isInstanceOf(QueryException.class)
        .hasMessageNotContaining(SECRET)
        .hasMessageNotContaining("INTERNAL");

    assertThat(everything()).isEqualTo(before);
    assertThat(TestStore.query(query, "SELECT count(*), current_setting('threads') FROM samples"))
        .containsExactly("100|1");
  }

  @Test
  void aLinkAmongTheTablesIsNotFollowed() throws Exception {
    Path other =
        TestStore.write(
            new RunFolder(folder.resolve("elsewhere")),
            "samples",
            "other.parquet",
            TestStore.samples(1000, 1001));
    Files.createSymbolicLink(run.path().resolve("tables/samples/2.parquet"), other);
    Files.createSymbolicLink(run.path().resolve("tables/requests"), other.getParent());
    Path link = run.path().resolve("tables/samples/2.parquet");

    try (Query fresh = run.query()) {
      assertThat(TestStore.query(fresh, "SELECT max(trace) FROM samples")).containsExactly("99");
      assertThat(TestStore.query(fresh, "FROM requests")).isEmpty();
      assertThatThrownBy(() -> TestStore.query(fresh, "FROM '" + link + "'"))
          .isInstanceOf(QueryException.class);
      assertThatThrownBy(() -> TestStore.query(fresh, "FROM '" + other + "'"))
          .isInstanceOf(QueryException.class);
    }
  }

  @Test
  void memoryLimitEndsAStatementWithAdvice() throws Exception {
    assertThatThrownBy(() -> TestStore.query(query, "SELECT list(range) FROM range(1000000000)"))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("exceeds its memory limit")
        .hasMessageContaining("LIMIT");

    assertThat(TestStore.query(query, "SELECT 1")).containsExactly("1");
  }

  @Test
  void whatDoesNotFitIntoMemoryGoesToDisk() throws Exception {
    try (Query larger = run.query(new QueryLimits(64 << 20, 1, spills, 0))) {
      assertThat(
              TestStore.query(
                  larger,
                  "SELECT count(DISTINCT range::VARCHAR || 'of considerable length') FROM"
                      + " range(2000000)"))
          .containsExactly("2000000");
    }
  }

  @Test
  void aStatementThatRunsForeverCanBeCancelled() throws Exception {
    CompletableFuture<Throwable> ended =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                TestStore.query(
                    query,
                    "SELECT count(*) FROM range(100000000) a, range(100000000) b"
                        + " WHERE a.range * b.range = 7");
                return null;
              } catch (QueryException e) {
                return e;
              }
            });
    while (!ended.isDone()) {
      query.cancel();
      Thread.onSpinWait();
    }
    assertThat(ended.get(1, TimeUnit.SECONDS)).hasMessageContaining("cancelled");
  }

  @Test
  void cancelsAnEndlessResult() throws Exception {
    try (Rows rows = query.execute("SELECT range FROM range(1000000000000)")) {
      assertThat(rows.next()).isTrue();
      query.cancel();
      assertThatThrownBy(rows::next)
          .isInstanceOf(QueryException.class)
          .hasMessageContaining("cancelled");
    }
  }

  @Test
  void failureBeforeTheFirstRowHasAReason() throws Exception {
    assertThatThrownBy(() -> TestStore.query(query, "SELECT error('not like this') FROM samples"))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("not like this");

    assertThat(TestStore.query(query, "SELECT count(*) FROM samples")).containsExactly("100");
  }

  @Test
  void failureHalfwayIsNoCompleteResult() {
    assertThatThrownBy(
            () ->
                TestStore.query(
                    query,
                    "SELECT CASE WHEN range = 3000000 THEN error('too far') ELSE range END"
                        + " FROM range(4000000)"))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("too far");
  }

  /** Names and contents. */
  private List<String> everything() throws Exception {
    List<String> everything = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> !file.startsWith(spills)).sorted().toList()) {
        everything.add(
            Files.isDirectory(file)
                ? file.toString()
                : file + " " + Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return everything;
  }
}
