package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.UUID;
import org.fedometer.collector.CapturedLog;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Treatment of frames while nothing can be sent. */
@Timeout(60)
class LiveInfluxTest {
  private static final InfluxTarget UNREACHABLE =
      new InfluxTarget("http://127.0.0.1:1", new InfluxTarget.Database("fedometer", "", "", ""));

  @TempDir Path store;

  @Test
  void reportsDroppedFramesOnceWithTheExportCommand() throws Exception {
    String log = logOf(60);
    assertThat(log)
        .containsOnlyOnce("night: too much data came at once")
        .contains(
            "To send the missing points: fedometer runs export night --store "
                + store
                + " --influx http://127.0.0.1:1 --influx-database fedometer");
  }

  @Test
  void reportsUnsentPointsWithTheExportCommand() throws Exception {
    assertThat(logOf(1 << 20))
        .contains("http://127.0.0.1:1, database fedometer: InfluxDB accepts no points: ")
        .contains("night: The collector stopped before InfluxDB had accepted all points")
        .doesNotContain("too much data");
  }

  @Test
  void reportsAFailureWithTheExportCommandAndContinues() throws Exception {
    assertThat(
            CapturedLog.during(
                () -> leaveOut(UNREACHABLE, 1 << 20, new BrokenClock(), "night", "other")))
        .containsOnlyOnce("night: some points could not be made")
        .contains("To send the missing points: fedometer runs export night --store " + store)
        .containsOnlyOnce("other: some points could not be made");
  }

  @Test
  @Timeout(15)
  void unresponsiveServerBlocksNothing() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      InfluxTarget target =
          new InfluxTarget(
              "http://127.0.0.1:" + silent.getLocalPort(),
              new InfluxTarget.Database("fedometer", "", "", ""));
      assertThat(logOf(target, 1 << 20))
          .contains("night: The collector stopped before InfluxDB had accepted all points");
    }
  }

  private String logOf(long frameBytes) throws Exception {
    return logOf(UNREACHABLE, frameBytes);
  }

  /** Returns the log of a run with 20 frames of samples, none of which can be sent. */
  private String logOf(InfluxTarget target, long frameBytes) throws Exception {
    return CapturedLog.during(() -> leaveOut(target, frameBytes, Clock.systemUTC(), "night"));
  }

  private void leaveOut(InfluxTarget target, long frameBytes, Clock clock, String... runs)
      throws IOException {
    try (LiveInflux live =
        new LiveInflux(
            target,
            store,
            new LiveInflux.Limits(
                frameBytes,
                1 << 20,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofMillis(700),
                clock))) {
      for (String run : runs) {
        follow(live, run);
      }
    }
  }

  private void follow(LiveInflux live, String name) {
    RunFolder run = new RunFolder(store.resolve("runs").resolve(name));
    Hello hello = Hello.builder(new UUID(1, 1), "agent").runName(name).build();
    SegmentSource source = new SegmentSource(0, hello, 0, 0, 0);
    live.durable(
        run, source, "segment", frame(FrameType.STAGES, new Dictionary().put(0, "a").encode()));
    for (int i = 0; i < 20; i++) {
      SampleEncoder samples = new SampleEncoder();
      for (int k = 0; k < 20; k++) {
        samples.add(0, 1, k, i * 1_000_000_000L + k, 5, 5, false);
      }
      live.durable(run, source, "segment", frame(FrameType.SAMPLES, samples.finish()));
    }
    live.closed(run);
  }

  private static Frame frame(FrameType type, byte[] payload) {
    return new Frame(type.code(), 1, payload);
  }

  private static final class BrokenClock extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      throw new OutOfMemoryError("of a test");
    }
  }
}
