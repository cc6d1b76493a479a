package org.fedometer.agent.core.ship;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.aspects.recorder.Stages;
import org.fedometer.wire.ClientOptions;
import org.fedometer.wire.CollectorClient;
import org.fedometer.wire.FrameType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SampleFramesTest {
  private static final int SAMPLES = 200;

  @AfterEach
  void switchOff() {
    Recorder.stop();
  }

  @Test
  void namesThatFindNoRoomAreOfferedOnceARoundNotOnceASample() throws Exception {
    // Listens and never answers, as a collector that hangs.
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CollectorClient client =
            CollectorClient.open(
                ClientOptions.builder("127.0.0.1", mute.getLocalPort())
                    .maxQueuedBytes(64 * 1024)
                    .build())) {
      while (client.offer(FrameType.SAMPLES, new byte[0])) {
        // Until it is full.
      }
      long droppedBefore = client.status().framesDropped();
      Recording recording = new Recording(512, 4);
      Recorder.start(recording);
      int stage = Stages.numberOf("test.ship");
      for (int i = 0; i < SAMPLES; i++) {
        Recorder.enter(stage);
        Recorder.exit(stage);
      }
      SampleFrames frames = new SampleFrames(recording, client);

      for (int round = 1; round <= 2; round++) {
        frames.begin();
        recording.drain(frames, frames);
        frames.flush();
        assertThat(frames.samplesDropped()).isEqualTo(SAMPLES * round);
        assertThat(client.status().framesDropped() - droppedBefore).isEqualTo(round);
        for (int i = 0; i < SAMPLES; i++) {
          Recorder.enter(stage);
          Recorder.exit(stage);
        }
      }
    }
  }
}
