package org.fedometer.collector.segmentlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.fedometer.collector.RunQueries;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.Table;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Totals;
import org.fedometer.wire.session.Welcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SegmentLogTest {
  @TempDir Path directory;
  private RunStore store;
  private final SettableClock clock = new SettableClock();
  private final RecordingListener followed = new RecordingListener();
  private SegmentLog segmentLog;

  @BeforeEach
  void start() throws Exception {
    identify(directory);
    store = RunStore.at(directory.toRealPath());
    restart(options());
  }

  @AfterEach
  void stop() throws Exception {
    segmentLog.stop(Duration.ofSeconds(30));
  }

  @Test
  void unwritableRunDoesNotBlockOthers() throws Exception {
    Connection broken = connect("broken", new UUID(1, 1));
    Connection sound = connect("sound", new UUID(1, 2));
    Path inTheWay = directory.resolve("runs/broken/segments/document.tmp");
    Files.createDirectory(inTheWay);

    broken.send(1, document("run.json"));
    await().until(() -> broken.notice.contains("cannot write"));
    for (long sequence = 1; sequence <= 20; sequence++) {
      long sent = sequence;
      sound.send(sent, samples(sent));
      await().until(() -> sound.acknowledged == sent);
    }
    assertThat(broken.acknowledged).isZero();
    assertThat(sound.notice).isEmpty();

    Files.delete(inTheWay);
    await().until(() -> broken.acknowledged == 1);
    assertThat(broken.notice).isEmpty();
    assertThat(directory.resolve("runs/broken/run.json")).hasContent("content");
  }

  @Test
  void aRunThatCannotBeWrittenIsReadNoFurtherWhenEnoughOfItWaits() throws Exception {
    restart(options().withQueueBytes(80_000));
    Connection broken = connect("broken", new UUID(1, 1));
    Path inTheWay = directory.resolve("runs/broken/segments/document.tmp");
    Files.createDirectory(inTheWay);

    broken.send(1, document("run.json"));
    broken.send(2, new Frame(FrameType.REQUESTS.code(), 2, new byte[20_000]));
    await().until(() -> broken.paused.contains(SourceConnection.PauseReason.RUN_NOT_WRITABLE));
    Connection again = connect("broken", new UUID(1, 1));
    await().until(() -> again.paused.contains(SourceConnection.PauseReason.RUN_NOT_WRITABLE));

    Files.delete(inTheWay);
    again.send(3, samples(3));
    await().until(() -> again.acknowledged == 3);
    assertThat(again.paused).isEmpty();
  }

  @Test
  void aRunThatNeedsMoreMemoryThanThereIsHoldsUpNoOther() throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:MaxDirectMemorySize=256k",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LowMemory.class.getName(),
                Files.createDirectory(directory.resolve("scarce")).toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /** In a process of its own: frames are written by way of memory outside the heap. */
  static final class LowMemory {
    public static void main(String[] arguments) throws Exception {
      SegmentLogOptions options =
          SegmentLogOptions.defaults()
              .withHeartbeat(Duration.ofMillis(50))
              .withRetryPause(Duration.ofMillis(50));
      SegmentLog segmentLog = SegmentLog.start(RunStore.at(Path.of(arguments[0])), "host", options);
      Connection large = connect(segmentLog, "large", new UUID(1, 1));
      Connection small = connect(segmentLog, "small", new UUID(1, 2));
      large.send(1, new Frame(FrameType.REQUESTS.code(), 1, new byte[1_000_000]));
      await()
          .atMost(Duration.ofSeconds(40))
          .until(() -> large.notice.contains("direct buffer memory"));
      small.send(1, samples(1));
      await().atMost(Duration.ofSeconds(40)).until(() -> small.acknowledged == 1);
      Runtime.getRuntime().halt(large.acknowledged == 0 ? 0 : 2);
    }
  }

  @Test
  void failingListenerBlocksNoSource() throws Exception {
    followed.failure = new OutOfMemoryError("of a test");
    Connection source = connect("followed", new UUID(1, 1));
    for (long sequence = 1; sequence <= 3; sequence++) {
      long sent = sequence;
      source.send(sent, samples(sent));
      await().until(() -> source.acknowledged == sent);
    }
    followed.failure = null;
    source.send(4, samples(4));
    await().until(() -> followed.frames.size() == 1);
  }

  @Test
  void failingListenerGetsTheOtherFramesOfTheCommit() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    followed.before =
        sequence -> {
          if (sequence == 1) {
            awaitUnlessInterrupted(sent);
          } else if (sequence == 2) {
            throw new IllegalStateException("of a test");
          }
        };
    Connection source = connect("followed", new UUID(1, 1));
    source.send(1, samples(1));
    await().until(() -> source.acknowledged == 1);
    // The segment log's thread is blocked, so that both are in its next commit.
    source.send(2, samples(2));
    source.send(3, samples(3));
    sent.countDown();

    await().until(() -> followed.frames.size() == 2);
    assertThat(followed.frames)
        .containsExactly(
            "followed 0a1b2c3d-000001.segment agent 1", "followed 0a1b2c3d-000001.segment agent 3");
  }

  private static void awaitUnlessInterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void closingAFailingRunDoesNotRetryItMoreOften() throws Exception {
    restart(options().withRetryPause(Duration.ofHours(1)));
    Connection broken = connect("broken", new UUID(1, 1));
    Connection sound = connect("sound", new UUID(1, 2));
    Path inTheWay = directory.resolve("runs/broken/segments/document.tmp");
    Files.createDirectory(inTheWay);
    broken.send(1, document("run.json"));
    broken.send(2, closeRun(2));
    await().until(() -> broken.notice.contains("cannot write"));

    Files.delete(inTheWay);
    for (long sequence = 1; sequence <= 5; sequence++) {
      long sent = sequence;
      sound.send(sent, samples(sent));
      await().until(() -> sound.acknowledged == sent);
    }
    assertThat(broken.notice).contains("cannot write");
    assertThat(broken.acknowledged).isZero();
  }

  @Test
  void framesAreSealedWhenTheyAreOldEnoughAndNothingIsSealedAgainWithoutNewOnes() throws Exception {
    restart(options().withSealAge(Duration.ofMillis(300)));
    Connection source = connect("aging", new UUID(1, 1));
    source.send(1, samples(1));
    await().until(() -> rows("aging", "SELECT trace FROM samples").equals(List.of("1")));
    await().until(() -> store.run("aging").segmentFiles().size() == 1);
    Path newest = store.run("aging").segmentFiles().get(0);

    long before = source.acknowledgements;
    await().until(() -> source.acknowledgements > before + 20);

    assertThat(store.run("aging").segmentFiles()).containsExactly(newest);
    assertThat(store.run("aging").tableFiles(Table.SAMPLES)).hasSize(1);
  }

  @Test
  void segmentsAreSealedInTheirOrderSoThatARestartFindsAllBehindTheOldest() throws Exception {
    restart(options().withSegmentBytes(1));
    Connection source = connect("ordered", new UUID(1, 1));
    Path inTheWay = obstacle("runs/ordered/tables/sources/0a1b2c3d-000001-000001.parquet");

    source.send(1, appended("logs/a.log", 1, "one,"));
    await().until(() -> source.notice.contains("cannot be sealed"));
    source.send(2, appended("logs/a.log", 2, "two,"));
    await().until(() -> source.acknowledged == 2);
    source.send(3, appended("logs/a.log", 3, "three"));
    await().until(() -> source.acknowledged == 3);
    assertThat(segmentLog.stop(Duration.ofSeconds(30))).isFalse();
    assertThat(store.run("ordered").segmentFiles()).hasSize(4);

    Files.delete(inTheWay.resolve("not empty"));
    Files.delete(inTheWay);
    segmentLog = SegmentLog.start(store, "host", options());
    assertThat(directory.resolve("runs/ordered/logs/a.log")).hasContent("one,two,three");
    assertThat(connect("ordered", new UUID(1, 1)).lastDurable).isEqualTo(3);
    assertThat(segmentLog.stop(Duration.ofSeconds(30))).isTrue();
    assertThat(rows("ordered", "SELECT frames_missing FROM sources")).containsExactly("0");
    assertThat(store.run("ordered").segmentFiles()).hasSize(1);
  }

  @Test
  void whatCouldNotBeSealedIsTriedOnceMoreAtTheEndWithoutWaitingForItsPause() throws Exception {
    restart(options().withRetryPause(Duration.ofMinutes(1)));
    Connection source = connect("blocked", new UUID(1, 1));
    Path inTheWay = directory.resolve("runs/blocked/tables");
    Files.writeString(inTheWay, "no folder");
    source.send(1, samples(1));
    source.send(2, closeRun(2));
    await().until(() -> source.notice.contains("cannot be sealed"));

    Files.delete(inTheWay);

    assertThat(segmentLog.stop(Duration.ofSeconds(20))).isTrue();
    assertThat(rows("blocked", "SELECT count(*) FROM samples")).containsExactly("1");
  }

  @Test
  void aRunThatCannotBeSealedHoldsUpTheSealingOfNoOther() throws Exception {
    restart(options().withSegmentBytes(2_000).withSealAge(Duration.ofMillis(300)));
    Connection stuck = connect("stuck", new UUID(1, 1));
    Files.writeString(directory.resolve("runs/stuck/tables"), "no folder");
    for (long sequence = 1; sequence <= 6; sequence++) {
      long sent = sequence;
      stuck.send(sent, new Frame(FrameType.REQUESTS.code(), sent, new byte[3_000]));
      await().until(() -> stuck.acknowledged == sent);
    }
    await().until(() -> stuck.notice.contains("cannot be sealed"));

    Connection sound = connect("sound", new UUID(1, 2));
    sound.send(1, samples(1));
    await().until(() -> !store.run("sound").tableFiles(Table.SAMPLES).isEmpty());
    assertThat(stuck.notice).contains("cannot be sealed");
  }

  @Test
  void namesThatFillASegmentDoNotBeginANewOneWithEachCommit() throws Exception {
    restart(options().withSegmentBytes(20_000));
    Connection source = connect("wordy", new UUID(1, 1));
    Dictionary names = new Dictionary();
    for (int id = 0; id < 30; id++) {
      names.put(id, "x".repeat(1_000) + id);
    }
    source.send(1, new Frame(FrameType.THREADS.code(), 1, names.encode()));
    for (long sequence = 2; sequence <= 6; sequence++) {
      long sent = sequence;
      source.send(sent, samples(sent));
      await().until(() -> source.acknowledged == sent);
    }
    List<Path> segments = store.run("wordy").segmentFiles();
    assertThat(segments.get(segments.size() - 1)).hasFileName("0a1b2c3d-000002.segment");
  }

  @Test
  void monitoredSourceContinuesInTheRunOfTheDay() throws Exception {
    UUID source = UUID.fromString("0badcafe-0000-4000-8000-000000000001");
    clock.now = Instant.parse("2026-03-01T23:59:59Z");
    Connection connection = connect("", source);
    connection.send(1, stages());
    connection.send(2, samples(2));
    await().until(() -> connection.acknowledged == 2);
    clock.now = Instant.parse("2026-03-02T00:00:00Z");
    connection.send(3, samples(3));
    connection.send(4, samples(4));
    await().until(() -> connection.acknowledged == 4);

    restart(options());
    Connection again = connect("", source);
    assertThat(again.lastDurable).isEqualTo(4);
    assertThat(again.runFolder).isEqualTo("monitoring-2026-03-02-0badcafe");
    clock.now = Instant.parse("2026-03-04T09:00:00Z");
    again.send(5, samples(5));
    await().until(() -> again.acknowledged == 5);
    restart(options());
    assertThat(stateOf("monitoring-2026-03-01-0badcafe")).isEqualTo("ended");
    assertThat(stateOf("monitoring-2026-03-02-0badcafe")).isEqualTo("ended");
    assertThat(stateOf("monitoring-2026-03-04-0badcafe")).isEqualTo("monitoring");

    String sql = "SELECT stage || trace FROM samples ORDER BY trace";
    assertThat(rows("monitoring-2026-03-01-0badcafe", sql)).containsExactly("ingest2");
    assertThat(rows("monitoring-2026-03-02-0badcafe", sql)).containsExactly("ingest3", "ingest4");
    assertThat(rows("monitoring-2026-03-04-0badcafe", sql)).containsExactly("ingest5");
    assertThat(store.run("monitoring-2026-03-02-0badcafe").document().state())
        .isEqualTo("monitoring");
    assertThat(rows("monitoring-2026-03-04-0badcafe", "SELECT frames_missing FROM sources"))
        .containsExactly("0");
  }

  @Test
  void aMonitoringRunEndsWhenItsAgentHasLeftInOrderAndGoesOnWhenThatComesBack() throws Exception {
    UUID source = UUID.fromString("0badcafe-0000-4000-8000-000000000001");
    String run = "monitoring-2026-03-01-0badcafe";
    Connection killed = connect("killed", new UUID(1, 1));
    send(killed, 1, 2);
    Connection connection = connect("", source);
    send(connection, 1, 2);
    connection.send(3, lastTotals(3));
    await().until(() -> connection.acknowledged == 3);
    assertThat(stateOf(run)).isEqualTo("monitoring");

    segmentLog.sourceDisconnected(killed);
    segmentLog.sourceDisconnected(connection);
    await().until(() -> stateOf(run).equals("ended"));
    assertThat(Instant.parse(store.run(run).document().ended()))
        .isBetween(clock.now.minusSeconds(60), clock.now);
    assertThat(stateOf("killed")).as("left without its last word").isEqualTo("monitoring");

    restart(options());
    assertThat(stateOf(run)).isEqualTo("ended");
    connect("", source).send(4, samples(4));
    await().until(() -> stateOf(run).equals("monitoring"));
    assertThat(store.run(run).document().ended()).isNull();
    restart(options());
    assertThat(stateOf(run)).as("left without its last word").isEqualTo("monitoring");
  }

  @Test
  void aNamedMonitoringRunEndsWithEachOfTheAgentsThatComeOneAfterTheOther() throws Exception {
    Connection first = connect("prod", new UUID(1, 1));
    send(first, 1, 2);
    first.send(3, lastTotals(3));
    await().until(() -> first.acknowledged == 3);
    segmentLog.sourceDisconnected(first);
    await().until(() -> stateOf("prod").equals("ended"));

    restart(options()); // the first one's data is sealed
    Connection second = connect("prod", new UUID(2, 2));
    send(second, 1, 2);
    await().until(() -> stateOf("prod").equals("monitoring"));
    second.send(3, lastTotals(3));
    await().until(() -> second.acknowledged == 3);
    segmentLog.sourceDisconnected(second);
    await().until(() -> stateOf("prod").equals("ended"));

    Connection back = connect("prod", new UUID(2, 2));
    back.send(4, samples(4));
    await().until(() -> back.acknowledged == 4);
    await().until(() -> stateOf("prod").equals("monitoring"));
    segmentLog.sourceDisconnected(back);
    Connection other = connect("other", new UUID(3, 3));
    send(other, 1, 2);
    other.send(3, lastTotals(3));
    await().until(() -> other.acknowledged == 3);
    segmentLog.sourceDisconnected(other);
    await().until(() -> stateOf("other").equals("ended"));
    assertThat(stateOf("prod"))
        .as("left without a word after its last samples")
        .isEqualTo("monitoring");
  }

  private String stateOf(String run) throws IOException {
    return store.summaries().stream()
        .filter(summary -> summary.name().equals(run))
        .findFirst()
        .orElseThrow()
        .state();
  }

  private static Frame lastTotals(long sequence) {
    return new Frame(
        FrameType.TOTALS.code(), sequence, new Totals(List.of(), 0, 0, 0, 0, 0, true).encode());
  }

  @Test
  void monitoredSourceClosingAtMidnightContinuesInTheNextRun() throws Exception {
    UUID source = UUID.fromString("0badcafe-0000-4000-8000-000000000001");
    clock.now = Instant.parse("2026-03-01T23:59:59Z");
    Connection connection = connect("", source);
    connection.send(1, samples(1));
    await().until(() -> connection.acknowledged == 1);
    clock.now = Instant.parse("2026-03-02T00:00:00Z");
    connection.send(2, closeRun(2));
    connection.send(3, samples(3));
    connection.send(4, samples(4));
    connection.send(5, samples(5));
    await().until(() -> connection.acknowledged == 5);
    assertThat(connection.paused).isEmpty();

    connection.send(6, closeRun(6));
    connection.send(7, samples(7));
    await().until(() -> connection.acknowledged == 7);
    restart(options());
    String sql = "SELECT trace FROM samples ORDER BY trace";
    assertThat(rows("monitoring-2026-03-01-0badcafe", sql)).containsExactly("1");
    assertThat(rows("monitoring-2026-03-02-0badcafe", sql)).containsExactly("3", "4", "5", "7");
  }

  @Test
  void aCrashAtTheTurnOfTheDayLosesAndDoublesNothing() throws Exception {
    UUID source = UUID.fromString("0badcafe-0000-4000-8000-000000000001");
    clock.now = Instant.parse("2026-03-01T23:59:59Z");
    Connection connection = connect("", source);
    send(connection, 1, 3);
    Path dayOne =
        directory.resolve("runs/monitoring-2026-03-01-0badcafe/segments/0a1b2c3d-000001.segment");
    // Later it may be sealed already.
    byte[] before = Files.readAllBytes(dayOne);
    clock.now = Instant.parse("2026-03-02T00:00:00Z");
    send(connection, 4, 6);
    Path copies = Files.createDirectory(directory.resolve("copies"));
    Path dayTwo =
        directory.resolve("runs/monitoring-2026-03-02-0badcafe/segments/0a1b2c3d-000001.segment");
    byte[] after = Files.readAllBytes(dayTwo);

    // A crash cuts the newer segment anywhere, or comes before there is one (at 7 bytes).
    for (int left = 7; left <= after.length; left += left < 40 ? 33 : 61) {
      RunStore copy = RunStore.at(copies.resolve("cut" + left));
      RunFolder one = copy.folderOf("monitoring-2026-03-01-0badcafe");
      RunFolder two = copy.folderOf("monitoring-2026-03-02-0badcafe");
      Files.createDirectories(one.segmentDirectory());
      Files.createDirectories(two.segmentDirectory());
      identify(copy.directory());
      Files.write(one.segmentDirectory().resolve("0a1b2c3d-000001.segment"), before);
      if (left > 7) {
        Files.write(
            two.segmentDirectory().resolve("0a1b2c3d-000001.segment"), Arrays.copyOf(after, left));
      }
      SegmentLog recovered = SegmentLog.start(copy, "host", options());
      Connection again = connect(recovered, "", source);
      assertThat(again.lastDurable).isBetween(3L, 6L);
      for (long sequence = again.lastDurable + 1; sequence <= 7; sequence++) {
        recovered.frameReceived(again, frameOf(sequence));
      }
      await().until(() -> again.acknowledged == 7);
      stopped(recovered);
      // From the tables: the first day may be sealed at any moment while the segment log runs.
      List<String> all = new ArrayList<>();
      for (RunFolder day : List.of(one, two)) {
        all.addAll(
            RunQueries.rows(copy.directory(), day.name(), "SELECT trace FROM samples ORDER BY 1"));
      }
      assertThat(all).as("cut at %d", left).containsExactly("2", "3", "5", "6");
    }
  }

  @Test
  void releasesARunThatIsSealedAndHasNoSource() throws Exception {
    Connection source = connect("mine", new UUID(1, 1));
    source.send(1, samples(1));
    await().until(() -> source.acknowledged == 1);
    assertThat(segmentLog.isOpen("mine")).isTrue();
    assertThat(segmentLog.release("mine")).isFalse();
    assertThat(segmentLog.release("never heard of")).isTrue();

    segmentLog.sourceDisconnected(source);
    Path elsewhere = directory.resolve("elsewhere");
    assertThat(segmentLog.release("mine", () -> move(directory.resolve("runs/mine"), elsewhere)))
        .isTrue();

    assertThat(segmentLog.isOpen("mine")).isFalse();
    assertThat(elsewhere.resolve("tables/samples")).isDirectory();
    Connection again = connect("mine", new UUID(1, 1));
    assertThat(again.lastDurable).isZero();
  }

  @Test
  void watchNoticesThatASourceOpensTheRun() throws Exception {
    try (ReopenWatch watch = segmentLog.watchReopening("quiet")) {
      connect("other", new UUID(1, 1));
      assertThat(watch.isUnopened()).isTrue();

      Connection source = connect("quiet", new UUID(2, 2));
      assertThat(watch.isUnopened()).isFalse();
      try (ReopenWatch late = segmentLog.watchReopening("quiet")) {
        assertThat(late.isUnopened()).as("while it is open").isFalse();
      }

      segmentLog.sourceDisconnected(source);
      assertThat(segmentLog.release("quiet")).isTrue();
      assertThat(watch.isUnopened()).as("once opened").isFalse();
      AtomicBoolean held = new AtomicBoolean();
      try (ReopenWatch again = segmentLog.watchReopening("quiet")) {
        assertThat(segmentLog.release("quiet", () -> held.set(again.isUnopened()))).isTrue();
      }
      assertThat(held).isTrue();
    }
  }

  @Test
  void listenerGetsEachDurableFrameAndAgainAfterARestart() throws Exception {
    Connection source = connect("live", new UUID(1, 1));
    source.send(1, stages());
    source.send(2, samples(2));
    source.send(2, samples(2));
    await().until(() -> followed.frames.size() == 2);
    assertThat(followed.frames)
        .containsExactly(
            "live 0a1b2c3d-000001.segment agent 1", "live 0a1b2c3d-000001.segment agent 2");
    segmentLog.sourceDisconnected(source);
    assertThat(segmentLog.release("live")).isTrue();
    assertThat(followed.sealed).containsExactly("live 0a1b2c3d-000001.segment");

    Connection again = connect("live", new UUID(1, 1));
    followed.frames.clear();
    again.send(3, samples(3));
    await().until(() -> again.acknowledged == 3);
    Path segment = store.run("live").segmentFiles().get(0);
    RunStore copy = RunStore.at(directory.resolve("copy"));
    Files.createDirectories(copy.folderOf("live").segmentDirectory());
    identify(copy.directory());
    Files.copy(segment, copy.folderOf("live").segmentDirectory().resolve(segment.getFileName()));
    followed.frames.clear();
    SegmentLog recovered = SegmentLog.start(copy, "host", options(), followed);
    assertThat(followed.frames)
        .containsExactly(
            "live 0a1b2c3d-000002.segment agent 0", "live 0a1b2c3d-000002.segment agent 3");
    stopped(recovered);
  }

  @Test
  void completesReleasesHoweverTheLogEnds() throws Exception {
    CountDownLatch requested = new CountDownLatch(1);
    followed.before =
        sequence -> {
          awaitUnlessInterrupted(requested);
          Thread.currentThread().interrupt();
        };
    Connection source = connect("quiet", new UUID(1, 1));
    source.send(1, samples(1));
    await().until(() -> source.acknowledged == 1);
    // The segment log's thread is blocked, and accepts nothing once it continues.
    CompletableFuture<Boolean> released = segmentLog.releaseAsync("quiet", () -> {});
    requested.countDown();

    assertThat(released.get(30, TimeUnit.SECONDS)).isFalse();
    segmentLog.awaitEnd(Long.MAX_VALUE);
    assertThat(segmentLog.hasFailed()).isTrue();
    assertThat(segmentLog.releaseAsync("quiet", () -> {}).get(30, TimeUnit.SECONDS)).isFalse();
    assertThat(segmentLog.release("quiet")).isFalse();
  }

  /** Makes the store one and the same wherever its files are copied. */
  private static void identify(Path storeDirectory) throws IOException {
    Files.writeString(
        storeDirectory.resolve("store.json"),
        "{\"schema\": 1, \"id\": \"0a1b2c3d\", \"created\": \"2026-01-01T00:00:00Z\"}");
  }

  private void send(Connection connection, long first, long last) {
    for (long sequence = first; sequence <= last; sequence++) {
      connection.send(sequence, frameOf(sequence));
    }
    await().until(() -> connection.acknowledged == last);
  }

  private static void stopped(SegmentLog segmentLog) throws InterruptedException {
    segmentLog.stop(Duration.ofSeconds(30));
  }

  @Test
  void frameSourceCannotDeclareSequenceGaps() throws Exception {
    Connection connection = new Connection(segmentLog);
    Map<String, String> attributes = Map.of(EventConnection.TRANSPORT, EventConnection.LOG4J2);
    segmentLog.sourceConnected(
        connection,
        Hello.builder(new UUID(1, 1), "agent").runName("run").attributes(attributes).build());
    await().until(() -> connection.notice.contains("another transport"));
    assertThat(connection.welcome).isFalse();
  }

  private SegmentLogOptions options() {
    return SegmentLogOptions.defaults()
        .withHeartbeat(Duration.ofMillis(50))
        .withRetryPause(Duration.ofMillis(50))
        .withClock(clock);
  }

  private void restart(SegmentLogOptions options) throws Exception {
    if (segmentLog != null) {
      assertThat(segmentLog.stop(Duration.ofSeconds(30))).isTrue();
    }
    segmentLog = SegmentLog.start(store, "host", options, followed);
  }

  private Connection connect(String runName, UUID source) {
    return connect(segmentLog, runName, source);
  }

  private static Connection connect(SegmentLog segmentLog, String runName, UUID source) {
    Connection connection = new Connection(segmentLog);
    segmentLog.sourceConnected(connection, Hello.builder(source, "agent").runName(runName).build());
    await().until(() -> connection.welcome);
    return connection;
  }

  private List<String> rows(String run, String sql) throws Exception {
    return RunQueries.rows(store.directory(), run, sql);
  }

  private static Frame frameOf(long sequence) {
    return sequence % 3 == 1 ? stages(sequence) : samples(sequence);
  }

  private static Frame stages() {
    return stages(1);
  }

  private static Frame stages(long sequence) {
    return new Frame(FrameType.STAGES.code(), sequence, new Dictionary().put(1, "ingest").encode());
  }

  private static Frame samples(long sequence) {
    SampleEncoder samples = new SampleEncoder();
    samples.add(1, 5, sequence, 1_000 * sequence, 700, 600, false);
    return new Frame(FrameType.SAMPLES.code(), sequence, samples.finish());
  }

  private static Frame closeRun(long sequence) {
    return new Frame(FrameType.CLOSE_RUN.code(), sequence, new CloseRun("").encode());
  }

  private static Frame document(String path) {
    byte[] content = "content".getBytes(StandardCharsets.UTF_8);
    return new Frame(FrameType.DOCUMENT.code(), 1, new Document(path, content, false).encode());
  }

  private static Frame appended(String path, long sequence, String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    return new Frame(
        FrameType.DOCUMENT.code(), sequence, new Document(path, content, true).encode());
  }

  /** A folder where a file is to be. */
  private Path obstacle(String path) throws IOException {
    Path folder = directory.resolve(path);
    Files.createDirectories(folder.resolve("not empty"));
    return folder;
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A source's connection without a network. */
  private static final class Connection implements SourceConnection {
    private final SegmentLog segmentLog;
    private final List<PauseReason> paused = new CopyOnWriteArrayList<>();
    private volatile long lastDurable;
    private volatile String runFolder = "";
    private volatile boolean welcome;
    private volatile long acknowledged;
    private volatile long acknowledgements;
    private volatile String notice = "";

    Connection(SegmentLog segmentLog) {
      this.segmentLog = segmentLog;
    }

    void send(long sequence, Frame frame) {
      assertThat(frame.sequence()).isEqualTo(sequence);
      segmentLog.frameReceived(this, frame);
    }

    @Override
    public void welcome(Welcome answer) {
      lastDurable = answer.lastDurableSequence();
      runFolder = answer.runFolder();
      welcome = true;
    }

    @Override
    public void acknowledge(Acknowledgement acknowledgement) {
      notice = acknowledgement.notice();
      acknowledged = acknowledgement.lastDurableSequence();
      acknowledgements++;
    }

    @Override
    public void refuse(Rejected refused) {
      notice = refused.reason();
    }

    @Override
    public void pause(PauseReason reason) {
      paused.add(reason);
    }

    @Override
    public void resume(PauseReason reason) {
      paused.remove(reason);
    }

    @Override
    public String peer() {
      return "a test";
    }
  }

  private static final class RecordingListener implements DurableFrames {
    private final List<String> frames = new CopyOnWriteArrayList<>();
    private final List<String> sealed = new CopyOnWriteArrayList<>();
    private volatile Error failure;

    /** Gets each frame's sequence first. */
    private volatile LongConsumer before = sequence -> {};

    @Override
    public void durable(RunFolder run, SegmentSource source, String segment, Frame frame) {
      before.accept(frame.sequence());
      if (failure != null) {
        throw failure;
      }
      frames.add(
          run.name() + " " + segment + " " + source.hello().sourceKind() + " " + frame.sequence());
    }

    @Override
    public void sealed(RunFolder run, String segment) {
      sealed.add(run.name() + " " + segment);
    }
  }

  private static final class SettableClock extends Clock {
    private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

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
      return now;
    }
  }
}
