package org.fedometer.collector.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.collector.segmentlog.DurableFrames;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits of a query. */
@Timeout(60)
class QueryServiceTest {
  private static final String FOREVER =
      "{\"request\":\"query\",\"sql\":\"SELECT count(*) FROM range(1000000) a, range(1000000) b"
          + " WHERE a.range * b.range = -1\"}";
  private static final String ENDLESS =
      "{\"request\":\"query\",\"sql\":\"SELECT range FROM range(1000000000000)\"}";
  private static final String GREEDY =
      "{\"request\":\"query\",\"sql\":\"SELECT list(range) FROM range(1000000000)\"}";

  @TempDir Path directory;
  private SegmentLog segmentLog;

  @BeforeEach
  void start() throws Exception {
    segmentLog =
        SegmentLog.start(
            RunStore.at(directory), "here", SegmentLogOptions.defaults(), DurableFrames.NONE);
  }

  @AfterEach
  void stop() throws Exception {
    segmentLog.stop(Duration.ofSeconds(30));
  }

  @Test
  void cancelsQueriesThatExceedTheTimeLimit() throws Exception {
    try (QueryService queryService =
        startService(QueryServiceLimits.defaults().withTimeLimit(Duration.ofMillis(500)))) {
      for (String query : List.of(FOREVER, ENDLESS)) {
        RecordingReader reader = new RecordingReader(true);
        queryService.submit(reader, new QueryRequest(1, query));
        assertThat(reader.failure()).contains("exceeded its time limit");
      }
      RecordingReader deaf = new RecordingReader(false);
      queryService.submit(deaf, new QueryRequest(1, ENDLESS));
      assertThat(deaf.failure()).contains("exceeded its time limit");
      assertThat(deaf.results).as("nothing was sent to who does not read").hasSize(1);
    }
    assertThat(directory.resolve("queries.tmp")).doesNotExist();
  }

  @Test
  void abandonedQueryDoesNotEndAsAnEmptyResult() {
    RecordingReader reader = new RecordingReader(true);
    PendingQuery query = new PendingQuery(reader, new QueryRequest(1, ENDLESS));
    query.start(0);

    query.tick(Long.MAX_VALUE, Long.MAX_VALUE);
    query.complete();

    assertThat(reader.failure()).contains("exceeded its time limit");
    assertThat(reader.results).hasSize(1);
  }

  @Test
  void cancelsQueriesThatExceedTheMemoryLimit() throws Exception {
    try (QueryService queryService =
        startService(
            new QueryServiceLimits(
                1, 256 << 20, 8 << 20, Duration.ofMinutes(1), Duration.ofMinutes(1)))) {
      RecordingReader reader = new RecordingReader(true);
      queryService.submit(reader, new QueryRequest(1, GREEDY));
      assertThat(reader.failure()).contains("exceeds its memory limit");
    }
  }

  @Test
  void queuesQueriesBeyondTheConcurrencyLimit() throws Exception {
    try (QueryService queryService = startService(QueryServiceLimits.defaults())) {
      PendingQuery one =
          queryService.submit(new RecordingReader(true), new QueryRequest(1, FOREVER));
      PendingQuery two =
          queryService.submit(new RecordingReader(true), new QueryRequest(1, FOREVER));
      RecordingReader third = new RecordingReader(true);
      queryService.submit(third, new QueryRequest(7, "{\"request\":\"runs\"}"));
      await().until(() -> third.results.stream().anyMatch(answer -> answer.content().length == 0));
      assertThat(third.results).as("signs of life only").allMatch(a -> a.content().length == 0);

      one.disconnect();

      await().until(() -> third.last() != null && third.last().state() == QueryResult.State.LAST);
      two.disconnect();
    }
  }

  @Test
  void abandonsStalledReadersWhileOthersWait() throws Exception {
    try (QueryService queryService =
        startService(QueryServiceLimits.defaults().withStallTimeout(Duration.ofSeconds(1)))) {
      RecordingReader deaf = new RecordingReader(false);
      RecordingReader alsoDeaf = new RecordingReader(false);
      queryService.submit(deaf, new QueryRequest(1, ENDLESS));
      queryService.submit(alsoDeaf, new QueryRequest(1, ENDLESS));
      RecordingReader third = new RecordingReader(true);
      queryService.submit(third, new QueryRequest(7, "{\"request\":\"runs\"}"));

      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> third.last() != null && third.last().state() == QueryResult.State.LAST);
      assertThat(deaf.last() == null ? alsoDeaf.failure() : deaf.failure())
          .contains("other queries waited");
    }
  }

  @Test
  void failingReaderDoesNotDisableTimeLimits() throws Exception {
    // Longer than until the first sign of life, at which it fails.
    try (QueryService queryService =
        startService(QueryServiceLimits.defaults().withTimeLimit(Duration.ofSeconds(7)))) {
      queryService.submit(new FailingReader(), new QueryRequest(1, FOREVER));
      RecordingReader reader = new RecordingReader(true);
      queryService.submit(reader, new QueryRequest(2, FOREVER));
      assertThat(reader.failure()).contains("exceeded its time limit");
    }
  }

  @Test
  void closingAbandonsQueries() throws Exception {
    RecordingReader reader = new RecordingReader(true);
    try (QueryService queryService = startService(QueryServiceLimits.defaults())) {
      queryService.submit(reader, new QueryRequest(1, FOREVER));
    }
    assertThat(Files.exists(directory.resolve("queries.tmp"))).isFalse();
  }

  private QueryService startService(QueryServiceLimits limits) throws Exception {
    return QueryService.start(RunStore.at(directory), segmentLog, limits);
  }

  /** Fails on each check for writability. */
  private static final class FailingReader implements ReaderConnection {
    @Override
    public boolean isWritable() {
      throw new IllegalStateException("broken");
    }

    /** Discards the result. */
    @Override
    public void send(QueryResult answer) {}

    @Override
    public String peer() {
      return "a broken one";
    }
  }

  /** Records its results. */
  private static final class RecordingReader implements ReaderConnection {
    private final List<QueryResult> results = new CopyOnWriteArrayList<>();
    private final boolean writable;

    RecordingReader(boolean writable) {
      this.writable = writable;
    }

    @Override
    public boolean isWritable() {
      return writable;
    }

    @Override
    public void send(QueryResult answer) {
      // The newest suffice for an endless response.
      if (results.size() > 100) {
        results.clear();
      }
      results.add(answer);
    }

    @Override
    public String peer() {
      return "a test";
    }

    QueryResult last() {
      List<QueryResult> now = List.copyOf(results);
      return now.isEmpty() ? null : now.get(now.size() - 1);
    }

    String failure() {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> last() != null && last().state() == QueryResult.State.FAILED);
      return new String(last().content(), StandardCharsets.UTF_8);
    }
  }
}
