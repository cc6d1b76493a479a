package org.fedometer.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.report.TextReport;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.CollectorRequestSink;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.store.RunStore;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver's requests are those in the store and the report. */
class OperationsOnRecordTest {
  private static final long MS = 1_000_000;

  private static final byte[] RUN =
      """
      {"schema": 1, "name": "mixed", "state": "interrupted",
       "phases": [{"name": "ingest", "startNanos": 0, "endNanos": 60000000000}]}"""
          .getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  @Test
  void aMixAtARateArrivesWithIntendedStarts() throws Exception {
    int requests = 2_000;
    List<String> sent = new ArrayList<>();
    ship(
        sink -> {
          for (int i = 0; i < requests; i++) {
            Operation operation = Operation.values()[i % Operation.values().length];
            long lateNanos = i % 3 == 0 ? i * MS : 0;
            long start = 5_000 * MS + i * MS;
            sink.record(request(operation, i, start - lateNanos, start, i % 50 == 49 ? 500 : 200));
            sent.add(i + "|" + operation.wireName() + "|" + lateNanos);
          }
        });

    assertThat(asked("SELECT object_index, operation, start_nanos - intended_start_nanos"))
        .isEqualTo(sent);
    RunReport report = RunReport.of(RunStore.at(directory).run("mixed"));
    assertThat(report.operations()).hasSize(Operation.values().length);
    assertThat(report.operations().get(0).name()).isEqualTo("ingest");
    assertThat(report.operations().stream().mapToLong(RunReport.Operation::count).sum())
        .isEqualTo(requests);
    assertThat(report.operations().stream().mapToLong(RunReport.Operation::failed).sum())
        .isEqualTo(report.requests().failed())
        .isEqualTo(40);
    assertThat(report.operations().stream().mapToLong(RunReport.Operation::late).sum())
        .isEqualTo(666);
    assertThat(report.speed().ingest().objects())
        .isEqualTo(report.operations().get(0).serviceTime().count());
    assertThat(TextReport.of(report, new TextStyle(100, true, false)))
        .contains("Operations", "oai-list-records", "response times");
  }

  @Test
  void aClosedModelIngestHasNoIntendedStarts() throws Exception {
    ship(
        sink -> {
          for (int i = 0; i < 300; i++) {
            sink.record(request(Operation.INGEST, i, i * MS, i * MS, 201));
          }
        });

    assertThat(asked("SELECT DISTINCT operation, intended_start_nanos - start_nanos, 0"))
        .containsExactly("ingest|0|0");
    RunReport report = RunReport.of(RunStore.at(directory).run("mixed"));
    assertThat(TextReport.of(report, new TextStyle(100, true, false)))
        .contains("300", "closed model")
        .doesNotContain("\nOperations\n");
  }

  private static RequestEvent request(
      Operation operation, int index, long intendedStart, long start, int status) {
    return new RequestEvent(
        operation,
        index,
        "patent:" + index,
        "",
        index % 4,
        1,
        intendedStart,
        start,
        MS,
        status,
        10,
        status == 500 ? "no" : "",
        status == 500 ? RequestEvent.Outcome.FAILED : RequestEvent.Outcome.INGESTED);
  }

  private interface Load {
    void sendTo(CollectorRequestSink sink) throws Exception;
  }

  private void ship(Load load) throws Exception {
    try (CollectorServer server =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), directory))) {
      ClientOptions options =
          ClientOptions.builder("127.0.0.1", server.address().getPort())
              .sourceKind("driver")
              .sourceName("driver")
              .runName("mixed")
              .build();
      try (CollectorClient client = CollectorClient.open(options)) {
        client.send(FrameType.DOCUMENT, new Document("run.json", RUN, false).encode(), 60_000);
        CollectorRequestSink sink = new CollectorRequestSink(client, Duration.ofSeconds(60));
        load.sendTo(sink);
        sink.finish();
        client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), 60_000);
        assertThat(client.awaitAcknowledged(60_000)).isTrue();
      }
    }
  }

  private List<String> asked(String select) throws Exception {
    List<String> answer = new ArrayList<>();
    try (Query query = RunStore.at(directory).run("mixed").query();
        Rows rows = query.execute(select + " FROM requests ORDER BY 1")) {
      while (rows.next()) {
        answer.add(rows.text(0) + "|" + rows.text(1) + "|" + rows.text(2));
      }
    }
    return answer;
  }
}
