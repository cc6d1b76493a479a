package org.fedometer.agent.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.wire.FrameType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LiveReportsTest {
  private static final int FRAMES = 200;
  private static final int PAYLOAD_BYTES = 64 * 1024;
  private static final int MAX_BYTES = 3 * 1024 * 1024;

  @Test
  void dropsSamplesThatAToolDoesNotRead() throws Exception {
    try (ServerSocket tool = listening()) {
      LiveReports reports = reportsTo(tool);
      for (int i = 0; i < FRAMES; i++) {
        reports.onFrame(FrameType.SAMPLES, new byte[PAYLOAD_BYTES]);
        assertThat(reports.waitingBytes()).isLessThanOrEqualTo(MAX_BYTES);
      }
      assertThat(reports.waitingBytes()).isPositive();
      reports.end();
    }
  }

  @Test
  void disconnectsAToolThatDoesNotReadTheNames() throws Exception {
    try (ServerSocket tool = listening()) {
      LiveReports reports = reportsTo(tool);
      try (Socket agent = tool.accept()) {
        for (int i = 0; i < FRAMES; i++) {
          reports.onFrame(FrameType.THREADS, new byte[PAYLOAD_BYTES]);
          assertThat(reports.waitingBytes()).isLessThanOrEqualTo(MAX_BYTES);
        }
        assertThat(agent.getInputStream().read()).isEqualTo(-1);
        assertThat(reports.waitingBytes()).isZero();
      }
    }
  }

  @Test
  void disconnectsAToolThatReadsNothingForAMinute() throws Exception {
    AtomicLong millis = new AtomicLong();
    try (ServerSocket tool = listening()) {
      LiveReports reports =
          new LiveReports(
              ToolConnection.to(tool.getLocalPort() + "/nonce"), Map::of, () -> {}, millis::get);
      try (Socket agent = tool.accept()) {
        millis.set(60_000);
        reports.onFrame(FrameType.TOTALS, new byte[1]);
        assertThat(reports.waitingBytes()).isPositive();
        millis.set(60_001);
        reports.onFrame(FrameType.TOTALS, new byte[1]);
        assertThat(agent.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  private static ServerSocket listening() throws Exception {
    return new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
  }

  /** Without its thread: whatever it would write waits. */
  private static LiveReports reportsTo(ServerSocket tool) throws Exception {
    return new LiveReports(ToolConnection.to(tool.getLocalPort() + "/nonce"), Map::of, () -> {});
  }
}
