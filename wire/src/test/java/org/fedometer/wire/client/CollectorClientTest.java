package org.fedometer.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.TestDelay;
import org.fedometer.wire.client.CollectorClient.Delivery;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Welcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CollectorClientTest {
  private ScriptedCollector collector;
  private CollectorClient client;

  @BeforeEach
  void listen() throws Exception {
    collector = new ScriptedCollector();
  }

  @AfterEach
  void hangUp() throws Exception {
    if (client != null) {
      client.close();
    }
    collector.close();
  }

  @Test
  void introducesItselfAndLearnsWhereItsFramesGo() throws Exception {
    UUID source = UUID.randomUUID();
    client =
        CollectorClient.open(
            collector
                .options()
                .source(source)
                .sourceKind("driver")
                .sourceName("d1")
                .runId("01ARZ3NDEKTSV4RRFFQ69G5FAV")
                .runName("night")
                .tokenOrNull("secret")
                .attribute("bootId", "b")
                .build());
    try (ScriptedCollector.Peer peer = collector.accept()) {
      Hello hello = peer.hello();
      assertThat(hello.source()).isEqualTo(source);
      assertThat(hello.sourceKind()).isEqualTo("driver");
      assertThat(hello.sourceName()).isEqualTo("d1");
      assertThat(hello.runId()).isEqualTo("01ARZ3NDEKTSV4RRFFQ69G5FAV");
      assertThat(hello.runName()).isEqualTo("night");
      assertThat(hello.token()).isEqualTo("secret");
      assertThat(hello.attributes()).containsEntry("bootId", "b");
      assertThat(hello.firstAvailableSequence()).isEqualTo(1);

      peer.welcome(0);

      Welcome welcome = client.awaitWelcome(50_000);
      assertThat(welcome.storeDirectory()).isEqualTo("/store");
      assertThat(welcome.hostName()).isEqualTo("collector-host");
      assertThat(welcome.runFolder()).isEqualTo("run");
      assertThat(client.status().connected()).isTrue();
    }
  }

  @Test
  void numbersFramesFromOneAndWaitsForTheirAcknowledgement() throws Exception {
    client = CollectorClient.open(collector.options().build());
    offer(3);
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      assertThat(readSequences(peer, 3)).containsExactly(1L, 2L, 3L);
      assertThat(client.awaitAcknowledged(50)).isFalse();
      peer.acknowledge(2);
      await().until(() -> client.status().acknowledgedSequence() == 2);
      assertThat(client.awaitAcknowledged(50)).isFalse();
      peer.acknowledge(3);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      assertThat(client.status().queuedBytes()).isZero();
    }
  }

  @Test
  void sendsAgainInOrderWhatWasNotDurableWhenTheConnectionBroke() throws Exception {
    client = CollectorClient.open(collector.options().build());
    offer(5);
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      readSequences(peer, 4);
      peer.acknowledge(1);
      await().until(() -> client.status().acknowledgedSequence() == 1);
    }
    offer(1);
    try (ScriptedCollector.Peer peer = collector.accept()) {
      assertThat(peer.hello().firstAvailableSequence()).isEqualTo(2);
      // The collector had more on its disk than it had acknowledged.
      peer.welcome(3);
      assertThat(readSequences(peer, 3)).containsExactly(4L, 5L, 6L);
      peer.acknowledge(6);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      assertThat(client.status().connections()).isEqualTo(2);
      assertThat(client.status().framesLost()).isZero();
    }
  }

  @Test
  void comesBackWhenTheCollectorWasAwayForAWhile() throws Exception {
    collector.goAway();
    client = CollectorClient.open(collector.options().build());
    offer(2);
    await().until(() -> !client.status().lastError().isEmpty());
    assertThatThrownBy(() -> client.awaitWelcome(10))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:" + collector.port())
        .hasMessageContaining("refused");
    collector.comeBack();
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      assertThat(readSequences(peer, 2)).containsExactly(1L, 2L);
      peer.acknowledge(2);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      assertThat(client.status().lastError()).isEmpty();
    }
  }

  @Test
  void dropsAndCountsFramesBeyondCapacityWithoutWaiting() throws Exception {
    collector.goAway();
    client = CollectorClient.open(collector.options().maxQueuedBytes(64 * 1024).build());
    int accepted = 0;
    for (int i = 0; i < 100; i++) {
      accepted += client.offer(FrameType.SAMPLES, new byte[1000]) ? 1 : 0;
    }

    assertThat(accepted).isBetween(55, 65);
    assertThat(client.status().framesDropped()).isEqualTo(100 - accepted);
    assertThat(client.status().queuedBytes()).isLessThanOrEqualTo(64 * 1024);
  }

  @Test
  void sendWaitsForCapacityAndReportsTheReason() throws Exception {
    client = CollectorClient.open(collector.options().maxQueuedBytes(64 * 1024).build());
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      client.send(FrameType.REQUESTS, new byte[40_000], 1_000);
      assertThatThrownBy(() -> client.send(FrameType.REQUESTS, new byte[40_000], 50))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("50 ms");

      CompletableFuture<Void> sending =
          CompletableFuture.runAsync(() -> sendUnchecked(new byte[40_000]));
      peer.acknowledge(0, "the collector cannot write: no space left");
      await().until(() -> client.status().lastError().contains("no space left"));
      assertThat(sending).isNotDone();
      readSequences(peer, 1);
      peer.acknowledge(1);
      assertThat(sending).succeedsWithin(Duration.ofSeconds(50));
      assertThat(readSequences(peer, 1)).containsExactly(2L);
      assertThat(client.status().framesDropped()).isZero();
    }
    assertThatThrownBy(() -> client.send(FrameType.REQUESTS, new byte[70_000], 1_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not fit");
  }

  @Test
  void rejectionFailsWaitersAtOnceButIsRetried() throws Exception {
    client = CollectorClient.open(collector.options().runName("taken").build());
    offer(1);
    try (ScriptedCollector.Peer peer = collector.accept()) {
      peer.reject(false, "the run name \"taken\" belongs to another run");
    }
    assertThatThrownBy(() -> client.awaitWelcome(10_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("\"taken\" belongs to another run");
    assertThat(client.awaitAcknowledged(10_000)).isFalse();
    assertThatThrownBy(() -> client.send(FrameType.REQUESTS, new byte[1], 10_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("belongs to another run");

    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      await().until(() -> client.status().connected());
      assertThat(client.awaitWelcome(1_000).runFolder()).isEqualTo("run");
      assertThat(readSequences(peer, 1)).containsExactly(1L);
    }
  }

  @Test
  void waitersLearnWhetherToKeepWaiting() throws Exception {
    client = CollectorClient.open(collector.options().build());
    offer(1);
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      readSequences(peer, 1);
      assertThat(client.awaitDelivery(50)).isEqualTo(Delivery.TIMED_OUT);
      peer.reject(true, "the collector is stopping");
      await().until(() -> client.status().lastError().contains("stopping"));
      assertThat(client.awaitDelivery(50)).isEqualTo(Delivery.TIMED_OUT);
    }
    try (ScriptedCollector.Peer peer = collector.accept()) {
      peer.reject(false, "another token is wanted");
      assertThat(client.awaitDelivery(10_000)).isEqualTo(Delivery.FAILED);
    }
    try (ScriptedCollector.Peer peer = collector.accept().welcome(1)) {
      await().until(() -> client.status().connected());
      assertThat(client.awaitDelivery(10_000)).isEqualTo(Delivery.ACKNOWLEDGED);
      offer(1);
      Thread.currentThread().interrupt();
      assertThat(client.awaitDelivery(10_000)).isEqualTo(Delivery.FAILED);
      assertThat(Thread.interrupted()).isTrue();
      client.close();
      assertThat(client.awaitDelivery(10_000)).isEqualTo(Delivery.FAILED);
    }
  }

  @Test
  void waitsOutATemporaryRejection() throws Exception {
    client = CollectorClient.open(collector.options().build());
    CompletableFuture<Welcome> welcome = CompletableFuture.supplyAsync(this::awaitUnchecked);
    try (ScriptedCollector.Peer peer = collector.accept()) {
      peer.reject(true, "the collector is stopping");
    }
    try (ScriptedCollector.Peer peer = collector.accept()) {
      peer.welcome(0);
      assertThat(welcome).succeedsWithin(Duration.ofSeconds(50));
    }
  }

  @Test
  void reportsTheCollectorsReasonForALateRejection() throws Exception {
    client = CollectorClient.open(collector.options().build());
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      offer(1);
      readSequences(peer, 1);
      peer.reject(false, "frame 1 is not to its taste");
    }
    await().until(() -> client.status().lastError().contains("not to its taste"));
    assertThat(client.awaitAcknowledged(10_000)).isFalse();
  }

  @Test
  void reconnectsWhenTheCollectorIsSilentWhileFramesWait() throws Exception {
    client = CollectorClient.open(collector.options().silenceTimeoutMillis(2_000).build());
    offer(1);
    try (ScriptedCollector.Peer dead = collector.accept().welcome(0)) {
      readSequences(dead, 1);
      try (ScriptedCollector.Peer next = collector.accept().welcome(0)) {
        assertThat(readSequences(next, 1)).containsExactly(1L);
        next.acknowledge(1);
        assertThat(client.awaitAcknowledged(50_000)).isTrue();
      }
    }
  }

  @Test
  void keepAlivesKeepASlowConnection() throws Exception {
    client = CollectorClient.open(collector.options().silenceTimeoutMillis(2_000).build());
    offer(1);
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      readSequences(peer, 1);
      for (int i = 0; i < 12; i++) {
        TestDelay.sleep(Duration.ofMillis(250));
        peer.acknowledge(0);
      }
      peer.acknowledge(1);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      assertThat(client.status().connections()).isEqualTo(1);
    }
  }

  @Test
  void peerThatStopsReadingBlocksNoCaller() throws Exception {
    client =
        CollectorClient.open(
            collector
                .options()
                .silenceTimeoutMillis(2_000)
                .maxQueuedBytes(16 * 1024 * 1024)
                .build());
    try (ScriptedCollector.Peer stuck = collector.accept()) {
      stuck.welcome(0);
      client.awaitWelcome(50_000);
      for (int i = 0; i < 15; i++) {
        assertThat(client.offer(FrameType.SAMPLES, new byte[1024 * 1024])).isTrue();
      }
      try (ScriptedCollector.Peer next = collector.accept().welcome(0)) {
        assertThat(readSequences(next, 15)).hasSize(15).startsWith(1L).endsWith(15L);
        next.acknowledge(15);
        assertThat(client.awaitAcknowledged(50_000)).isTrue();
      }
    }
  }

  @Test
  void aCollectorThatLostItsStoreGetsTheDictionariesAgain() throws Exception {
    client = CollectorClient.open(collector.options().build());
    byte[] stages = new Dictionary().put(1, "ingest").encode();
    byte[] threads = new Dictionary().put(2, "http-1").encode();
    client.offer(FrameType.STAGES, stages);
    offer(3);
    client.offer(FrameType.THREADS, threads);
    client.offer(FrameType.METRICS, new MetricDictionary().put(3, "load", "").encode());
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      readSequences(peer, 6);
      peer.acknowledge(6);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
    offer(1);
    try (ScriptedCollector.Peer broken = collector.accept()) {
      assertThat(broken.hello().firstAvailableSequence()).isEqualTo(7);
      broken.welcome(0);
      assertThat(readSequences(broken, 4)).containsExactly(1L, 5L, 6L, 7L);
      broken.acknowledge(1);
    }
    try (ScriptedCollector.Peer peer = collector.accept().welcome(1)) {
      assertThat(peer.hello().firstAvailableSequence()).isEqualTo(7);
      Frame dictionary = peer.read();
      assertThat(dictionary.sequence()).isEqualTo(5);
      assertThat(dictionary.type()).isEqualTo(FrameType.THREADS);
      assertThat(dictionary.payload()).isEqualTo(threads);
      assertThat(peer.read().type()).isEqualTo(FrameType.METRICS);
      assertThat(readSequences(peer, 1)).containsExactly(7L);
      peer.acknowledge(7);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      ClientStatus status = client.status();
      assertThat(status.framesLost()).isEqualTo(3);
      assertThat(status.queuedBytes()).isZero();
    }
  }

  @Test
  void aSourceThatTheCollectorKnowsBetterIsAnError() throws Exception {
    client = CollectorClient.open(collector.options().build());
    try (ScriptedCollector.Peer peer = collector.accept()) {
      peer.welcome(1_000);
      assertThatThrownBy(() -> client.awaitWelcome(10_000))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("UUID");
    }
  }

  @Test
  void reconnectsAfterGarbageFromThePeer() throws Exception {
    client = CollectorClient.open(collector.options().build());
    offer(1);
    try (ScriptedCollector.Peer peer = collector.accept()) {
      peer.raw("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
      await().until(() -> client.status().lastError().contains("not a collector's"));
    }
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      readSequences(peer, 1);
      peer.acknowledge(900);
      await().until(() -> client.status().lastError().contains("never sent"));
    }
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      assertThat(readSequences(peer, 1)).containsExactly(1L);
      peer.sendResult(FrameType.TRACES, new byte[3]);
      peer.acknowledge(1);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
  }

  @Test
  void closeEndsItsThreadsEvenWhileTheyConnect() throws Exception {
    try (ServerSocket mute = new ServerSocket(0)) {
      CollectorClient waiting =
          CollectorClient.open(ClientOptions.builder("127.0.0.1", mute.getLocalPort()).build());
      mute.accept();
      waiting.close();
      assertThat(waiting.offer(FrameType.SAMPLES, new byte[1])).isFalse();
      assertThatThrownBy(() -> waiting.awaitWelcome(1_000)).hasMessageContaining("closed");
    }
    client = CollectorClient.open(collector.options().build());
    try (ScriptedCollector.Peer peer = collector.accept()) {
      peer.welcome(0);
      client.awaitWelcome(50_000);
      client.close();
      await().until(() -> threads("fedometer-sender", "fedometer-receiver").isEmpty());
    }
  }

  @Test
  void sessionFramesAreNotForCallers() {
    client = CollectorClient.open(collector.options().build());

    assertThatThrownBy(() -> client.offer(FrameType.HELLO, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("HELLO");
  }

  @Test
  void rejectsATooLongHelloBeforeSending() {
    ClientOptions.Builder options = collector.options();
    for (int i = 0; i < 32; i++) {
      options.attribute("attribute" + i, "x".repeat(1024));
    }
    assertThat(options.build().source()).isNotNull();
    options.attribute("one", "more");
    assertThatThrownBy(options::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("33 attributes");

    ClientOptions.Builder longNames = collector.options();
    for (int i = 0; i < 32; i++) {
      longNames.attribute("y".repeat(1022) + (i + 10), "x".repeat(1024));
    }
    assertThatThrownBy(longNames::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("32 attributes")
        .hasMessageContaining("65536")
        .hasMessageContaining("fewer or shorter");
  }

  private void offer(int frames) {
    for (int i = 0; i < frames; i++) {
      assertThat(client.offer(FrameType.SAMPLES, ByteBuffer.allocate(4).putInt(i).array()))
          .isTrue();
    }
  }

  private void sendUnchecked(byte[] payload) {
    try {
      client.send(FrameType.REQUESTS, payload, 10_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Welcome awaitUnchecked() {
    try {
      return client.awaitWelcome(50_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Long> readSequences(ScriptedCollector.Peer peer, int count)
      throws IOException {
    List<Long> sequences = new ArrayList<>();
    while (sequences.size() < count) {
      sequences.add(peer.read().sequence());
    }
    return sequences;
  }

  private static List<String> threads(String... names) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(List.of(names)::contains)
        .toList();
  }
}
