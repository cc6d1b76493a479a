package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client, with a receiver that says nothing. */
@Timeout(120)
class OneWayTest {

  private static final byte[] KILOBYTE = new byte[1024];

  @BeforeAll
  static void bePatient() {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  @AfterAll
  static void waitAsUsual() {
    Awaitility.reset();
  }

  /** Says of each frame its source and sequence, and of its bytes how many they are. */
  private static final class Lines implements OneWayProtocol {
    private final Set<UUID> known = ConcurrentHashMap.newKeySet();
    private final List<String> ended = new CopyOnWriteArrayList<>();

    @Override
    public Conversation begin(Hello introduction, Socket socket, OutputStream out) {
      boolean knows = !known.add(introduction.source());
      return new Conversation() {
        @Override
        public boolean knowsDictionaries() {
          return knows;
        }

        @Override
        public void send(Frame frame) throws IOException {
          String line = frame.sequence() + " " + frame.type() + " ";
          out.write(
              (line + "x".repeat(frame.payload().length) + "\n").getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void end() {
          ended.add(introduction.sourceName());
        }
      };
    }
  }

  /** Reads lines, or does not. */
  private static final class Listener implements AutoCloseable {
    final Set<Long> sequences = new ConcurrentSkipListSet<>();
    final List<String> types = new CopyOnWriteArrayList<>();
    final List<Socket> connections = new CopyOnWriteArrayList<>();
    volatile boolean reads = true;
    private final ServerSocket server = new ServerSocket();

    Listener(int port) throws IOException {
      server.setReuseAddress(true);
      server.setReceiveBufferSize(4096);
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      daemon(this::accept);
    }

    int port() {
      return server.getLocalPort();
    }

    void hangUp() throws IOException {
      for (Socket each : connections) {
        each.close();
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
      hangUp();
    }

    private void accept() {
      try {
        while (true) {
          Socket socket = server.accept();
          connections.add(socket);
          if (server.isClosed()) {
            socket.close();
          }
          if (reads) {
            daemon(() -> read(socket));
          }
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void read(Socket socket) {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          String[] words = line.split(" ");
          sequences.add(Long.parseLong(words[0]));
          types.add(words[1]);
        }
      } catch (IOException ended) {
        // By either side.
      }
    }

    private static void daemon(Runnable work) {
      Thread thread = new Thread(work, "listener");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static ClientOptions.Builder to(int port) {
    return ClientOptions.builder("127.0.0.1", port)
        .sourceName("here")
        .connectTimeoutMillis(1_000)
        .oneWay(new Lines());
  }

  private static Long[] upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toArray(Long[]::new);
  }

  @Test
  void framesThatWereHandedOverCountAsArrivedASecondLater() throws Exception {
    try (Listener listener = new Listener(0);
        CollectorClient client = CollectorClient.open(to(listener.port()).build())) {
      client.awaitWelcome(60_000);
      assertThat(client.status().connected()).isTrue();
      long beganNanos = System.nanoTime();
      for (int i = 0; i < 100; i++) {
        assertThat(client.offer(FrameType.SAMPLES, KILOBYTE)).isTrue();
      }
      assertThat(client.awaitAcknowledged(60_000)).isTrue();
      assertThat(System.nanoTime() - beganNanos).isGreaterThanOrEqualTo(1_000_000_000);
      assertThat(client.status().queuedBytes()).isZero();
      await().untilAsserted(() -> assertThat(listener.sequences).containsExactly(upTo(100)));
      assertThat(client.isAcknowledged()).isFalse();
      assertThat(client.status().clockOrNull()).isNull();
    }
  }

  @Test
  void whatIsOfferedWhileNobodyListensComesLater() throws Exception {
    int port;
    try (Listener listener = new Listener(0)) {
      port = listener.port();
    }
    try (CollectorClient client = CollectorClient.open(to(port).build())) {
      for (int i = 0; i < 50; i++) {
        client.offer(FrameType.SAMPLES, KILOBYTE);
      }
      await().until(() -> !client.status().lastError().isEmpty());
      assertThat(client.status().connected()).isFalse();
      assertThat(client.awaitAcknowledged(1)).isFalse();
      try (Listener listener = new Listener(port)) {
        await().untilAsserted(() -> assertThat(listener.sequences).containsExactly(upTo(50)));
        assertThat(client.awaitAcknowledged(60_000)).isTrue();
        assertThat(client.status().framesDropped()).isZero();
      }
    }
  }

  @Test
  void aReceiverThatHangsUpIsNoticedAndTheYoungestFramesComeAgain() throws Exception {
    try (Listener listener = new Listener(0);
        CollectorClient client = CollectorClient.open(to(listener.port()).build())) {
      client.awaitWelcome(60_000);
      long offered = 0;
      for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 40; i++) {
          client.offer(FrameType.SAMPLES, KILOBYTE);
          offered++;
        }
        long connectionsBefore = client.status().connections();
        await().until(() -> listener.connections.size() >= connectionsBefore);
        listener.hangUp();
        await().until(() -> client.status().connections() > connectionsBefore);
      }
      Long[] all = upTo(offered);
      await().untilAsserted(() -> assertThat(listener.sequences).containsExactly(all));
      assertThat(client.awaitAcknowledged(60_000)).isTrue();
      assertThat(client.status().framesLost()).isZero();
    }
  }

  @Test
  void aReceiverThatNeverReadsBlocksNobodyAndItsDropsAreCounted() throws Exception {
    try (Listener listener = new Listener(0)) {
      listener.reads = false;
      CollectorClient client =
          CollectorClient.open(
              to(listener.port()).maxQueuedBytes(256 * 1024).silenceTimeoutMillis(600_000).build());
      client.awaitWelcome(60_000);
      long offered = 0;
      long taken = 0;
      do {
        // Until the sockets' buffers hold no more.
        for (int i = 0; i < 1_000; i++) {
          offered++;
          taken += client.offer(FrameType.SAMPLES, KILOBYTE) ? 1 : 0;
        }
      } while (client.awaitAcknowledged(3_000));
      assertThat(client.status().framesDropped()).isEqualTo(offered - taken).isPositive();
      assertThat(client.status().framesUnsaved()).isPositive();
      client.close();
      await().until(() -> threads().noneMatch("fedometer-sender"::equals));
      await().until(() -> threads().noneMatch("fedometer-receiver"::equals));
    }
  }

  @Test
  void aReceiverThatTakesNothingForLongIsConnectedToAnew() throws Exception {
    try (Listener listener = new Listener(0)) {
      listener.reads = false;
      try (CollectorClient client =
          CollectorClient.open(
              to(listener.port())
                  .maxQueuedBytes(16 * 1024 * 1024)
                  .silenceTimeoutMillis(1_000)
                  .build())) {
        client.awaitWelcome(60_000);
        for (int i = 0; i < 8_000; i++) {
          client.offer(FrameType.SAMPLES, KILOBYTE);
        }
        await().until(() -> listener.connections.size() >= 2);
        listener.reads = true;
        await().until(() -> listener.sequences.contains(8_000L));
        // What the sockets' buffers held is lost, as nobody has acknowledged it; nothing else is.
        long first = listener.sequences.iterator().next();
        assertThat(listener.sequences).hasSize((int) (8_000 - first + 1));
        assertThat(first).isLessThan(7_000);
      }
    }
  }

  @Test
  void anIdleConnectionIsNotTakenForAStuckOne() throws Exception {
    try (Listener listener = new Listener(0);
        CollectorClient client =
            CollectorClient.open(to(listener.port()).silenceTimeoutMillis(700).build())) {
      client.awaitWelcome(60_000);
      client.offer(FrameType.SAMPLES, KILOBYTE);
      assertThat(client.awaitAcknowledged(60_000)).isTrue();
      client.offer(FrameType.SAMPLES, KILOBYTE);
      assertThat(client.awaitAcknowledged(60_000)).isTrue();
      assertThat(client.status().connections()).isOne();
    }
  }

  @Test
  void theSpoolOfAnEndedClientIsSentOnWithItsNames(@TempDir Path folder) throws Exception {
    int port;
    try (Listener listener = new Listener(0)) {
      port = listener.port();
      CollectorClient first = CollectorClient.open(to(port).spool(folder, 8 * 1024 * 1024).build());
      first.offer(FrameType.STAGES, new Dictionary().put(1, "ingest").encode());
      assertThat(first.awaitAcknowledged(60_000)).isTrue();
      listener.close();
      await().until(() -> !first.status().connected());
      first.offer(FrameType.SAMPLES, KILOBYTE);
      first.close();
      assertThat(first.status().framesUnsaved()).isZero();
    }
    try (Listener listener = new Listener(port);
        CollectorClient second =
            CollectorClient.open(to(port).spool(folder, 8 * 1024 * 1024).build())) {
      await().until(() -> listener.types.contains("SAMPLES"));
      assertThat(listener.types).containsExactly("STAGES", "SAMPLES");
      await().until(() -> second.status().spooledBytes() == 0);
      assertThat(second.status().framesLost()).isZero();
    }
  }

  private static Stream<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName);
  }
}
