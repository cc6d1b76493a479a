package org.fedometer.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.tls.TestCertificates;
import org.fedometer.wire.tls.TlsTrust;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the client with a receiver that sends no replies. */
@Tag("slow")
@Timeout(120)
class OneWayTest {

  private static final byte[] KILOBYTE = new byte[1024];

  @TempDir static Path certificatesFolder;
  private static TestCertificates certificates;
  private static TlsTrust trust;

  @BeforeAll
  static void makeCertificate() throws Exception {
    certificates = new TestCertificates(certificatesFolder);
    certificates.selfSigned("own", "ip:127.0.0.1");
    trust =
        TlsTrust.ofPemFile(certificates.certificate("own", certificatesFolder.resolve("own.pem")));
  }

  /** Writes source and sequence of each frame, and the number of its bytes. */
  private static final class Lines implements OneWayProtocol {
    final List<String> recalled = new CopyOnWriteArrayList<>();
    final Set<UUID> known = ConcurrentHashMap.newKeySet();

    @Override
    public Conversation begin(Hello introduction, Socket socket, OutputStream out) {
      known.add(introduction.source());
      return new Conversation() {
        @Override
        public void recall(Frame dictionary) {
          recalled.add(dictionary.sequence() + " " + dictionary.type());
        }

        @Override
        public void send(Frame frame) throws IOException {
          String line = frame.sequence() + " " + frame.type() + " ";
          out.write(
              (line + "x".repeat(frame.payload().length) + "\n").getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void end() {
          // Nothing is held.
        }
      };
    }

    @Override
    public void clientClosed(UUID source) {
      known.remove(source);
    }
  }

  /** Reads lines, or does not. */
  private static final class Listener implements AutoCloseable {
    final Set<Long> sequences = new ConcurrentSkipListSet<>();
    final List<String> types = new CopyOnWriteArrayList<>();
    final List<Socket> connections = new CopyOnWriteArrayList<>();
    volatile boolean reads = true;
    private final ServerSocket server;

    Listener(int port) throws Exception {
      this(port, false);
    }

    Listener(int port, boolean tls) throws Exception {
      server =
          tls
              ? certificates.server("own").getServerSocketFactory().createServerSocket()
              : new ServerSocket();
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
          daemon(() -> welcome(socket));
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void welcome(Socket socket) {
      try {
        if (socket instanceof SSLSocket) {
          ((SSLSocket) socket).startHandshake();
        }
      } catch (IOException ended) {
        return;
      }
      if (reads) {
        read(socket);
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

  private static ClientOptions.Builder to(int port, boolean tls) {
    return tls ? to(port).tls(trust) : to(port);
  }

  private static Long[] upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toArray(Long[]::new);
  }

  @ParameterizedTest(name = "TLS: {0}")
  @ValueSource(booleans = {false, true})
  void framesThatWereHandedOverCountAsArrivedASecondLater(boolean tls) throws Exception {
    try (Listener listener = new Listener(0, tls);
        CollectorClient client = CollectorClient.open(to(listener.port(), tls).build())) {
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
      assertThat(client.peerAcknowledges()).isFalse();
      assertThat(client.status().clockOrNull()).isNull();
    }
  }

  @ParameterizedTest(name = "TLS: {0}")
  @ValueSource(booleans = {false, true})
  void sendsLaterWhatWasOfferedWithoutAReceiver(boolean tls) throws Exception {
    int port;
    try (Listener listener = new Listener(0, tls)) {
      port = listener.port();
    }
    try (CollectorClient client = CollectorClient.open(to(port, tls).build())) {
      for (int i = 0; i < 50; i++) {
        client.offer(FrameType.SAMPLES, KILOBYTE);
      }
      await().until(() -> !client.status().lastError().isEmpty());
      assertThat(client.status().connected()).isFalse();
      assertThat(client.awaitAcknowledged(1)).isFalse();
      try (Listener listener = new Listener(port, tls)) {
        await().untilAsserted(() -> assertThat(listener.sequences).containsExactly(upTo(50)));
        assertThat(client.awaitAcknowledged(60_000)).isTrue();
        assertThat(client.status().framesDropped()).isZero();
      }
    }
  }

  @ParameterizedTest(name = "TLS: {0}")
  @ValueSource(booleans = {false, true})
  void aReceiverThatHangsUpIsNoticedAndTheYoungestFramesComeAgain(boolean tls) throws Exception {
    try (Listener listener = new Listener(0, tls);
        CollectorClient client = CollectorClient.open(to(listener.port(), tls).build())) {
      client.awaitWelcome(60_000);
      long offered = 0;
      long doubtful = 0;
      for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 40; i++) {
          client.offer(FrameType.SAMPLES, KILOBYTE);
          offered++;
        }
        long connectionsBefore = client.status().connections();
        await().until(() -> listener.connections.size() >= connectionsBefore);
        listener.hangUp();
        await().until(() -> client.status().connections() > connectionsBefore);
        // None, unless this test was kept waiting for a second: such may have lain unread.
        doubtful = client.status().acknowledgedSequence();
      }
      List<Long> certain = LongStream.rangeClosed(doubtful + 1, offered).boxed().toList();
      await().untilAsserted(() -> assertThat(listener.sequences).containsAll(certain));
      assertThat(client.awaitAcknowledged(60_000)).isTrue();
      assertThat(client.status().framesLost()).isZero();
    }
  }

  @ParameterizedTest(name = "TLS: {0}")
  @ValueSource(booleans = {false, true})
  void unreadReceiverBlocksNoCallerAndDropsAreCounted(boolean tls) throws Exception {
    try (Listener listener = new Listener(0, tls)) {
      listener.reads = false;
      CollectorClient client =
          CollectorClient.open(
              to(listener.port(), tls)
                  .maxQueuedBytes(256 * 1024)
                  .silenceTimeoutMillis(600_000)
                  .build());
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

  @ParameterizedTest(name = "TLS: {0}")
  @ValueSource(booleans = {false, true})
  void reconnectsToAReceiverThatStoppedReading(boolean tls) throws Exception {
    try (Listener listener = new Listener(0, tls)) {
      listener.reads = false;
      try (CollectorClient client =
          CollectorClient.open(
              to(listener.port(), tls)
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
        // Only the content of the sockets' buffers is lost, since it has no acknowledgement.
        long first = listener.sequences.iterator().next();
        assertThat(listener.sequences).hasSize((int) (8_000 - first + 1));
        assertThat(first).isLessThan(7_000);
      }
    }
  }

  @Test
  void keepsAnIdleConnection() throws Exception {
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
    Lines lines = new Lines();
    int port;
    try (Listener listener = new Listener(0)) {
      port = listener.port();
      CollectorClient first =
          CollectorClient.open(to(port).oneWay(new Lines()).spool(folder, 8 * 1024 * 1024).build());
      first.offer(FrameType.STAGES, new Dictionary().put(1, "ingest").encode());
      first.offer(FrameType.THREADS, new Dictionary().put(1, "http-1").encode());
      assertThat(first.awaitAcknowledged(60_000)).isTrue();
      listener.close();
      await().until(() -> !first.status().connected());
      first.offer(FrameType.SAMPLES, KILOBYTE);
      first.close();
      assertThat(first.status().framesUnsaved()).isZero();
    }
    try (Listener listener = new Listener(port);
        CollectorClient second =
            CollectorClient.open(to(port).oneWay(lines).spool(folder, 8 * 1024 * 1024).build())) {
      await().until(() -> listener.types.contains("SAMPLES"));
      listener.hangUp();
      await().until(() -> second.status().spooledBytes() == 0);
      assertThat(listener.types).containsOnly("SAMPLES");
      assertThat(lines.recalled)
          .startsWith("2 THREADS", "1 STAGES")
          .as("on the second connection, too, if there was one")
          .hasSizeGreaterThanOrEqualTo(2);
      assertThat(second.status().framesLost()).isZero();
      await().until(() -> lines.known.size() == 1);
    }
    await().until(lines.known::isEmpty);
  }

  @Test
  void namesAreRecalledOnEachConnectionAndNothingCountsAsLost() throws Exception {
    Lines lines = new Lines();
    try (Listener listener = new Listener(0);
        CollectorClient client = CollectorClient.open(to(listener.port()).oneWay(lines).build())) {
      client.offer(FrameType.SAMPLES, KILOBYTE);
      assertThat(client.awaitAcknowledged(60_000)).isTrue();
      client.offer(FrameType.STAGES, new Dictionary().put(1, "ingest").encode());
      client.offer(FrameType.THREADS, new Dictionary().put(1, "http-1").encode());
      assertThat(client.awaitAcknowledged(60_000)).isTrue();
      assertThat(lines.recalled).isEmpty();
      for (int connection = 1; connection <= 3; connection++) {
        List<String> names =
            Collections.nCopies(connection, List.of("3 THREADS", "2 STAGES")).stream()
                .flatMap(List::stream)
                .toList();
        listener.hangUp();
        await().untilAsserted(() -> assertThat(lines.recalled).isEqualTo(names));
        int connections = 1 + connection;
        await().until(() -> listener.connections.size() == connections);
      }
      client.offer(FrameType.SAMPLES, KILOBYTE);
      assertThat(client.awaitAcknowledged(60_000)).isTrue();
      assertThat(listener.types).containsExactly("SAMPLES", "STAGES", "THREADS", "SAMPLES");
      assertThat(client.status().framesLost()).isZero();
    }
  }

  @Test
  void readProvesLivenessOnlyAtItsStart() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ResumableReadSocket socket = new ResumableReadSocket()) {
      socket.connect(server.getLocalSocketAddress());
      socket.setSoTimeout(50);
      socket.trackLiveness();
      InputStream in = socket.getInputStream();
      Socket peer = server.accept();

      long beforeNanos = System.nanoTime();
      assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
      assertThat(socket.lastAliveNanos()).isBetween(beforeNanos, System.nanoTime() - 50_000_000);

      long stoodNanos = socket.lastAliveNanos();
      peer.getOutputStream().write(1);
      peer.close();
      await().until(() -> in.available() > 0);
      assertThat(in.read()).isOne();
      assertThat(in.read()).isEqualTo(-1);
      assertThat(socket.lastAliveNanos()).isEqualTo(stoodNanos);
    }
  }

  @Test
  void receiverThatSendsDataCountsAsAlive() throws Exception {
    try (Listener listener = new Listener(0);
        CollectorClient client = CollectorClient.open(to(listener.port()).build())) {
      await().until(() -> !listener.connections.isEmpty());
      client.offer(FrameType.SAMPLES, KILOBYTE);
      OutputStream talk = listener.connections.get(0).getOutputStream();
      await()
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                talk.write(new byte[3]);
                return client.status().acknowledgedSequence() == 1;
              });
      assertThat(client.status().connections()).isOne();
    }
  }

  private static Stream<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName);
  }
}
