package org.fedometer.agent.core.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.aspects.recorder.Stages;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SampleFramesTest {
  private static final int SAMPLES = 200;

  @AfterEach
  void switchOff() {
    Recorder.stop();
  }

  @Test
  void offersRejectedNamesOncePerRound() throws Exception {
    // Accepts connections and never replies, as a hanging collector does.
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

  @Test
  void aReaderOfCopiesThatFindsNoMemoryCostsTheCollectorNothing() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CollectorClient client = clientOf(mute)) {
      Recording recording = recordingOf(SAMPLES);
      SampleFrames frames = new SampleFrames(recording, client);
      frames.addListener(
          (type, payload) -> {
            if (type == FrameType.SAMPLES) {
              throw new OutOfMemoryError("of a test");
            }
          });
      frames.begin();
      frames.sendNamesToNewListeners();
      recording.drain(frames, frames);
      long before = client.status().queuedBytes();
      frames.flush();
      assertThat(client.status().queuedBytes()).isGreaterThan(before + SAMPLES);
      assertThat(frames.samplesDropped()).isZero();
    }
  }

  @Test
  void aReaderThatLeavesWhileItIsWelcomedGetsNothingMore() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CollectorClient client = clientOf(mute)) {
      SampleFrames frames = new SampleFrames(recordingOf(SAMPLES), client);
      List<FrameType> copied = new ArrayList<>();
      AtomicReference<Thread> leaving = new AtomicReference<>();
      frames.addListener(
          new FrameListener() {
            @Override
            public void onFrame(FrameType type, byte[] payload) {
              copied.add(type);
              if (leaving.get() == null) {
                Thread thread = new Thread(() -> frames.removeListener(this));
                leaving.set(thread);
                thread.start();
                await()
                    .until(
                        () ->
                            thread.getState() == Thread.State.BLOCKED
                                || thread.getState() == Thread.State.TERMINATED);
              }
            }
          });
      frames.begin();
      frames.sendNamesToNewListeners();
      leaving.get().join();
      frames.offer(FrameType.TOTALS, new byte[0]);
      assertThat(copied).containsExactly(FrameType.STAGES, FrameType.THREADS);
    }
  }

  @Test
  void aDrainerThatIsInterruptedAtItsEndSwitchesRecordingOffAllTheSame() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CollectorClient client = clientOf(mute)) {
      Drainer drainer = DrainerTest.drainer(recordingOf(1), client);
      drainer.start();
      Thread.currentThread().interrupt();
      assertThat(drainer.finish().failure()).contains("interrupt");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(Recorder.isOn()).isFalse();
    }
  }

  private static CollectorClient clientOf(ServerSocket collector) {
    return CollectorClient.open(
        ClientOptions.builder("127.0.0.1", collector.getLocalPort()).build());
  }

  /** Is switched on, and has samples of this thread. */
  private static Recording recordingOf(int samples) {
    Recording recording = new Recording(512, 4);
    Recorder.start(recording);
    int stage = Stages.numberOf("test.ship");
    for (int i = 0; i < samples; i++) {
      Recorder.enter(stage);
      Recorder.exit(stage);
    }
    return recording;
  }
}
