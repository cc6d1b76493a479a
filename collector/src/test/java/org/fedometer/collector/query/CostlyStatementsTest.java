package org.fedometer.collector.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.collector.segmentlog.DurableFrames;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No statement exceeds its limits of memory and time. */
@Tag("slow")
@Timeout(300)
class CostlyStatementsTest {
  private static final QueryServiceLimits LIMITS =
      QueryServiceLimits.defaults().withTimeLimit(Duration.ofSeconds(5));
  private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

  private static final List<String> VALUES =
      List.of(
          "SELECT length(repeat('x', 2000000000)) + length(repeat('y', 1000000000))",
          "SELECT repeat('x', 4000000000)",
          "SELECT repeat('x', 200000000)",
          "SELECT length(repeat(repeat('x', 100000000), 40))",
          "SELECT length(rpad('x', 2000000000, 'y')) + length(lpad('x', 2000000000, 'y'))",
          "SELECT length(replace(repeat('x', 50000000), 'x', repeat('y', 100)))",
          "SELECT length(regexp_replace(repeat('x', 10000000), 'x', repeat('y', 1000), 'g'))",
          "SELECT length(to_base64(repeat('x', 400000000)::BLOB))",
          "SELECT length(printf('%2000000000d', 1))",
          "SELECT length(concat(repeat('x', 400000000), repeat('y', 400000000)))",
          "SELECT length(bitstring('1', 2000000000))",
          "SELECT levenshtein(repeat('x', 100000000), repeat('y', 100000000))",
          "SELECT json(repeat('[', 100000000) || repeat(']', 100000000))");

  private static final List<String> LISTS =
      List.of(
          "SELECT len(range(2000000000))",
          "SELECT range(20000000)",
          "SELECT length(range(100000000)::VARCHAR)",
          "SELECT len(list_transform(range(100000000), lambda x: repeat('y', 1000)))",
          "SELECT len(flatten([range(10000000) FOR i IN range(100)]))",
          "SELECT len(string_split(repeat('x,', 100000000), ','))",
          "SELECT len(list_resize([1], 1000000000))",
          "SELECT cardinality(map(range(50000000), range(50000000)))",
          "SELECT len(regexp_extract_all(repeat('x', 100000000), 'x'))");

  private static final List<String> AGGREGATES =
      List.of(
          "SELECT string_agg(repeat('x', 1000000), '') FROM range(5000)",
          "SELECT list(x) FROM (SELECT repeat('z', 10000) AS x FROM range(1000000))",
          "SELECT histogram(range) FROM range(100000000)",
          "SELECT mode(repeat('x', 1000) || range) FROM range(10000000)",
          "SELECT count(DISTINCT repeat('x', 1000) || range) FROM range(100000000)",
          "SELECT quantile_cont(range, [0.1, 0.5, 0.9]) FROM range(1000000000)",
          "SELECT max(repeat('x', 500000000) || range) FROM range(10)",
          "SELECT max_by(range, repeat('x', 10000), 900000) FROM range(100000000)",
          "SELECT json_group_array(repeat('x', 1000)) FROM range(10000000)");

  private static final List<String> PLANS =
      List.of(
          "SELECT count(*) FROM range(100000) a, range(100000) b, range(1000) c"
              + " WHERE a.range % 7 = b.range % 11",
          "FROM range(10000000) a, range(10000000) b ORDER BY hash(a.range + b.range)",
          "SELECT a.range FROM range(100000000) a JOIN range(100000000) b USING (range)",
          "SELECT string_agg(repeat('x', 1000), '') OVER (ORDER BY range) FROM range(1000000)",
          "SELECT DISTINCT repeat(range::VARCHAR, 100000) FROM range(100000)",
          "FROM (SELECT repeat('x', 100000000) || range FROM range(100)) ORDER BY 1",
          "WITH RECURSIVE t(x) AS (VALUES ('x') UNION ALL SELECT x || x FROM t) FROM t",
          "WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t) SELECT sum(n) FROM t",
          "WITH a AS MATERIALIZED (SELECT repeat('x', 100000) FROM range(1000000)) FROM a, a AS b");

  private static final List<String> RESULTS =
      List.of(
          "SELECT range FROM range(1000000000000)",
          "SELECT repeat('x', 10000000) FROM range(1000000)",
          "FROM repeat(repeat('x', 1000000), 1000000)",
          "SUMMARIZE SELECT repeat('x', 100000) || range FROM range(10000000)",
          "EXPLAIN ANALYZE SELECT len(range(2000000000))");

  @TempDir Path directory;
  private SegmentLog segmentLog;
  private QueryService queryService;

  @BeforeEach
  void start() throws Exception {
    RunStore store = RunStore.at(directory);
    segmentLog = SegmentLog.start(store, "here", SegmentLogOptions.defaults(), DurableFrames.NONE);
    queryService = QueryService.start(store, segmentLog, QueryServiceLimits.defaults());
  }

  @AfterEach
  void stop() throws Exception {
    queryService.close();
    segmentLog.stop(Duration.ofSeconds(30));
    assertThat(ProcessHandle.current().children()).isEmpty();
    assertThat(directory.resolve("queries.tmp")).doesNotExist();
  }

  @Test
  void costlyStatementFailsWithinItsLimits() throws Exception {
    limitTime();
    Map<String, TestReader> submitted = new LinkedHashMap<>();
    Stream.of(VALUES, LISTS, AGGREGATES, PLANS, RESULTS)
        .flatMap(List::stream)
        .forEach(sql -> submitted.put(sql, submit(sql)));

    long peakBytes = 0;
    for (TestReader reader : submitted.values()) {
      while (!reader.ended.await(20, TimeUnit.MILLISECONDS)) {
        peakBytes = Math.max(peakBytes, peakBytesOfChildren());
      }
    }

    assertThat(peakBytes).isBetween(1L, LIMITS.memoryBytes());
    assertThat(submitted)
        .allSatisfy(
            (sql, reader) ->
                assertThat(reader.failure())
                    .containsAnyOf(
                        "The statement needs more than",
                        "The statement exceeds its memory limit",
                        "The query exceeded its time limit"));
  }

  @Test
  void aProcessIsKeptForTheNextQueryAndReplacedWhenItHasDied() throws Exception {
    assertThat(submit("SELECT 1").ended.await(60, TimeUnit.SECONDS)).isTrue();
    await().until(() -> ProcessHandle.current().children().count() == 1);
    ProcessHandle first = ProcessHandle.current().children().findFirst().orElseThrow();

    TestReader second = submit("SELECT 2");
    assertThat(second.ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(ProcessHandle.current().children()).containsExactly(first);

    first.destroyForcibly();
    await().until(() -> !first.isAlive());
    TestReader third = submit("SELECT 3");
    assertThat(third.ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(third.end.get().state()).isEqualTo(QueryResult.State.LAST);
  }

  @Test
  void killedProcessIsNotReportedAsOutOfMemory() throws Exception {
    TestReader reader = submit("SELECT range FROM range(1000000000000)");
    assertThat(reader.begun.await(60, TimeUnit.SECONDS)).isTrue();

    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);

    assertThat(reader.ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(reader.failure()).isEqualTo("FAILED: The query process has ended (exit code 137)");
  }

  /** Limits the time; most statements of the table would run for their five minutes. */
  private void limitTime() throws Exception {
    queryService.close();
    queryService = QueryService.start(RunStore.at(directory), segmentLog, LIMITS);
  }

  private TestReader submit(String sql) {
    try {
      TestReader reader = new TestReader();
      String request = new JsonMapper().writeValueAsString(Map.of("request", "query", "sql", sql));
      queryService.submit(reader, new QueryRequest(1, request));
      return reader;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(sql, e);
    }
  }

  private static long peakBytesOfChildren() {
    return ProcessHandle.current()
        .children()
        .mapToLong(child -> peakBytes(child.pid()))
        .max()
        .orElse(0);
  }

  /** Zero for a child that has yet to run its program: until then it has this JVM's memory. */
  private static long peakBytes(long pid) {
    try {
      if (!Files.readString(Path.of("/proc/" + pid + "/cmdline")).contains("QueryWorker")) {
        return 0;
      }
      Matcher peak = PEAK.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
      return peak.find() ? Long.parseLong(peak.group(1)) * 1024 : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Keeps the end of an answer. */
  private static final class TestReader implements ReaderConnection {
    private final AtomicReference<QueryResult> end = new AtomicReference<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public boolean isWritable() {
      return true;
    }

    @Override
    public void send(QueryResult answer) {
      if (answer.state() == QueryResult.State.MORE && answer.content().length > 0) {
        begun.countDown();
      }
      if (answer.state() != QueryResult.State.MORE) {
        end.set(answer);
        ended.countDown();
      }
    }

    @Override
    public String peer() {
      return "a test";
    }

    String failure() {
      return end.get().state() + ": " + new String(end.get().content(), StandardCharsets.UTF_8);
    }
  }
}
