package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fedometer.collector.live.LiveRollups;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.rollup.LiveRollupFile;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Durable data is in the rollups within seconds, and only once. */
@Timeout(60)
class LiveRollupsTest {
  private static final String COUNT = "SELECT coalesce(sum(count), 0)::BIGINT FROM rollups";

  @TempDir Path directory;

  @Test
  void rollupsAreThereBeforeAndAfterSealingAndNeverTwice() throws Exception {
    try (CollectorServer server = start(2_000);
        RawSource source = RawSource.connect(server.address(), "live")) {
      source.frame(FrameType.STAGES.code(), 1, Samples.stages());
      int frames = 60;
      for (int i = 1; i <= frames; i++) {
        source.frame(FrameType.SAMPLES.code(), i + 1, Samples.traces(i * 100L, i * 100L + 100));
        assertThat(source.awaitAcknowledgement(i + 1)).isTrue();
        long seen = Long.parseLong(live(COUNT).get(0));
        assertThat(seen).isBetween(0L, i * 100L);
      }
      await()
          .untilAsserted(
              () -> assertThat(live(COUNT)).containsExactly(String.valueOf(frames * 100)));
    }
    assertThat(live(COUNT)).containsExactly("6000");
    assertThat(RunStore.at(directory).run("live").liveRollupFiles()).isEmpty();
  }

  @Test
  void requestsCountByTheirOperationBeforeAndAfterSealing() throws Exception {
    String byStage =
        "SELECT string_agg(stage || ' ' || count, ', ' ORDER BY stage)"
            + " FROM (SELECT stage, sum(count)::BIGINT AS count FROM rollups GROUP BY stage)";
    String counted = "driver.request 2, driver.request.purge 1";
    try (CollectorServer server = start(1 << 20);
        RawSource source = RawSource.connect(server.address(), "live")) {
      RequestEncoder requests = new RequestEncoder();
      requests.add(1, "a:1", "", 0, 1, 5, 6, 201, 7, "", "ingest", 5);
      source.frame(FrameType.REQUESTS.code(), 1, requests.finish());
      requests.add(2, "a:2", "", 0, 1, 9, 6, 201, 7, "", "ingest", 8);
      requests.add(1, "a:1", "", 0, 1, 7, 6, 204, 0, "", "purge", 7);
      source.frame(FrameType.REQUESTS.code(), 2, requests.finish());
      assertThat(source.awaitAcknowledgement(2)).isTrue();
      await().untilAsserted(() -> assertThat(live(byStage)).containsExactly(counted));
    }
    assertThat(RunStore.at(directory).run("live").liveRollupFiles()).isEmpty();
    assertThat(live(byStage)).containsExactly(counted);
  }

  @Test
  void aRestartAfterACrashMakesThemAgain() throws Exception {
    int port = freePort();
    UUID source = UUID.randomUUID();
    try (CollectorProcess killed =
        CollectorProcess.start(directory, port, 1 << 20, Duration.ofMinutes(1))) {
      try (RawSource raw = connect(port, source)) {
        raw.frame(FrameType.STAGES.code(), 1, Samples.stages());
        raw.frame(FrameType.SAMPLES.code(), 2, Samples.traces(0, 500));
        assertThat(raw.awaitAcknowledgement(2)).isTrue();
      }
      killed.kill();
    }
    RunFolder run = RunStore.at(directory).run("live");
    Path leftBehind = LiveRollupFile.of(run.segmentDirectory().resolve("0a1b2c3d-000099.segment"));
    Files.writeString(leftBehind, "damaged");

    try (CollectorServer server = start(1 << 20)) {
      await()
          .untilAsserted(
              () -> assertThat(live(COUNT + " WHERE stage = 'ingest'")).containsExactly("250"));
      assertThat(leftBehind).doesNotExist();
      assertThat(server.address().getPort()).isPositive();
    }
    assertThat(live(COUNT)).containsExactly("500");
  }

  @Test
  void aRunThatIsRemovedWhileTheyAreWrittenStaysRemoved() throws Exception {
    try (CollectorServer server = start(2_000)) {
      for (int round = 0; round < 10; round++) {
        try (RawSource source = RawSource.connect(server.address(), "live")) {
          source.frame(FrameType.STAGES.code(), 1, Samples.stages());
          for (int i = 2; i < 10; i++) {
            source.frame(FrameType.SAMPLES.code(), i, Samples.traces(i * 100L, i * 100L + 100));
          }
          assertThat(source.awaitAcknowledgement(9)).isTrue();
        }
        RunFolder run = RunStore.at(directory).run("live");
        AtomicBoolean hidden = new AtomicBoolean();
        await()
            .until(
                () ->
                    server
                        .segmentLog()
                        .release(
                            "live",
                            () -> {
                              try {
                                RunDeletion.hide(run);
                                hidden.set(true);
                              } catch (IOException e) {
                                throw new UncheckedIOException(e);
                              }
                            }));
        assertThat(hidden).isTrue();
        RunDeletion.finishInterrupted(RunStore.at(directory));
        assertThat(RunStore.at(directory).runs()).isEmpty();
      }
    }
    assertThat(directory.resolve("runs")).isEmptyDirectory();
  }

  @Test
  void sealingDoesNotWaitForRollupsThatAreBeingWritten() throws Exception {
    RunFolder run = new RunFolder(directory.resolve("runs/live"));
    Files.createDirectories(run.segmentDirectory());
    Path segment = Files.createFile(run.segmentDirectory().resolve("0a1b2c3d-000001.segment"));
    Path next = Files.createFile(run.segmentDirectory().resolve("0a1b2c3d-000002.segment"));
    Path aside = Path.of(LiveRollupFile.of(segment) + ".tmp");
    needs(isPipe(aside), "a pipe can be made: apt-get install coreutils");
    Hello hello = Hello.builder(UUID.randomUUID(), "agent").runName("live").build();
    SegmentSource source = new SegmentSource(0, hello, 0, 0, 0);

    // The pipe's writer blocks until it is read.
    try (LiveRollups rollups = new LiveRollups(Duration.ofMillis(10));
        RandomAccessFile pipe = new RandomAccessFile(aside.toFile(), "rw")) {
      FileInputStream read = new FileInputStream(pipe.getFD());
      rollups.durable(run, source, segment.getFileName().toString(), manyIntervals());
      await().until(() -> read.available() > 0);

      Files.delete(segment);
      CompletableFuture.runAsync(() -> rollups.sealed(run, segment.getFileName().toString()))
          .get(30, TimeUnit.SECONDS);

      await()
          .until(
              () -> {
                read.read(new byte[read.available()]);
                return !Files.exists(aside);
              });
      rollups.durable(run, source, next.getFileName().toString(), manyIntervals());
      await().until(() -> Files.exists(LiveRollupFile.of(next)));
      assertThat(LiveRollupFile.of(segment)).doesNotExist();

      Files.delete(next);
      rollups.sealed(run, next.getFileName().toString());
      await().until(() -> !Files.exists(LiveRollupFile.of(next)));
    }
  }

  /** Skips the test on a machine without; with FEDOMETER_REQUIRE_ALL=1 it fails. */
  private static void needs(boolean there, String what) {
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeThat(there).as(what).isTrue();
    }
    assertThat(there).as(what).isTrue();
  }

  private static boolean isPipe(Path path) throws Exception {
    try {
      return new ProcessBuilder("mkfifo", path.toString()).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** More of them than a pipe holds. */
  private static Frame manyIntervals() {
    SampleEncoder samples = new SampleEncoder();
    for (int i = 0; i < 3_000; i++) {
      samples.add(1, 1, i, i * 10_000_000_000L, 700, 600, false);
    }
    return new Frame(FrameType.SAMPLES.code(), 1, samples.finish());
  }

  @Test
  void nothingStaysOpenWhenRunsAreSealedAndPutAway() throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    needs(Files.isDirectory(descriptors), "Linux lists open files in " + descriptors);
    try (CollectorServer server = start(1_000)) {
      send(server, "first");
      List<String> before = underStore(descriptors);
      for (int i = 0; i < 20; i++) {
        send(server, "run-" + i);
      }
      await().untilAsserted(() -> assertThat(underStore(descriptors)).hasSize(before.size()));
    }
    assertThat(underStore(descriptors)).isEmpty();
  }

  /** As users ask: files may go while they do. */
  private List<String> live(String sql) throws Exception {
    try (var query = RunStore.at(directory).run("live").query();
        var rows = query.execute(sql)) {
      rows.next();
      return List.of(rows.text(0));
    }
  }

  private void send(CollectorServer server, String run) throws Exception {
    try (RawSource source = RawSource.connect(server.address(), run)) {
      source.frame(FrameType.STAGES.code(), 1, Samples.stages());
      source.frame(FrameType.SAMPLES.code(), 2, Samples.traces(0, 500));
      assertThat(source.awaitAcknowledgement(2)).isTrue();
    }
    await().until(() -> server.segmentLog().release(run));
  }

  private List<String> underStore(Path descriptors) throws IOException {
    String store = directory.toRealPath().resolve("runs").toString();
    List<String> open = new ArrayList<>();
    try (var entries = Files.newDirectoryStream(descriptors)) {
      for (Path entry : entries) {
        try {
          String target = Files.readSymbolicLink(entry).toString();
          if (target.startsWith(store)) {
            open.add(target);
          }
        } catch (IOException e) {
          // Closed meanwhile.
        }
      }
    }
    return open;
  }

  private static RawSource connect(int port, UUID source) throws Exception {
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
    return await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> RawSource.connect(address, "live", source), Objects::nonNull);
  }

  private CollectorServer start(long segmentBytes) throws IOException {
    return CollectorServer.start(
        CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), directory)
            .withLive(new LiveOptions(Duration.ofMillis(20), null))
            .withSegmentLog(SegmentLogOptions.defaults().withSegmentBytes(segmentBytes)));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
