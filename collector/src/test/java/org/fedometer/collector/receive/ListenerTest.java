package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.fedometer.collector.RawSource;
import org.fedometer.collector.query.QueryService;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that share memory for one long frame. */
@Timeout(60)
class ListenerTest {
  private static final byte OF_A_LATER_VERSION = 100;
  private static final int FRAME_BYTES = 300_000;
  private static final String TOKEN = "secret";

  @TempDir Path directory;
  private SegmentLog segmentLog;
  private QueryService queryService;
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    RunStore store = RunStore.at(directory);
    segmentLog = SegmentLog.start(store, "here", SegmentLogOptions.defaults());
    queryService = QueryService.start(store, segmentLog);
    listener =
        Listener.listen(
            new InetSocketAddress("127.0.0.1", 0),
            null,
            segmentLog,
            queryService,
            new ConnectionTracker(0, 0),
            CollectorFiles.ANY_LOGS,
            new Listener.Limits(FRAME_BYTES, Duration.ofMillis(20), 10, 10_000),
            Admission.Rules.of(AccessRules.defaults()),
            refusal -> {});
  }

  @AfterEach
  void stop() throws Exception {
    segmentLog.stop(Duration.ofSeconds(30));
    listener.close();
    queryService.close();
  }

  @Test
  void formatsTheAddressAsUsersWriteIt() {
    int port = listener.address().getPort();
    assertThat(listener.addressText(new InetSocketAddress("127.0.0.1", 0)))
        .isEqualTo("127.0.0.1:" + port);
    assertThat(listener.addressText(new InetSocketAddress("0.0.0.0", 4711)))
        .isEqualTo("0.0.0.0:" + port);
    assertThat(listener.addressText(new InetSocketAddress("::", 0))).isEqualTo("[::]:" + port);
  }

  @Test
  void evictsStalledFrames() throws Exception {
    UUID source = UUID.randomUUID();
    try (RawSource stuck = RawSource.connect(listener.address(), "stuck", source);
        RawSource first = RawSource.connect(listener.address(), "first");
        RawSource second = RawSource.connect(listener.address(), "second")) {
      byte[] frame = longFrame(1);
      stuck.bytes(Arrays.copyOf(frame, 200_000));
      first.bytes(frame);
      second.bytes(frame);

      assertThat(first.awaitAcknowledgement(1)).isTrue();
      assertThat(second.awaitAcknowledgement(1)).isTrue();
      assertThat(stuck.awaitRefusal()).contains("stalled");
    }
    try (RawSource again = RawSource.connect(listener.address(), "stuck", source)) {
      again.bytes(longFrame(1));
      assertThat(again.awaitAcknowledgement(1)).isTrue();
    }
  }

  @Test
  void everyByteOfALengthMayComeByItself() throws Exception {
    try (RawSource source = RawSource.connect(listener.address(), "bytes")) {
      byte[] frame = longFrame(1);
      byte[] two = ByteBuffer.allocate(2 * frame.length).put(frame).put(longFrame(2)).array();
      for (int i = 0; i < 10; i++) {
        source.bytes(new byte[] {two[i]});
      }
      source.bytes(Arrays.copyOfRange(two, 10, frame.length + 3));
      source.bytes(Arrays.copyOfRange(two, frame.length + 3, two.length));
      assertThat(source.awaitAcknowledgement(2)).isTrue();
    }
  }

  @Test
  void unidentifiedPeersUseNoBudgetOfSources() throws Exception {
    List<RawSource> strangers = new ArrayList<>();
    try (RawSource source = RawSource.connect(listener.address(), "source")) {
      for (int i = 0; i < 50; i++) {
        RawSource stranger = RawSource.open(listener.address());
        strangers.add(stranger);
        stranger.bytes(ByteBuffer.allocate(30_000).putInt(60_000).array());
      }
      source.bytes(longFrame(1));
      assertThat(source.awaitAcknowledgement(1)).isTrue();
    } finally {
      for (RawSource stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void wrongTokenEndsTheConnection() throws Exception {
    segmentLog.stop(Duration.ofSeconds(30));
    listener.close();
    queryService.close();
    segmentLog =
        SegmentLog.start(
            RunStore.at(directory), "here", SegmentLogOptions.defaults().withToken(TOKEN));
    queryService = QueryService.start(RunStore.at(directory), segmentLog);
    listener =
        Listener.listen(
            new InetSocketAddress("127.0.0.1", 0),
            null,
            segmentLog,
            queryService,
            new ConnectionTracker(0, 0),
            CollectorFiles.ANY_LOGS,
            AccessRules.defaults());
    try (RawSource stranger = RawSource.open(listener.address())) {
      Hello hello = Hello.builder(UUID.randomUUID(), "agent").runName("r").token("wrong").build();
      byte[] introduction = Frame.session(FrameType.HELLO, hello.encode()).toBytes();
      byte[] more = longFrame(1);
      stranger.bytes(
          ByteBuffer.allocate(introduction.length + more.length)
              .put(introduction)
              .put(more)
              .array());
      assertThat(stranger.awaitRefusal()).contains("token");
    }
    assertThat(RunStore.at(directory).runs()).isEmpty();
  }

  private static byte[] longFrame(long sequence) {
    return new Frame(OF_A_LATER_VERSION, sequence, new byte[FRAME_BYTES - Frame.OVERHEAD_BYTES])
        .toBytes();
  }
}
