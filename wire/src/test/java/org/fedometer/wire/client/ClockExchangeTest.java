package org.fedometer.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.ClockReply;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.CloseRun;

class ClockExchangeTest {
  private static final long INTERVAL = 60_000_000_000L;

  @Property(tries = 500)
  void theTrueOffsetIsNeverFartherOffThanTheUncertainty(
      @ForAll long trueOffset, @ForAll long start, @ForAll Random random) {
    ClockExchange exchange = new ClockExchange("", INTERVAL);
    long now = start;
    long shortest = Long.MAX_VALUE;
    ClockEstimate estimate = null;
    for (int i = 0; i < ClockExchange.BURST; i++) {
      assertThat(estimate).isNull();
      assertThat(exchange.waitNanos(now, false)).isZero();
      long asked = now;
      exchange.requestSent(asked);
      assertThat(exchange.waitNanos(now, true)).isEqualTo(ClockExchange.NEVER);
      long there = random.nextInt(1_000_000);
      long inside = random.nextInt(1_000);
      long back = random.nextInt(1_000_000);
      now += there + inside + back;
      estimate =
          exchange.replyReceived(
              new ClockReply(
                  asked, asked + there + trueOffset, asked + there + inside + trueOffset, "c"),
              now);
      shortest = Math.min(shortest, there + back);
    }

    assertThat(estimate.uncertaintyNanos()).isEqualTo(shortest - shortest / 2);
    assertThat(Math.abs(estimate.offsetNanos() - trueOffset))
        .isLessThanOrEqualTo(estimate.uncertaintyNanos());
    assertThat(estimate.bootId()).isEqualTo("c");
    assertThat(estimate.atNanos() - start).isBetween(0L, now - start);
  }

  @Example
  void sharedBootMeansSharedClockUnlessTimesContradict() {
    assertThat(estimate("b", "b", 40)).isEqualTo("0 ± 0");
    assertThat(estimate("b", "b", 60)).isEqualTo("0 ± 0");
    assertThat(estimate("b", "b", 5_000)).isEqualTo("4949 ± 51");
    assertThat(estimate("b", "c", 40)).isEqualTo("-11 ± 51");
    assertThat(estimate("", "", 40)).isEqualTo("-11 ± 51");
  }

  @Property(tries = 100)
  void theNextBurstComesAfterTheIntervalIfAnythingWasOffered(
      @ForAll long start, @ForAll @LongRange(min = 0, max = INTERVAL) long later) {
    ClockExchange exchange = new ClockExchange("", INTERVAL);
    burst(exchange, start, start);

    assertThat(exchange.waitNanos(start + later, true)).isEqualTo(INTERVAL - later);
    assertThat(exchange.waitNanos(start + later, false)).isEqualTo(ClockExchange.NEVER);
    assertThat(exchange.waitNanos(start + 2 * INTERVAL, true)).isZero();
  }

  @Example
  void ignoresUnrequestedAndImpossibleReplies() {
    ClockExchange exchange = new ClockExchange("", INTERVAL);
    assertThat(exchange.replyReceived(new ClockReply(5, 6, 7, ""), 8)).isNull();
    exchange.requestSent(1_000);
    assertThat(exchange.replyReceived(new ClockReply(999, 6, 7, ""), 1_100)).isNull();
    assertThat(exchange.waitNanos(1_100, true)).isEqualTo(ClockExchange.NEVER);

    // Longer inside the collector than the round trip.
    assertThat(exchange.replyReceived(new ClockReply(1_000, 0, 500, ""), 1_100)).isNull();
    for (int i = 1; i < ClockExchange.BURST; i++) {
      exchange.requestSent(2_000);
      // Sent before its request arrived.
      assertThat(exchange.replyReceived(new ClockReply(2_000, 10, 9, ""), 2_100)).isNull();
    }
    assertThat(exchange.waitNanos(2_100, true)).isPositive();
  }

  @Example
  void aSourceOnAnotherHostDatesItsFramesByTheCollectorsClock() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector();
        CollectorClient client =
            CollectorClient.open(
                collector.options().attribute("bootId", "mine").clockIntervalMillis(1).build());
        ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      long offset = 5_000_000_000_000L;

      ClockRequest first = ClockRequest.decode(peer.readNext(FrameType.CLOCK_REQUEST));
      assertThat(Math.abs(first.sentNanos() - System.nanoTime())).isLessThan(60_000_000_000L);
      assertThat(client.offer(FrameType.SAMPLES, new byte[3])).isTrue();
      assertThat(peer.readNext(FrameType.SAMPLES).remaining()).isEqualTo(3);
      assertThat(client.status().clockOrNull()).isNull();
      answer(peer, first, offset);
      for (int i = 1; i < ClockExchange.BURST; i++) {
        answer(peer, ClockRequest.decode(peer.readNext(FrameType.CLOCK_REQUEST)), offset);
      }
      Frame clock = peer.read();

      assertThat(clock.type()).isEqualTo(FrameType.CLOCK);
      assertThat(clock.sequence()).isEqualTo(2);
      ClockEstimate sent = ClockEstimate.decode(ByteBuffer.wrap(clock.payload()));
      assertThat(Math.abs(sent.offsetNanos() - offset))
          .isLessThanOrEqualTo(sent.uncertaintyNanos());
      assertThat(sent.bootId()).isEqualTo("theirs");
      assertThat(client.status().clockOrNull()).usingRecursiveComparison().isEqualTo(sent);

      // Nothing new was offered: no further estimate is needed.
      assertThat(peer.isQuietFor(200)).isTrue();
      client.offer(FrameType.SAMPLES, new byte[4]);
      assertThat(List.of(peer.readAny().type(), peer.readAny().type()))
          .containsExactlyInAnyOrder(FrameType.SAMPLES, FrameType.CLOCK_REQUEST);
    }
  }

  @Example
  void estimateNeitherStartsNorFollowsARun() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector();
        CollectorClient client = CollectorClient.open(collector.options().build());
        ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      answerBurst(peer);
      await().until(() -> client.status().clockOrNull() != null);
      assertThat(peer.isQuietFor(200)).isTrue();

      client.offer(FrameType.CLOSE_RUN, new CloseRun("").encode());
      assertThat(peer.read().type()).isEqualTo(FrameType.CLOSE_RUN);
      assertThat(peer.isQuietFor(200)).isTrue();
      client.offer(FrameType.SAMPLES, new byte[4]);

      assertThat(peer.read().type()).isEqualTo(FrameType.SAMPLES);
      assertThat(peer.read().type()).isEqualTo(FrameType.CLOCK);
    }
  }

  @Example
  void asksACollectorWithoutClockSupportOncePerConnection() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector();
        CollectorClient client =
            CollectorClient.open(collector.options().clockIntervalMillis(1).build())) {
      for (int connection = 1; connection <= 2; connection++) {
        try (ScriptedCollector.Peer peer = collector.accept().welcome(connection - 1)) {
          peer.readNext(FrameType.CLOCK_REQUEST);
          client.offer(FrameType.SAMPLES, new byte[4]);
          assertThat(peer.readNext(FrameType.SAMPLES).remaining()).isEqualTo(4);
          assertThat(peer.isQuietFor(200)).isTrue();
          peer.acknowledge(connection);
          assertThat(client.awaitAcknowledged(50_000)).isTrue();
        }
      }
      assertThat(client.status().clockOrNull()).isNull();
    }
  }

  @Example
  void sendsAnEstimateOnceTheQueueHasSpace() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector();
        CollectorClient client =
            CollectorClient.open(collector.options().maxQueuedBytes(64 * 1024).build());
        ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      ClockRequest first = ClockRequest.decode(peer.readNext(FrameType.CLOCK_REQUEST));
      int most = 64 * 1024 - 100;
      assertThat(client.offer(FrameType.SAMPLES, new byte[most])).isTrue();
      assertThat(peer.readNext(FrameType.SAMPLES).remaining()).isEqualTo(most);
      answer(peer, first, 0);
      for (int i = 1; i < ClockExchange.BURST; i++) {
        answer(peer, ClockRequest.decode(peer.readNext(FrameType.CLOCK_REQUEST)), 0);
      }
      await().until(() -> client.status().clockOrNull() != null);
      assertThat(peer.isQuietFor(200)).isTrue();

      peer.acknowledge(1);

      Frame clock = peer.read();
      assertThat(clock.type()).isEqualTo(FrameType.CLOCK);
      assertThat(clock.sequence()).isEqualTo(2);
      assertThat(ClockEstimate.decode(ByteBuffer.wrap(clock.payload())))
          .usingRecursiveComparison()
          .isEqualTo(client.status().clockOrNull());
    }
  }

  private static void answerBurst(ScriptedCollector.Peer peer) throws IOException {
    for (int i = 0; i < ClockExchange.BURST; i++) {
      answer(peer, ClockRequest.decode(peer.readNext(FrameType.CLOCK_REQUEST)), 0);
    }
  }

  private static void answer(ScriptedCollector.Peer peer, ClockRequest request, long offset)
      throws IOException {
    long now = System.nanoTime() + offset;
    peer.sendResult(
        FrameType.CLOCK_REPLY, new ClockReply(request.sentNanos(), now, now, "theirs").encode());
  }

  /**
   * Returns the estimate of a burst with a round trip of 101 ns; the request arrives at the given
   * time.
   */
  private static String estimate(String ownBoot, String collectorsBoot, long receivedNanos) {
    ClockExchange exchange = new ClockExchange(ownBoot, INTERVAL);
    ClockEstimate estimate = null;
    for (int i = 0; i < ClockExchange.BURST; i++) {
      exchange.requestSent(0);
      estimate =
          exchange.replyReceived(
              new ClockReply(0, receivedNanos, receivedNanos, collectorsBoot), 101);
    }
    return estimate.offsetNanos() + " \u00b1 " + estimate.uncertaintyNanos();
  }

  private static void burst(ClockExchange exchange, long askedNanos, long repliedNanos) {
    for (int i = 0; i < ClockExchange.BURST; i++) {
      exchange.requestSent(askedNanos);
      exchange.replyReceived(new ClockReply(askedNanos, 0, 0, ""), repliedNanos);
    }
  }
}
