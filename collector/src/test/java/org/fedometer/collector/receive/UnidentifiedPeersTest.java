package org.fedometer.collector.receive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.fedometer.collector.RawSource;
import org.fedometer.collector.RunQueries;
import org.fedometer.collector.Samples;
import org.fedometer.collector.logs.AssumedEvents;
import org.fedometer.collector.logs.LogIntake;
import org.fedometer.collector.logs.LogSenders;
import org.fedometer.collector.query.QueryService;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.tls.TestCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Malicious and broken peers: each ends in a closed connection and a logged reason, without effect
 * on others.
 */
@Tag("slow")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnidentifiedPeersTest {
  private static final String TOKEN = "open sesame";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration INTRODUCTION = Duration.ofMillis(1_500);
  private static final int MAX_STRANGERS = 40;

  @TempDir static Path keys;
  private static TestCertificates certificates;

  @TempDir Path store;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private SegmentLog segmentLog;
  private QueryService queryService;
  private Listener listener;

  @BeforeAll
  static void makeCertificates() throws Exception {
    certificates = new TestCertificates(keys);
    certificates.selfSigned("own", "ip:127.0.0.1");
  }

  private void start(boolean tls, Admission.Rules rules) throws Exception {
    start(tls, rules, (peer, ofPeer) -> "there is a token");
  }

  private void start(boolean tls, Admission.Rules rules, LogSenders senders) throws Exception {
    RunStore runs = RunStore.at(store);
    segmentLog = SegmentLog.start(runs, "here", SegmentLogOptions.defaults().withToken(TOKEN));
    queryService = QueryService.start(runs, segmentLog);
    listener =
        Listener.listen(
            new InetSocketAddress("127.0.0.1", 0),
            tls ? TlsIdentity.of(CollectorFiles.of(certificates, "own", keys)) : null,
            segmentLog,
            queryService,
            new ConnectionTracker(0, 0),
            new LogIntake(senders, null, "0a1b2c3d", new AssumedEvents()),
            new Listener.Limits(8 << 20, Duration.ofMillis(100), 30, 300),
            rules,
            log::add);
  }

  private void startPlain() throws Exception {
    start(false, rules(INTRODUCTION));
  }

  private static Admission.Rules rules(Duration introduction) {
    return new Admission.Rules(introduction, Duration.ofMinutes(10), 4096, MAX_STRANGERS);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    segmentLog.stop(Duration.ofSeconds(30));
    listener.close();
    queryService.close();
  }

  @Test
  void slowSendersGetNoExtraTime() throws Exception {
    startPlain();
    byte[] hello = hello("slow", UUID.randomUUID(), TOKEN);
    Socket slow = connect();
    int sent = 0;
    try {
      // All of it would need half a minute.
      while (sent < hello.length) {
        slow.getOutputStream().write(hello[sent]);
        sent++;
        pause(slow);
      }
    } catch (IOException closed) {
      // As it should be.
    }
    assertThat(sent).isLessThan(hello.length);
    assertThat(log).hasSize(1).first().asString().contains("did not introduce itself within 1.5 s");
    assertTheNextOneGetsIn();
  }

  /** Waits a third of a second, unless the collector sends data. */
  private static void pause(Socket socket) throws IOException {
    socket.setSoTimeout(330);
    try {
      if (socket.getInputStream().read() < 0) {
        throw new IOException("closed");
      }
    } catch (SocketTimeoutException e) {
      // No data.
    }
  }

  @Test
  void aHandshakeThatDoesNotEndTakesNoLongerThanSilence() throws Exception {
    start(true, rules(INTRODUCTION));
    byte[] clientHello = clientHello();
    Socket nothing = connect();
    Socket half = connect();
    half.getOutputStream().write(clientHello, 0, clientHello.length / 2);
    Socket whole = connect();
    whole.getOutputStream().write(clientHello);
    for (Socket socket : List.of(nothing, half, whole)) {
      assertEnds(socket);
    }
    assertThat(log).hasSize(3).allMatch(line -> line.contains("did not introduce itself"));
  }

  @Test
  void closesSilentTlsConnections() throws Exception {
    start(true, rules(INTRODUCTION));
    Socket silent = certificates.trusting("own").createSocket("127.0.0.1", port());
    open.add(silent);
    silent
        .getOutputStream()
        .write(Frame.session(FrameType.CLOCK_REQUEST, new byte[0]).toBytes(), 0, 5);
    assertEnds(silent);
    assertThat(log).hasSize(1).first().asString().contains("did not introduce itself");
  }

  @Test
  void garbageInPlaceOfAHandshakeOrInItEndsTheConnectionWithAReason() throws Exception {
    start(true, rules(TIMEOUT));
    byte[] notTls = new byte[300];
    Socket plain = connect();
    plain.getOutputStream().write(notTls);
    assertEnds(plain);

    byte[] clientHello = clientHello();
    Random random = new Random(7);
    for (int i = 0; i < 20; i++) {
      byte[] spoilt = clientHello.clone();
      // After the record's header, which has its type and length.
      for (int at = 5; at < spoilt.length; at += 7) {
        spoilt[at] = (byte) random.nextInt(256);
      }
      Socket socket = connect();
      socket.getOutputStream().write(spoilt);
      assertEnds(socket);
    }
    assertThat(log).hasSizeGreaterThanOrEqualTo(2);
    assertThat(log.get(0)).contains("accepts only TLS connections");
    assertThat(log.subList(1, log.size())).allMatch(line -> line.contains("no TLS connection"));
    try (RawSource friend = RawSource.open(listener.address(), certificates.trusting("own"))) {
      friend.bytes(hello("friend", UUID.randomUUID(), TOKEN));
      friend.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 3));
      assertThat(friend.awaitWelcomeAndAcknowledgement(1)).isTrue();
    }
  }

  @Test
  void silentConnectionsDoNotBlockOthers() throws Exception {
    start(false, rules(Duration.ofSeconds(5)));
    try (RawSource there = identifiedSource("there", "127.0.0.1")) {
      for (int i = 0; i < 3_000; i++) {
        connect();
      }
      there.frame(FrameType.SAMPLES.code(), 2, Samples.traces(3, 6));
      assertThat(there.awaitAcknowledgement(2)).isTrue();
      identifiedSource("elsewhere", "127.0.0.2").close();
      await().atMost(TIMEOUT).until(() -> log.size() >= 20);
      assertThat(log)
          .allMatch(
              line ->
                  line.contains("have not introduced themselves yet")
                      || line.contains("it did not introduce itself within"));
      for (AutoCloseable each : open) {
        each.close();
      }
      open.clear();
      await()
          .atMost(TIMEOUT)
          .ignoreExceptionsInstanceOf(IOException.class)
          .untilAsserted(() -> identifiedSource("later", "127.0.0.1").close());
    }
    // The first line of each host and reason is always logged.
    assertThat(log).hasSizeLessThanOrEqualTo(22);
  }

  @Test
  void reportsTheConnectionLimit() throws Exception {
    start(false, new Admission.Rules(TIMEOUT, TIMEOUT, 2, 2));
    try (RawSource first = identifiedSource("first", "127.0.0.1");
        RawSource second = identifiedSource("second", "127.0.0.2")) {
      try (RawSource third = RawSource.open(listener.address())) {
        assertThat(third.awaitRefusal()).contains("its maximum of", "--max-connections");
      }
      first.frame(FrameType.SAMPLES.code(), 2, Samples.traces(3, 6));
      assertThat(first.awaitAcknowledgement(2)).isTrue();
      second.frame(FrameType.SAMPLES.code(), 2, Samples.traces(3, 6));
      assertThat(second.awaitAcknowledgement(2)).isTrue();
    }
    await()
        .atMost(TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> identifiedSource("third", "127.0.0.1").close());
  }

  @Test
  void wrongTokensDoNotFloodTheLog() throws Exception {
    startPlain();
    for (int i = 0; i < 1_000; i++) {
      try (RawSource guessing = RawSource.open(listener.address())) {
        guessing.bytes(hello("guess", UUID.randomUUID(), "guess " + i));
        assertThat(guessing.awaitRefusal()).isEqualTo("the token is missing or wrong");
      }
    }
    assertThat(log).hasSizeLessThanOrEqualTo(20).allMatch(line -> !line.contains("guess"));
    assertTheNextOneGetsIn();
    assertThat(RunStore.at(store).summaries()).hasSize(1);
  }

  @Test
  void aConversationThatIsPlayedAgainCountsOnce() throws Exception {
    startPlain();
    ByteArrayOutputStream conversation = new ByteArrayOutputStream();
    UUID source = UUID.randomUUID();
    conversation.write(hello("replayed", source, TOKEN));
    for (int i = 1; i <= 5; i++) {
      byte[] samples = Samples.traces(i * 10L, (i + 1) * 10L);
      conversation.write(new Frame(FrameType.SAMPLES.code(), i, samples).toBytes());
    }
    try (RawSource first = RawSource.open(listener.address())) {
      first.bytes(conversation.toByteArray());
      assertThat(first.awaitWelcomeAndAcknowledgement(5)).isTrue();
      for (int i = 0; i < 3; i++) {
        try (RawSource again = RawSource.open(listener.address())) {
          again.bytes(conversation.toByteArray());
          assertThat(again.awaitWelcomeAndAcknowledgement(5)).isTrue();
        }
      }
      assertThat(first.awaitRefusal()).contains("opened a new connection");
    }
    segmentLog.stop(Duration.ofSeconds(30));
    assertThat(
            RunQueries.rows(
                store, "replayed", "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("50|50");
  }

  @Test
  void logSendersMayBeSilentAfterTheFirstLine() throws Exception {
    start(false, rules(Duration.ofMillis(300)), (peer, ofPeer) -> null);
    Socket appender = connect();
    Socket halfAWord = connect();
    halfAWord.getOutputStream().write('[');
    assertEnds(halfAWord);
    assertThat(log).hasSize(1).first().asString().contains("did not introduce itself");
    appender.getOutputStream().write("{\"message\":\"one\"}\n".getBytes(UTF_8));
    Socket lateHalfAWord = connect();
    Socket another = connect();
    another.getOutputStream().write('[');
    assertEnds(another);
    lateHalfAWord.getOutputStream().write('[');
    assertEnds(lateHalfAWord);
    assertThat(log).hasSize(3);
    appender.getOutputStream().write("{\"message\":\"two\"}\n".getBytes(UTF_8));
    appender.shutdownOutput();
    assertEnds(appender);
    segmentLog.stop(Duration.ofSeconds(30));
    String run = RunStore.at(store).summaries().get(0).name();
    assertThat(RunQueries.rows(store, run, "SELECT message FROM logs ORDER BY 1"))
        .containsExactly("one", "two");
  }

  @Test
  void closesReadersThatNeverRead() throws Exception {
    start(false, new Admission.Rules(TIMEOUT, Duration.ofMillis(800), 4096, MAX_STRANGERS));
    try (RawSource writing = identifiedSource("night", "127.0.0.1")) {
      Socket reader = connectWithSmallBuffer();
      OutputStream out = reader.getOutputStream();
      out.write(hello(Hello.READER, "", UUID.randomUUID(), TOKEN));
      String query =
          "{\"request\":\"query\",\"sql\":\"SELECT range, repeat('x', 1000) FROM range(10000000)\"}";
      out.write(Frame.session(FrameType.QUERY, new QueryRequest(1, query).encode()).toBytes());
      await().atMost(TIMEOUT).until(() -> !log.isEmpty());
      assertThat(log).hasSize(1).first().asString().contains("has read nothing for");
      writing.frame(FrameType.SAMPLES.code(), 2, Samples.traces(3, 6));
      assertThat(writing.awaitAcknowledgement(2)).isTrue();
    }
  }

  @Test
  void closesSourcesThatNeverRead() throws Exception {
    start(false, new Admission.Rules(TIMEOUT, Duration.ofMillis(800), 4096, MAX_STRANGERS));
    Socket deaf = connectWithSmallBuffer();
    OutputStream out = deaf.getOutputStream();
    out.write(hello("deaf", UUID.randomUUID(), TOKEN));
    byte[] request = Frame.session(FrameType.CLOCK_REQUEST, new ClockRequest(1).encode()).toBytes();
    ByteBuffer many = ByteBuffer.allocate(1_000 * request.length);
    while (many.hasRemaining()) {
      many.put(request);
    }
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100_000; i++) {
                out.write(many.array());
              }
            })
        .isInstanceOf(IOException.class);
    assertThat(log).hasSize(1).first().asString().contains("has read nothing for");
    assertTheNextOneGetsIn();
  }

  @Test
  void escapesNamesInTheLog() throws Exception {
    startPlain();
    try (RawSource stranger = RawSource.open(listener.address())) {
      // The name of a run must not have such characters; the reason names it.
      Hello hello = Hello.builder(UUID.randomUUID(), "agent").runName("\u001b[2Jx\n").build();
      stranger.bytes(Frame.session(FrameType.HELLO, hello.encode()).toBytes());
      stranger.awaitRefusal();
    }
    assertThat(log).hasSize(1);
    assertThat(log.get(0).chars()).noneMatch(Character::isISOControl);
  }

  // ---- parts ----

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", port());
    open.add(socket);
    return socket;
  }

  private Socket connectWithSmallBuffer() throws IOException {
    Socket socket = new Socket();
    open.add(socket);
    socket.setReceiveBufferSize(65_536);
    socket.connect(listener.address());
    return socket;
  }

  private int port() {
    return listener.address().getPort();
  }

  private void assertEnds(Socket socket) throws IOException {
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    InputStream in = socket.getInputStream();
    try {
      while (in.read() >= 0) {
        // Skip the collector's first data.
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("not hung up on", e);
    } catch (IOException e) {
      // A reset is an end, too.
    }
  }

  private void assertTheNextOneGetsIn() throws IOException {
    identifiedSource("next", "127.0.0.1").close();
  }

  /** One with the token, whose first frame is stored. */
  private RawSource identifiedSource(String run, String from) throws IOException {
    RawSource friend = RawSource.openFrom(InetAddress.getByName(from), listener.address());
    friend.bytes(hello(run, UUID.randomUUID(), TOKEN));
    friend.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 3));
    if (!friend.awaitWelcomeAndAcknowledgement(1)) {
      friend.close();
      throw new IOException("not welcome");
    }
    return friend;
  }

  private static byte[] hello(String run, UUID source, String token) {
    return hello("agent", run, source, token);
  }

  private static byte[] hello(String kind, String run, UUID source, String token) {
    Hello hello = Hello.builder(source, kind).runName(run).token(token).build();
    return Frame.session(FrameType.HELLO, hello.encode()).toBytes();
  }

  /** Returns a TLS client's first message. */
  private static byte[] clientHello() throws Exception {
    SSLEngine engine = SSLContext.getDefault().createSSLEngine();
    engine.setUseClientMode(true);
    ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), out);
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }
}
