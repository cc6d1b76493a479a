package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.Ulid;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data that sources spooled while the collector was down. */
@Timeout(120)
class SpooledOutageTest {
  private static final String RUN_ID = Ulid.next();
  private static final int MEMORY = 5 * 1024 * 1024;

  @TempDir Path temporary;
  private Path store;
  private Path spool;
  private int port;
  private CollectorServer server;

  @BeforeEach
  void start() throws Exception {
    store = Files.createDirectory(temporary.resolve("store"));
    spool = temporary.resolve("spool");
    server = startAt(0);
    port = server.address().getPort();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void samplesOfAnOutageThatOutlivedTheirProcessAreInTheStore() throws Exception {
    try (CollectorClient ended = CollectorClient.open(options().sourceName("ended").build())) {
      ended.offer(FrameType.STAGES, Samples.stages());
      ended.offer(FrameType.THREADS, Samples.threads());
      ended.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(ended.awaitAcknowledged(50_000)).isTrue();
      server.close();
      for (int i = 1; i < 100; i++) {
        ended.send(FrameType.SAMPLES, Samples.traces(i * 10, i * 10 + 10), 10_000);
        ended.send(FrameType.DOCUMENT, padding(), 10_000);
      }
      ended.offer(FrameType.TOTALS, new Totals(List.of(), 0, 0, 0, 0, 0, true).encode());
    }
    server = startAt(port);
    try (CollectorClient next = CollectorClient.open(options().sourceName("next").build())) {
      next.offer(FrameType.STAGES, Samples.stages());
      next.offer(FrameType.SAMPLES, Samples.traces(5_000, 5_010));
      await().until(() -> files().isEmpty());
      close(next);
      assertThat(next.status().spoolError()).isEmpty();
    }

    assertThat(
            RunQueries.rows(
                store,
                "outage",
                "SELECT name, finished, count(*), count(DISTINCT trace), min(stage),"
                    + " any_value(frames_missing) FROM samples JOIN sources USING (source)"
                    + " GROUP BY ALL ORDER BY name"))
        .containsExactly("ended|true|1000|1000|http.request|0", "next|false|10|10|http.request|0");
    try (Stream<Path> left = Files.list(spool)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aSourceWhoseWholeLifeWasAnOutageHasItsPlaceInTime() throws Exception {
    server.close();
    try (CollectorClient ended =
        CollectorClient.open(
            options().sourceName("ended").attribute("bootId", "an earlier boot").build())) {
      ended.offer(FrameType.SAMPLES, Samples.traces(0, 10));
    }
    server = startAt(port);
    try (CollectorClient next =
        CollectorClient.open(
            options().sourceName("next").attribute("bootId", "this boot").build())) {
      next.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      await().until(() -> files().isEmpty());
      close(next);
    }

    assertThat(
            RunQueries.rows(
                store,
                "outage",
                "SELECT (max(epoch_offset_nanos) - min(epoch_offset_nanos)) // 10_000_000_000,"
                    + " count(*) FROM sources"))
        .containsExactly("0|2");
  }

  @Test
  void framesOfABrokenFileAreMissingInTheStoreAndNoOthers() throws Exception {
    try (CollectorClient client = CollectorClient.open(options().build())) {
      assertThat(client.awaitWelcome(50_000).runFolder()).isEqualTo("outage");
      server.close();
      for (int i = 0; i < 30; i++) {
        client.send(FrameType.SAMPLES, Samples.traces(i * 10, i * 10 + 10), 10_000);
        client.send(FrameType.DOCUMENT, padding(), 10_000);
      }
      await().until(() -> files().size() > 2);
      try (RandomAccessFile file = new RandomAccessFile(files().get(1).toFile(), "rw")) {
        file.setLength(file.length() / 2);
      }
      server = startAt(port);
      close(client);
      long lost = client.status().framesLost();
      assertThat(lost).isPositive();
      assertThat(RunQueries.rows(store, "outage", "SELECT frames_missing FROM sources"))
          .containsExactly(String.valueOf(lost));
      int samples =
          Integer.parseInt(RunQueries.rows(store, "outage", "SELECT count(*) FROM samples").get(0));
      assertThat(300 - samples).isPositive().isLessThanOrEqualTo((int) lost * 10);
    }
  }

  private ClientOptions.Builder options() {
    return ClientOptions.builder("127.0.0.1", port)
        .runId(RUN_ID)
        .runName("outage")
        .maxQueuedBytes(MEMORY)
        .spool(spool, 256L << 20);
  }

  private static byte[] padding() {
    return new Document("logs/padding", new byte[400_000], false).encode();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(spool)) {
      return all.filter(file -> file.toString().endsWith(".spool")).sorted().toList();
    }
  }

  private static void close(CollectorClient client) throws IOException {
    client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), 10_000);
    assertThat(client.awaitAcknowledged(60_000)).as(client.status().toString()).isTrue();
  }

  private CollectorServer startAt(int wanted) throws IOException {
    return CollectorServer.start(
        CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", wanted), store)
            .withSegmentLog(SegmentLogOptions.defaults()));
  }
}
