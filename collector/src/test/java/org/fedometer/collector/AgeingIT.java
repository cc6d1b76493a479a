package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thirty days of one run, sent to a collector of 128 MB of heap in minutes. */
@Tag("endurance")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class AgeingIT {
  private static final int DAYS = 30;
  private static final int STAGES = 40;
  private static final int INTERVALS_OF_A_DAY = 24 * 360;
  private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  /** Covers less time than one segment's rollups may. */
  private static final long SEGMENT_BYTES = 32 << 10;

  private static final int INTERVALS_OF_A_FRAME = 180;

  private static final long MAX_PAGE_BYTES = 300_000;

  @TempDir Path store;

  @Test
  void aRunOfThirtyDaysKeepsItsRollupsAndTheCollectorItsSize() throws Exception {
    int port = CollectorCrashTest.freePort();
    int httpPort = CollectorCrashTest.freePort();
    List<Long> residentBytes = new ArrayList<>();
    List<Integer> boardBytes = new ArrayList<>();
    try (CollectorProcess collector =
            CollectorProcess.startWithHttp(store, port, httpPort, SEGMENT_BYTES);
        CollectorClient client =
            CollectorClient.open(
                ClientOptions.builder("127.0.0.1", port)
                    .sourceKind("agent")
                    .runName("month")
                    .build())) {
      Dictionary stages = new Dictionary();
      for (int stage = 0; stage < STAGES; stage++) {
        stages.put(stage, "stage." + stage);
      }
      client.send(FrameType.STAGES, stages.encode(), 30_000);
      client.send(FrameType.THREADS, new Dictionary().put(0, "http-1").encode(), 30_000);
      long begin = System.nanoTime() - Duration.ofDays(DAYS).toNanos();
      for (int day = 0; day < DAYS; day++) {
        sendDay(client, begin + day * Duration.ofDays(1).toNanos());
        assertThat(client.awaitAcknowledged(60_000))
            .as("day %s: %s %s", day, client.status().lastError(), log())
            .isTrue();
        residentBytes.add(residentBytes(collector.pid()));
        boardBytes.add(board(httpPort));
      }
      client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), 30_000);
      assertThat(client.awaitAcknowledged(300_000)).isTrue();
      assertThat(client.status().framesLost()).isZero();
      await().atMost(Duration.ofMinutes(3)).until(this::sealed);
    }

    long samples = (long) DAYS * INTERVALS_OF_A_DAY * STAGES;
    assertThat(RunQueries.rows(store, "month", "SELECT count(*) FROM samples"))
        .containsExactly(String.valueOf(samples));
    assertThat(
            RunQueries.rows(
                store,
                "month",
                "SELECT sum(count), count(DISTINCT stage), sum(sum_duration_nanos) FROM rollups"))
        .containsExactly(samples + "|" + STAGES + "|" + samples * 1_000_000);
    assertThat(
            RunQueries.rows(
                store,
                "month",
                "SELECT count(DISTINCT begin_epoch_seconds) BETWEEN "
                    + DAYS * INTERVALS_OF_A_DAY
                    + " AND "
                    + (DAYS * INTERVALS_OF_A_DAY + 1)
                    + " FROM rollups"))
        .containsExactly("true");
    assertThat(boardBytes).as("bytes of the dashboard's data").allMatch(it -> it < MAX_PAGE_BYTES);
    assertThat(residentBytes.get(DAYS - 1))
        .as("resident memory day by day: %s", residentBytes)
        .isLessThan(residentBytes.get(DAYS / 3) * 5 / 4);
  }

  private static void sendDay(CollectorClient client, long begin) throws IOException {
    for (int from = 0; from < INTERVALS_OF_A_DAY; from += INTERVALS_OF_A_FRAME) {
      SampleEncoder samples = new SampleEncoder();
      for (int interval = from; interval < from + INTERVALS_OF_A_FRAME; interval++) {
        long start = begin + interval * INTERVAL_NANOS;
        for (int stage = 0; stage < STAGES; stage++) {
          samples.add(stage, 0, 0, start + stage * 10_000_000L, 1_000_000, 900_000, false);
        }
      }
      client.send(FrameType.SAMPLES, samples.finish(), 60_000);
    }
  }

  private static long residentBytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IOException("no VmRSS of process " + pid);
  }

  private static int board(int httpPort) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + httpPort + "/api/run?name=month"))
                    .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body().length;
  }

  private String log() throws IOException {
    return Files.readString(store.resolve("process.log"));
  }

  /** The open segment always stays. */
  private boolean sealed() throws IOException {
    try (var files = Files.list(store.resolve("runs/month/segments"))) {
      return files.filter(file -> file.toString().endsWith(".segment")).count() == 1;
    }
  }
}
