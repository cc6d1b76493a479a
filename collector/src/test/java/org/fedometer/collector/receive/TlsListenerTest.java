package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import javax.net.SocketFactory;
import org.fedometer.collector.RawSource;
import org.fedometer.collector.query.QueryService;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.fedometer.wire.Frame;
import org.fedometer.wire.tls.TestCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS decrypts several pieces at once; the collector's memory limits hold nevertheless. */
@Timeout(60)
class TlsListenerTest {
  private static final byte OF_A_LATER_VERSION = 100;
  private static final int FRAME_BYTES = 300_000;

  @TempDir Path folder;
  private SocketFactory trusting;
  private SegmentLog segmentLog;
  private QueryService queryService;
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    certificates.selfSigned("own", "ip:127.0.0.1");
    trusting = certificates.trusting("own");
    RunStore store = RunStore.at(Files.createDirectory(folder.resolve("store")));
    segmentLog = SegmentLog.start(store, "here", SegmentLogOptions.defaults());
    queryService = QueryService.start(store, segmentLog);
    listener =
        Listener.listen(
            new InetSocketAddress("127.0.0.1", 0),
            TlsIdentity.of(CollectorFiles.of(certificates, "own", folder)),
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
  void framesWaitUntilAStalledOneIsEvicted() throws Exception {
    UUID source = UUID.randomUUID();
    try (RawSource stuck = connect("stuck", source);
        RawSource first = connect("first", UUID.randomUUID());
        RawSource second = connect("second", UUID.randomUUID())) {
      stuck.bytes(Arrays.copyOf(longFrame(1), 200_000));
      byte[] two =
          ByteBuffer.allocate(2 * longFrame(1).length).put(longFrame(1)).put(longFrame(2)).array();
      first.bytes(two);
      second.bytes(two);

      assertThat(first.awaitAcknowledgement(2)).isTrue();
      assertThat(second.awaitAcknowledgement(2)).isTrue();
      assertThat(stuck.awaitRefusal()).contains("stalled");
    }
    try (RawSource again = connect("stuck", source)) {
      again.bytes(longFrame(1));
      assertThat(again.awaitAcknowledgement(1)).isTrue();
    }
  }

  private RawSource connect(String run, UUID source) throws Exception {
    return RawSource.open(listener.address(), trusting).introduced(run, source, 1);
  }

  private static byte[] longFrame(long sequence) {
    return new Frame(OF_A_LATER_VERSION, sequence, new byte[FRAME_BYTES - Frame.OVERHEAD_BYTES])
        .toBytes();
  }
}
