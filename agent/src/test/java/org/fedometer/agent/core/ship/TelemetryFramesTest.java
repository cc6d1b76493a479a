package org.fedometer.agent.core.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.LogLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests readings that are lost before they become a frame. */
class TelemetryFramesTest {
  /** Accepts connections and never replies, so that all stays in the queue. */
  private ServerSocket silentCollector;

  private CollectorClient client;
  private TelemetryFrames frames;

  @BeforeEach
  void open() throws Exception {
    silentCollector = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    client =
        CollectorClient.open(
            ClientOptions.builder("127.0.0.1", silentCollector.getLocalPort())
                .maxQueuedBytes(256 * 1024)
                .build());
    frames = new TelemetryFrames(client);
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    silentCollector.close();
  }

  @Test
  void countsReadingsWhoseNamesAreDropped() {
    fillQueue();

    frames.value(1, "jvm.threads", "{thread}", 7);
    frames.value(2, "jvm.threads", "{thread}", 8);
    frames.flush();

    assertThat(frames.droppedSinceLastCall()).isEqualTo(2);
    assertThat(frames.droppedSinceLastCall()).as("they are told once").isZero();
  }

  @Test
  void countsReadingsBeyondTheMetricLimit() {
    for (int i = 0; i < 1_003; i++) {
      frames.value(1, "metric." + i, "", i);
    }
    frames.value(2, "metric.999", "", 1);
    frames.flush();

    assertThat(frames.droppedSinceLastCall()).isEqualTo(3);
    assertThat(client.status().framesDropped()).isZero();
  }

  @Test
  void aCollectionThatFailsHalfWayIsCountedAndCostsNoOther() {
    frames.pause("g1", "end of minor GC", "allocation", 1, 2, 3, 4);
    assertThatThrownBy(() -> frames.pause("g1", "end of minor GC", null, 1, 2, 3, 4))
        .isInstanceOf(NullPointerException.class);

    assertThat(frames.droppedSinceLastCall()).isEqualTo(1);
    frames.flush();
    assertThat(client.status().queuedBytes()).isPositive();
  }

  @Test
  void logsDroppedReadings() {
    List<String> told = new ArrayList<>();
    Captures captures = new Captures(new FedoraLog(FedoraLog.WARN, 1));
    CaptureDrain drain = new CaptureDrain(captures, droppedReadingsIn(told), frames);
    fillQueue();
    frames.value(1, "jvm.threads", "{thread}", 7);

    drain.flush();
    drain.flush();

    assertThat(told)
        .singleElement()
        .asString()
        .startsWith("1 reading is missing from the telemetry: ");
  }

  private void fillQueue() {
    while (client.offer(FrameType.SAMPLES, new byte[0])) {
      // Until it is full.
    }
  }

  private static LogSink droppedReadingsIn(List<String> messages) {
    return new LogSink() {
      @Override
      public void log(
          long atNanos,
          LogLevel level,
          long traceId,
          String logger,
          String thread,
          String message,
          String thrown) {
        messages.add(message);
      }

      @Override
      public void flush() {
        // Nothing waits.
      }
    };
  }
}
