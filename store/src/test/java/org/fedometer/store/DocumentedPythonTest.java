package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.fedometer.store.seal.Merger;
import org.fedometer.store.seal.TestSegment;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pandas and PySpark queries of {@code docs/store.md} have the results of the SQL ones. Runs if
 * {@code FEDOMETER_PYTHON} names a Python with pandas, pyarrow, pyspark and hdrhistogram.
 */
class DocumentedPythonTest {
  private static final String PYTHON = System.getenv("FEDOMETER_PYTHON");
  private static final int QUERIES = 3;

  /** Prints a query's result: numbers to nine digits, as {@link #shown} does. */
  private static final String PRINT =
      """

      if hasattr(answer, "toPandas"):
          answer = answer.toPandas()
      for row in answer[COLUMNS].itertuples(index=False):
          print("|".join(value if isinstance(value, str) else "%.9e" % float(value) for value in row))
      """;

  @TempDir Path directory;
  private String page;
  private RunFolder run;

  @BeforeEach
  void makeRun() throws Exception {
    assumeTrue(
        PYTHON != null,
        "SKIPPED: FEDOMETER_PYTHON names no Python with pandas, pyarrow, pyspark, hdrhistogram");
    page = Files.readString(Path.of("../docs/store.md"));
    run = new RunFolder(directory.resolve("run"));
    Random random = new Random(5);
    for (int number = 1; number <= 10; number++) {
      TestSegment segment =
          TestSegment.number(number).source(1, 0).stages(0, "a", "b", "c").threads(0, "t");
      SampleEncoder samples = new SampleEncoder();
      TraceEncoder traces = new TraceEncoder();
      RequestEncoder requests = new RequestEncoder();
      for (int i = 0; i < 100; i++) {
        long trace = number * 1_000L + i;
        long start = trace * 20_000_000;
        long duration = 1_000_000 + random.nextInt(100_000_000);
        int stage = random.nextInt(3);
        samples.add(stage, 0, trace, start + 5, duration / 2, duration / 5, false);
        traces.add(trace, 0, "demo:" + trace, "", "", false);
        int status = i % 7 == 0 ? 500 : 201;
        String operation = i % 3 == 0 ? "purge" : "ingest";
        requests.add(
            trace, "demo:" + trace, "", 0, 1, start, duration, status, 10, "", operation, start);
      }
      segment
          .samples(0, samples)
          .frame(0, FrameType.TRACES, traces.finish())
          .frame(0, FrameType.REQUESTS, requests.finish())
          .seal(run);
    }
    // The files that were merged are still there, and must not count.
    new Merger(TestSegment.STORE, 256L << 20).compact(run, Duration.ofHours(1));
    assertThat(run.coveredFiles(Table.SAMPLES)).isNotEmpty();
  }

  @Test
  void pandasAndSparkAnswerWhatSqlDoes() throws Exception {
    List<String> sql = blocks("sql");
    List<String> python = blocks("python");
    String reading = python.get(0).replace("fedometer-store/runs/<name>", run.path().toString());
    String spark = python.get(1);
    assertThat(sql).hasSize(QUERIES);
    assertThat(python).hasSize(2 + 2 * QUERIES);
    for (int i = 0; i < QUERIES; i++) {
      List<String> columns = new ArrayList<>();
      List<String> expected = shown(sql.get(i), columns);
      assertThat(expected).hasSizeGreaterThan(1);
      String print = PRINT.replace("COLUMNS", "[\"" + String.join("\", \"", columns) + "\"]");
      assertThat(python.get(2 + 2 * i)).startsWith("# pandas");
      assertThat(answers(reading + python.get(2 + 2 * i) + print)).isEqualTo(expected);
      assertThat(python.get(3 + 2 * i)).startsWith("# Spark");
      assertThat(answers(reading + spark + python.get(3 + 2 * i) + print)).isEqualTo(expected);
    }
  }

  @Test
  void pythonDecodesTheHistograms() throws Exception {
    String script =
        blocks("python").get(0).replace("fedometer-store/runs/<name>", run.path().toString())
            + "rollups = read(\"rollups\")\n"
            + blocks("py").get(0)
            + "print(everything.get_total_count())\nprint(p99_millis)\n";

    List<String> lines = answers(script);

    assertThat(lines.get(0)).isEqualTo("2000");
    try (Query query = run.query()) {
      double exact =
          Double.parseDouble(
              TestStore.query(
                      query,
                      "SELECT quantile_disc(n, 0.99) / 1e6 FROM (SELECT duration_nanos AS n FROM"
                          + " samples UNION ALL SELECT duration_nanos FROM requests)")
                  .get(0));
      assertThat(Double.parseDouble(lines.get(1))).isCloseTo(exact, withinPercentage(1.0));
    }
  }

  private List<String> blocks(String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(page)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private List<String> shown(String sql, List<String> columns) throws Exception {
    List<String> result = new ArrayList<>();
    try (Query query = run.query();
        Rows rows = query.execute(sql)) {
      rows.columns().forEach(column -> columns.add(column.name()));
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
          Object value = rows.value(i);
          row.add(
              value instanceof Number || rows.text(i).matches("-?[0-9.]+")
                  ? "%.9e".formatted(Double.parseDouble(rows.text(i)))
                  : rows.text(i));
        }
        result.add(String.join("|", row));
      }
    }
    return result;
  }

  private List<String> answers(String script) throws Exception {
    Path file = Files.writeString(directory.resolve("script.py"), script);
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(PYTHON, file.toString())
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    return Files.readAllLines(out);
  }
}
