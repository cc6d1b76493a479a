package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.wire.FrameType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RetentionJobTest {
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long DAY_NANOS = Duration.ofDays(1).toNanos();
  private static final long NOW = 100 * DAY;

  @TempDir Path directory;
  private CollectorServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), directory));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void deletesOldRunsAndMonitoringRuns() throws Exception {
    run("old", 31, 10);
    run("monitoring-2026-01-01-abcdef01", 40, 10);
    run("young", 29, 10);
    Files.createFile(run("precious", 90, 10).resolve("KEEP"));

    runJob(new Retention(Duration.ofDays(30), 0));

    assertThat(runs()).containsExactlyInAnyOrder("young", "precious");
    assertThat(hidden()).isEmpty();
  }

  @Test
  void theOldestGoUntilTheRestIsSmallEnough() throws Exception {
    run("a", 9, 400);
    run("b", 8, 400);
    Files.createFile(run("kept", 7, 400).resolve("KEEP"));
    run("c", 6, 400);
    run("d", 5, 400);

    runJob(new Retention(null, 1_250));

    assertThat(runs()).containsExactlyInAnyOrder("kept", "c", "d");
  }

  @Test
  void whatLinksPointToCountsForNothingAndStays() throws Exception {
    Path outside = Files.write(directory.resolve("outside"), new byte[100_000]);
    Path folder = run("linked", 5, 100);
    Files.createSymbolicLink(folder.resolve("link"), outside);
    Files.createSymbolicLink(folder.resolve("folder"), directory);
    age(folder, 5);
    run("other", 4, 100);

    runJob(new Retention(null, 5_000));
    assertThat(runs()).containsExactlyInAnyOrder("linked", "other");

    runJob(new Retention(Duration.ofDays(3), 0));
    assertThat(runs()).isEmpty();
    assertThat(outside).hasSize(100_000);
  }

  @Test
  void openRunsStayHoweverOldOrLarge() throws Exception {
    try (RawSource source = RawSource.connect(server.address(), "open")) {
      source.frame(FrameType.STAGES.code(), 1, Samples.stages());
      source.frame(FrameType.SAMPLES.code(), 2, Samples.traces(0, 10));
      assertThat(source.awaitAcknowledgement(2)).isTrue();
      run("old", 50, 10);

      runJob(System.currentTimeMillis() + 50 * DAY, new Retention(Duration.ofDays(1), 1));

      assertThat(runs()).containsExactly("open");
      source.frame(FrameType.SAMPLES.code(), 3, Samples.traces(10, 20));
      assertThat(source.awaitAcknowledgement(3)).isTrue();
    }
    server.close();
    assertThat(RunQueries.rows(directory, "open", "SELECT count(*) FROM samples"))
        .containsExactly("20");
  }

  @Test
  void aRunThatIsJustBeingCopiedHereIsNotOld() throws Exception {
    Files.createDirectories(directory.resolve("runs/new/tables"));

    runJob(System.currentTimeMillis(), new Retention(Duration.ofDays(1), 0));

    assertThat(runs()).containsExactly("new");
  }

  @Test
  void aRunThatWasCopiedHereIsAsOldAsItWasWhereItCameFrom(@TempDir Path elsewhere)
      throws Exception {
    try (CollectorServer other =
            CollectorServer.start(
                CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), elsewhere));
        RawSource source = RawSource.connect(other.address(), "copied")) {
      source.frame(FrameType.STAGES.code(), 1, Samples.stages());
      source.frame(FrameType.SAMPLES.code(), 2, Samples.traces(0, 10));
      assertThat(source.awaitAcknowledgement(2)).isTrue();
    }
    server.close();
    Path copy = directory.resolve("runs/copied");
    Files.move(elsewhere.resolve("runs/copied"), copy);
    FileTime then = FileTime.fromMillis(NOW - 40 * DAY);
    try (Stream<Path> files = Files.walk(copy)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, then);
      }
    }

    start();
    server.close();
    start();
    assertThat(new RunFolder(copy).segmentFiles()).as("the empty remainder").hasSize(1);
    runJob(new Retention(Duration.ofDays(50), 0));
    assertThat(runs()).containsExactly("copied");
    runJob(new Retention(Duration.ofDays(30), 0));
    assertThat(runs()).isEmpty();
  }

  @Test
  void whatACrashLeftHalfDeletedGoesWhenTheCollectorStartsAgain() throws Exception {
    Path folder = run("half", 5, 100);
    server.close();
    RunDeletion.hide(new RunFolder(folder));
    assertThat(runs()).isEmpty();
    assertThat(hidden()).hasSize(1);

    start();
    org.awaitility.Awaitility.await().until(() -> hidden().isEmpty());
  }

  @Test
  void whatIsLeftHalfDeletedLaterGoesToo() throws Exception {
    try (RetentionJob old =
        new RetentionJob(
            RunStore.at(directory),
            server.segmentLog(),
            new Retention(null, 0),
            Duration.ofMillis(50))) {
      old.start();
      for (String name : List.of("first", "second")) {
        RunDeletion.hide(new RunFolder(run(name, 5, 100)));
        org.awaitility.Awaitility.await().until(() -> hidden().isEmpty());
      }
    }
    assertThat(runs()).isEmpty();
  }

  @Test
  void aCollectorWithARetentionDeletesByItself() throws Exception {
    server.close();
    run("old", 365 * 60, 10);
    Files.createDirectories(directory.resolve("runs/young"));
    server =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), directory)
                .withRetention(new Retention(Duration.ofDays(1), 0)));

    org.awaitility.Awaitility.await()
        .until(() -> runs().equals(List.of("young")) && hidden().isEmpty());
  }

  @Test
  void aClockThatLeapsForwardDeletesNothingForADay() throws Exception {
    run("a", 2, 10);
    run("b", 0, 10);
    try (RetentionJob old = old(new Retention(Duration.ofDays(30), 0))) {
      old.deleteOld(NOW, 0);
      old.deleteOld(NOW + 90 * DAY, 1);
      // Files written meanwhile have that clock's date, too.
      run("c", -90, 10);
      old.deleteOld(NOW + 91 * DAY - 1, DAY_NANOS - 1_000_000);
      assertThat(runs()).contains("a", "b", "c");

      old.deleteOld(NOW + 91 * DAY + 1, DAY_NANOS + 1_000_000);
      assertThat(runs()).containsExactly("c");
    }
  }

  @Test
  void aClockThatLeapsForwardAndBackDeletesNothing() throws Exception {
    run("a", 2, 10);
    run("b", 0, 10);
    try (RetentionJob old = old(new Retention(Duration.ofDays(30), 0))) {
      old.deleteOld(NOW, 0);
      old.deleteOld(NOW + 90 * DAY, 1);
      for (int day = 1; day < 5; day++) {
        old.deleteOld(NOW + day * DAY, day * DAY_NANOS);
      }
    }
    assertThat(runs()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void aClockLongAfterTheStoreWasWrittenDeletesNothingAtTheStart() throws Exception {
    run("a", 50, 10);
    run("b", 40, 10);
    try (RetentionJob old = old(new Retention(Duration.ofDays(30), 0))) {
      old.deleteOld(NOW, 0);
      assertThat(runs()).containsExactlyInAnyOrder("a", "b");

      old.deleteOld(NOW + DAY, DAY_NANOS);
      assertThat(runs()).isEmpty();
    }
  }

  @Test
  void runsAreDeletedForTheirSizeWhateverTheClockShows() throws Exception {
    run("a", 50, 400);
    run("b", 40, 400);
    try (RetentionJob old = old(new Retention(null, 500))) {
      old.deleteOld(NOW + 5_000 * DAY, 0);
    }
    assertThat(runs()).containsExactly("b");
  }

  @Test
  void deletesNothingWhenProtectedRunsExceedTheLimit() throws Exception {
    Path precious = run("precious", 9, 1_000);
    Files.createFile(precious.resolve("KEEP"));
    run("ended", 1, 100);
    try (RetentionJob old = old(new Retention(null, 900))) {
      old.deleteOld(NOW, 0);
      assertThat(runs()).containsExactlyInAnyOrder("precious", "ended");

      Files.delete(precious.resolve("KEEP"));
      age(precious, 9);
      old.deleteOld(NOW, 0);
      assertThat(runs()).containsExactly("ended");
    }
  }

  private RetentionJob old(Retention retention) {
    return new RetentionJob(RunStore.at(directory), server.segmentLog(), retention);
  }

  private void runJob(Retention retention) throws Exception {
    runJob(NOW, retention);
  }

  private void runJob(long nowMillis, Retention retention) throws Exception {
    try (RetentionJob old =
        new RetentionJob(RunStore.at(directory), server.segmentLog(), retention)) {
      // The clock is believed when it has gone on evenly for a day.
      old.deleteOld(nowMillis - DAY, 0);
      old.deleteOld(nowMillis, DAY_NANOS);
    }
  }

  private Path run(String name, int daysAgo, int bytes) throws IOException {
    Path folder = Files.createDirectories(directory.resolve("runs").resolve(name));
    Files.write(Files.createDirectories(folder.resolve("logs")).resolve("x.log"), new byte[bytes]);
    age(folder, daysAgo);
    return folder;
  }

  private static void age(Path folder, int daysAgo) throws IOException {
    FileTime then = FileTime.fromMillis(NOW - daysAgo * DAY);
    Files.setLastModifiedTime(folder.resolve("logs/x.log"), then);
    Files.setLastModifiedTime(folder.resolve("logs"), then);
    for (Path link : List.of(folder.resolve("link"), folder.resolve("folder"))) {
      if (Files.isSymbolicLink(link)) {
        Files.getFileAttributeView(link, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .setTimes(then, null, null);
      }
    }
    Files.setLastModifiedTime(folder, then);
  }

  private List<String> runs() throws IOException {
    return RunStore.at(directory).runs().stream().map(RunFolder::name).toList();
  }

  private List<String> hidden() throws IOException {
    try (Stream<Path> entries = Files.list(directory.resolve("runs"))) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> name.startsWith("."))
          .toList();
    }
  }
}
