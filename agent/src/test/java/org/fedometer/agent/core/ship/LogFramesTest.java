package org.fedometer.agent.core.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.LogLevel;
import org.junit.jupiter.api.Test;

class LogFramesTest {

  /** As when memory ends in the middle: what comes after it must be readable. */
  @Test
  void aLineThatFailsHalfWayLeavesNothingInTheFrame() throws Exception {
    assertThat(bytesQueued(true)).isEqualTo(bytesQueued(false));
  }

  private static long bytesQueued(boolean afterAFailure) throws Exception {
    // Accepts connections and never replies, so that all stays in the queue.
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CollectorClient client =
            CollectorClient.open(ClientOptions.builder("127.0.0.1", mute.getLocalPort()).build())) {
      LogFrames frames = new LogFrames(client);
      if (afterAFailure) {
        assertThatThrownBy(
                () -> frames.log(7, LogLevel.WARN, 0, "logger", "thread", "message", null))
            .isInstanceOf(NullPointerException.class);
      }
      frames.log(9, LogLevel.WARN, 0, "logger", "thread", "message", "");
      frames.flush();
      return client.status().queuedBytes();
    }
  }
}
