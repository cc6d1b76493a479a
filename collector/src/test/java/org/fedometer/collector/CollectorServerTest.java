package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunQuery;
import org.fedometer.store.RunStore;
import org.fedometer.store.Ulid;
import org.fedometer.wire.ClientOptions;
import org.fedometer.wire.CloseRun;
import org.fedometer.wire.CollectorClient;
import org.fedometer.wire.Dictionary;
import org.fedometer.wire.Document;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.SampleEncoder;
import org.fedometer.wire.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectorServerTest {
  @TempDir Path store;

  @Test
  void whatASourceSendsIsInTheStoreOnceTheRunIsClosed() throws Exception {
    String runId = Ulid.next();
    try (CollectorServer server =
            CollectorServer.start(
                CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store));
        CollectorClient client =
            CollectorClient.open(
                ClientOptions.builder("127.0.0.1", server.address().getPort())
                    .runId(runId)
                    .runName("first")
                    .sourceName("fedora")
                    .attribute("bootId", "b1")
                    .build())) {
      assertThat(client.awaitWelcome(10_000).runFolder()).isEqualTo("first");
      client.offer(FrameType.STAGES, new Dictionary().put(0, "ingest").encode());
      client.offer(FrameType.THREADS, new Dictionary().put(7, "http-1").encode());
      SampleEncoder samples = new SampleEncoder();
      for (int i = 0; i < 1000; i++) {
        samples.add(0, 7, i, 1_000_000L * i, 5_000, 5_000, i == 3);
      }
      client.offer(FrameType.SAMPLES, samples.finish());
      client.offer(
          FrameType.TOTALS,
          new Totals(List.of(new Totals.StageTotal(0, 1000, 1, 5_000_000)), 0, 0, true).encode());
      client.offer(
          FrameType.DOCUMENT,
          new Document("logs/a.log", "hello ".getBytes(StandardCharsets.UTF_8), false).encode());
      client.offer(
          FrameType.DOCUMENT,
          new Document("logs/a.log", "world".getBytes(StandardCharsets.UTF_8), true).encode());
      client.send(FrameType.CLOSE_RUN, new CloseRun(runId).encode(), 1_000);
      assertThat(client.awaitAcknowledged(30_000)).as(client.status().toString()).isTrue();

      RunFolder run = RunStore.at(store).run("first");
      assertThat(Files.readString(run.path().resolve("logs/a.log"))).isEqualTo("hello world");
      try (RunQuery query = RunQuery.open(run);
          var statement = query.connection().createStatement();
          var rows =
              statement.executeQuery(
                  "SELECT count(*), count(DISTINCT trace), min(stage), min(thread),"
                      + " sum(total_nanos), count(*) FILTER (failed) FROM samples")) {
        rows.next();
        assertThat(rows.getLong(1)).isEqualTo(1000);
        assertThat(rows.getLong(2)).isEqualTo(1000);
        assertThat(rows.getString(3)).isEqualTo("ingest");
        assertThat(rows.getString(4)).isEqualTo("http-1");
        assertThat(rows.getLong(5)).isEqualTo(5_000_000);
        assertThat(rows.getLong(6)).isEqualTo(1);
      }
    }
  }
}
