package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.CloseRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClockTest {
  @TempDir private Path store;
  private CollectorServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aSourceOnAnotherHostLearnsHowFarItsClockIsOff() throws Exception {
    ClockEstimate clock = clockOf(options().attribute("bootId", "another").build());

    // This process is the collector, too: the true offset is 0.
    assertThat(Math.abs(clock.offsetNanos())).isLessThanOrEqualTo(clock.uncertaintyNanos());
    assertThat(clock.uncertaintyNanos()).isPositive();
    assertThat(clock.bootId()).isEqualTo(bootId());
  }

  @Test
  void aSourceOnTheSameHostHasTheSameClock() throws Exception {
    ClockEstimate clock = clockOf(options().attribute("bootId", bootId()).build());

    if (bootId().isEmpty()) {
      assertThat(clock.uncertaintyNanos()).isPositive();
    } else {
      assertThat(clock.offsetNanos()).isZero();
      assertThat(clock.uncertaintyNanos()).isZero();
    }
  }

  @Test
  void servesClientsThatNeverReadReplies() throws Exception {
    try (RawSource rude = RawSource.connect(server.address(), "rude")) {
      byte[] request = new ClockRequest(1).encode();
      for (int i = 0; i < 200_000; i++) {
        rude.frame(FrameType.CLOCK_REQUEST.code(), 0, request);
      }
      clockOf(options().build());
      rude.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 5));
      rude.frame(FrameType.CLOSE_RUN.code(), 2, new CloseRun("").encode());
      await().until(() -> rows("rude").equals("5"));
    }
  }

  @Test
  void aRequestThatIsTooShortIsRefused() throws Exception {
    try (RawSource source = RawSource.connect(server.address(), "short")) {
      source.frame(FrameType.CLOCK_REQUEST.code(), 0, new byte[7]);

      assertThat(source.awaitRefusal()).contains("ends too early");
    }
  }

  private ClientOptions.Builder options() {
    return ClientOptions.builder("127.0.0.1", server.address().getPort()).runName("clock");
  }

  private static ClockEstimate clockOf(ClientOptions options) {
    try (CollectorClient client = CollectorClient.open(options)) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 5));
      await().until(() -> client.status().clockOrNull() != null);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      return client.status().clockOrNull();
    }
  }

  private String rows(String run) throws Exception {
    return RunQueries.rows(store, run, "SELECT count(*) FROM samples").get(0);
  }

  private static String bootId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException unknown) {
      return "";
    }
  }
}
