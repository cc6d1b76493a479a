package org.fedometer.agent.core.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the end without a responding collector; the ITs cover the normal end. */
class DrainerTest {

  private static final int QUEUE_BYTES = 8 * 1024 * 1024;

  @TempDir private Path folder;
  private ServerSocket silentCollector;

  @BeforeEach
  void listen() throws Exception {
    silentCollector = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void end() throws Exception {
    silentCollector.close();
  }

  @Test
  void droppedAndUnacknowledgedFramesAreFailures() {
    CollectorClient client = CollectorClient.open(options().build());
    while (client.offer(FrameType.SAMPLES, new byte[1_000_000])) {
      // Until the queue is full.
    }
    ShutdownResult ending = drainer(client).finish();
    assertThat(ending.failure())
        .contains("0 samples, 0 traces and 1 frame were dropped")
        .contains("the last samples were not acknowledged (");
    assertThat(ending.spooledBytes()).isZero();
  }

  @Test
  void spooledFramesAreNoFailure() {
    CollectorClient client =
        CollectorClient.open(options().spool(folder, 16 * QUEUE_BYTES).build());
    client.offer(FrameType.SAMPLES, new byte[1_000_000]);
    ShutdownResult ending = drainer(client).finish();
    assertThat(ending.failure()).isEmpty();
    assertThat(ending.spooledBytes()).isGreaterThan(1_000_000);
  }

  @Test
  void framesThatCannotBeSpooledAreAFailureWithItsCause() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    CollectorClient client = CollectorClient.open(options().spool(file, 16 * QUEUE_BYTES).build());
    client.offer(FrameType.SAMPLES, new byte[1_000_000]);
    await().until(() -> !client.status().spoolError().isEmpty());
    ShutdownResult ending = drainer(client).finish();
    assertThat(ending.failure())
        .contains("the last samples were not acknowledged (", "spool: ", "file");
    assertThat(ending.spooledBytes()).isZero();
  }

  private ClientOptions.Builder options() {
    return ClientOptions.builder("127.0.0.1", silentCollector.getLocalPort())
        .maxQueuedBytes(QUEUE_BYTES);
  }

  private static Drainer drainer(CollectorClient client) {
    return drainer(new Recording(256, 4), client);
  }

  static Drainer drainer(Recording recording, CollectorClient client) {
    CaptureDrain captures =
        new CaptureDrain(
            new Captures(new FedoraLog(FedoraLog.WARN, 1)),
            new LogFrames(client),
            new TelemetryFrames(client));
    return new Drainer(recording, client, new AgentLog(), captures);
  }
}
