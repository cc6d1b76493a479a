package org.fedometer.experiments.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.experiments.collect.GcLog.Pause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GcLogFollowerTest {
  private static final Duration INTERVAL = Duration.ofMillis(10);
  private static final String FIRST =
      "[2026-11-21T10:00:01.000+0000][0.010s][info][gc] Using G1\n" + pause(1) + pause(2);

  @TempDir Path folder;
  private final List<Pause> sentPauses = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger settlings = new AtomicInteger();
  private volatile boolean full;
  private volatile boolean away;

  @Test
  void pausesAreHandedOnOnceAsTheyComeAndTheRestAtTheEnd() throws Exception {
    try (GcLogFollower follower = follow(0)) {
      append(FIRST);
      await().until(() -> sentPauses.size() == 2);
      // The line is being written.
      append(pause(3).substring(0, 60));
      append(pause(3).substring(60) + pause(4));
      await().until(() -> sentPauses.size() == 4);
      // As the JVM moves aside what is full: the collector's name is gone with it.
      Files.move(folder.resolve("gc.log"), folder.resolve("gc.log.0"));
      append(pause(5));
      await().until(() -> sentPauses.size() == 5);
      Files.delete(folder.resolve("gc.log.0"));

      append(pause(6));
      assertThat(follower.finish(fraction -> {})).as("all of them were handed on").isEmpty();
    }
    assertThat(sentPauses).allMatch(pause -> pause.collector().equals("G1"));
    assertThat(sentPauses)
        .extracting(pause -> pause.durationNanos() / 1_000_000)
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void whatAnEarlierProcessHasHandedOnIsLeftOut() throws Exception {
    append(FIRST + pause(3));
    try (GcLogFollower follower =
        follow(Instant.parse("2026-11-21T10:00:02Z").toEpochMilli() * 1_000_000)) {
      assertThat(follower.finish(fraction -> {})).isEmpty();
    }
    assertThat(sentPauses).singleElement().extracting(Pause::durationNanos).isEqualTo(3_000_000L);
  }

  @Test
  void forwardsAcceptedPausesOnce() throws Exception {
    away = true;
    append(FIRST);
    try (GcLogFollower follower = follow(0)) {
      await().until(() -> settlings.get() > 1);
      append(pause(3));
      await().until(() -> sentPauses.size() == 3);
      away = false;
      append(pause(4));
      follower.finish(fraction -> {});
    }
    assertThat(sentPauses)
        .extracting(pause -> pause.durationNanos() / 1_000_000)
        .containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void forwardsRejectedPausesAgain() throws Exception {
    full = true;
    append(FIRST);
    try (GcLogFollower follower = follow(0)) {
      await().until(() -> refusals.get() > 0);
      full = false;
      follower.finish(fraction -> {});
    }
    assertThat(sentPauses).hasSize(2);
  }

  @Test
  void reportsAnUnreadBeginning() throws Exception {
    append(pause(4));
    long third = Instant.parse("2026-11-21T10:00:03Z").toEpochMilli() * 1_000_000;
    long fourth = Instant.parse("2026-11-21T10:00:04Z").toEpochMilli() * 1_000_000;

    try (GcLogFollower never = follow(0)) {
      assertThat(never.finish(fraction -> {}))
          .singleElement()
          .asString()
          .contains("earlier pauses are not in the table gc");
    }
    try (GcLogFollower earlier = follow(third)) {
      assertThat(earlier.finish(fraction -> {})).hasSize(1);
    }
    try (GcLogFollower all = follow(fourth)) {
      assertThat(all.finish(fraction -> {})).isEmpty();
    }
  }

  @Test
  void closingWaitsForNoCollector() throws Exception {
    append(FIRST);
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    GcLogFollower follower =
        GcLogFollower.follow(
            () -> List.of(folder.resolve("gc.log")),
            new GcLogFollower.Sink() {
              @Override
              public void accept(List<Pause> pauses) throws IOException {
                waits.countDown();
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  ended.countDown();
                  throw new IOException(e);
                }
              }

              @Override
              public void awaitDurable() {}
            },
            0,
            INTERVAL);
    waits.await();
    follower.close();
    ended.await();
  }

  @Test
  void reportsNothingWithoutALog() throws Exception {
    try (GcLogFollower follower = follow(0)) {
      assertThat(follower.finish(fraction -> {})).isEmpty();
    }
    assertThat(sentPauses).isEmpty();
  }

  private GcLogFollower follow(long untilEpochNanos) {
    return GcLogFollower.follow(
        () -> {
          Path now = folder.resolve("gc.log");
          Path before = folder.resolve("gc.log.0");
          return GcLog.parts(
              Files.exists(before)
                  ? Map.of("gc.log", now, "gc.log.0", before)
                  : Files.exists(now) ? Map.of("gc.log", now) : Map.of());
        },
        new GcLogFollower.Sink() {
          @Override
          public void accept(List<Pause> pauses) throws IOException {
            if (full) {
              refusals.incrementAndGet();
              throw new IOException("full");
            }
            sentPauses.addAll(pauses);
          }

          @Override
          public void awaitDurable() throws IOException {
            settlings.incrementAndGet();
            if (away) {
              throw new IOException("away");
            }
          }
        },
        untilEpochNanos,
        INTERVAL);
  }

  private void append(String text) throws IOException {
    Files.writeString(
        folder.resolve("gc.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String pause(int number) {
    return "[2026-11-21T10:00:0%d.000+0000][%d.000s][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 23M->4M(64M) %d.000ms\n"
        .formatted(number, number, number, number);
  }
}
