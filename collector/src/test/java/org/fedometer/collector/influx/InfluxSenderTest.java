package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Treatment of points that InfluxDB does not accept, or not completely. */
@Timeout(60)
class InfluxSenderTest {
  private static final InfluxTarget TARGET =
      new InfluxTarget("http://127.0.0.1:1", new InfluxTarget.Database("fedometer", "", "", ""));
  private static final long BATCH_BYTES = batch("any", 0).bytes();

  @Test
  void dropsTheOldestWhileABatchIsInFlight() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    Written written =
        new Written() {
          @Override
          public void write(List<String> lines) throws IOException, RefusedException {
            begun++;
            try {
              answer.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            super.write(lines);
          }
        };
    try (InfluxSender sender = sender(written, 4 * BATCH_BYTES)) {
      sender.offer(batch("a", 0));
      await().until(() -> written.begun > 0);
      for (int i = 1; i <= 9; i++) {
        sender.offer(batch("a", i));
      }
      assertThat(sender.status().dropped()).isEqualTo(6);
      assertThat(sender.status().queuedPoints()).isEqualTo(4);
      assertThat(sender.status().queuedBytes()).isEqualTo(4 * BATCH_BYTES);
      answer.countDown();
      await().until(() -> sender.status().sent() == 4);
    }
    assertThat(written.lines).containsExactly("a 0", "a 7", "a 8", "a 9");
  }

  @Test
  void waitingBatchesUseNoSpaceOfLiveOnes() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    Written written =
        new Written() {
          @Override
          public void write(List<String> lines) throws IOException, RefusedException {
            try {
              answer.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            super.write(lines);
          }
        };
    try (InfluxSender sender = sender(written, 4 * BATCH_BYTES)) {
      sender.offer(batch("a", 0));
      sender.offer(batch("a", 1));
      CompletableFuture<Boolean> offered = new CompletableFuture<>();
      Thread late =
          new Thread(
              () -> {
                try {
                  offered.complete(sender.offerOrWait(batch("a", 2)));
                } catch (InterruptedException e) {
                  offered.completeExceptionally(e);
                }
              });
      late.start();
      await().until(() -> late.getState() == Thread.State.TIMED_WAITING);
      assertThat(sender.status().queuedPoints()).isEqualTo(2);
      answer.countDown();
      assertThat(offered.get()).isTrue();
      await().until(() -> sender.status().sent() == 3);
      assertThat(sender.status().dropped()).isZero();
    }
    assertThat(written.lines).containsExactly("a 0", "a 1", "a 2");
  }

  @Test
  void reportsBatchesAfterTheEndAsMissing() throws Exception {
    InfluxSender sender = sender(new Written(), Long.MAX_VALUE);
    sender.close();
    assertThat(CapturedLog.during(() -> sender.offer(batch("a", 0))))
        .contains("a: The collector stopped before InfluxDB had accepted all points");
    assertThat(sender.status().dropped()).isEqualTo(1);
    assertThat(sender.status().queuedPoints()).isZero();
  }

  @Test
  void whatFailsIsTriedAgainInItsOrder() {
    Written written =
        new Written() {
          @Override
          public void write(List<String> lines) throws IOException, RefusedException {
            begun++;
            if (begun <= 2) {
              throw new IOException("away");
            }
            super.write(lines);
          }
        };
    try (InfluxSender sender = sender(written, Long.MAX_VALUE)) {
      sender.offer(batch("a", 0));
      sender.offer(batch("a", 1));
      await().until(() -> sender.status().failureReason().equals("away"));
      await().atMost(30, TimeUnit.SECONDS).until(() -> sender.status().sent() == 2);
      assertThat(sender.status().failureReason()).isEmpty();
      assertThat(sender.status().dropped()).isZero();
    }
    assertThat(written.lines).containsExactly("a 0", "a 1");
  }

  @Test
  void aServerThatHasNoUseForACommentIsThere() {
    Written written =
        new Written() {
          @Override
          public void write(List<String> lines) throws IOException, RefusedException {
            if (lines.equals(PROBE_LINES)) {
              throw new RefusedException("writing requires points", null);
            }
            super.write(lines);
          }
        };
    try (InfluxSender sender = sender(written, Long.MAX_VALUE)) {
      sender.offer(new PointBatch());
      sender.offer(batch("a", 0));
      await().until(() -> sender.status().sent() == 1);
      assertThat(sender.status().refused()).isZero();
      assertThat(sender.status().failureReason()).isEmpty();
    }
    assertThat(written.lines).containsExactly("a 0");
  }

  @Test
  void whatIsRefusedIsPassedOver() {
    Written written =
        new Written() {
          @Override
          public void write(List<String> lines) throws IOException, RefusedException {
            if (lines.contains("a 0")) {
              throw new RefusedException("field type conflict", null);
            }
            super.write(lines);
          }
        };
    try (InfluxSender sender = sender(written, Long.MAX_VALUE)) {
      sender.offer(batch("a", 0));
      sender.offer(batch("a", 1));
      await().until(() -> sender.status().sent() == 1);
      assertThat(sender.status().refused()).isEqualTo(1);
      assertThat(sender.status().queuedPoints()).isZero();
    }
    assertThat(written.lines).containsExactly("a 1");
  }

  @Test
  void pointsThatTheClientAlwaysFailsOnArePassedOver() {
    Written written =
        new Written() {
          @Override
          public void write(List<String> lines) throws IOException, RefusedException {
            if (lines.contains("a 0")) {
              begun++;
              throw new IllegalStateException("cannot be encoded");
            }
            super.write(lines);
          }
        };
    try (InfluxSender sender = sender(written, Long.MAX_VALUE)) {
      sender.offer(batch("a", 0));
      sender.offer(batch("a", 1));
      await().atMost(50, TimeUnit.SECONDS).until(() -> sender.status().sent() == 1);
      assertThat(sender.status().refused()).isEqualTo(1);
      assertThat(sender.status().failureReason()).isEmpty();
    }
    assertThat(written.begun).isEqualTo(5);
    assertThat(written.lines).containsExactly("a 1");
  }

  @Test
  @Timeout(20)
  void theEndWaitsForAServerThatDoesNotAnswerNoLongerThanItMay() {
    Written written =
        new Written() {
          @Override
          public void write(List<String> lines) throws IOException, RefusedException {
            throw new IOException("away");
          }
        };
    InfluxSender sender = sender(written, Long.MAX_VALUE);
    sender.offer(batch("a", 0));
    sender.offer(batch("b", 1));
    sender.close();
    assertThat(sender.status().dropped()).isEqualTo(2);
    assertThat(written.closed).isTrue();
  }

  private static InfluxSender sender(InfluxWriter writer, long maxBytes) {
    return new InfluxSender(
        TARGET, writer, maxBytes, Duration.ofMillis(700), new MissingPoints("--influx ..."));
  }

  private static PointBatch batch(String run, int number) {
    PointBatch batch = new PointBatch();
    batch.add(run, run.charAt(0) + " " + number);
    return batch;
  }

  /** An InfluxDB that records its lines. */
  private static class Written implements InfluxWriter {
    final List<String> lines = new CopyOnWriteArrayList<>();
    volatile int begun;
    volatile boolean closed;

    @Override
    public String lineOf(InfluxPoint point) {
      return point.toString();
    }

    @Override
    public void write(List<String> more) throws IOException, RefusedException {
      lines.addAll(more);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
