package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.fedometer.collector.receive.CollectorFiles;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.tls.TestCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Log senders on the collector's one port, beside sources that speak in frames. */
@Timeout(120)
class LogSendersTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path directory;
  private Path store;
  private CollectorServer server;

  @BeforeEach
  void start() throws Exception {
    store = directory.resolve("store");
    server = CollectorServer.start(options());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void eventsOfSeveralConnectionsAndLayoutsAreTheLinesOfOneSourceOfTheDay() throws Exception {
    try (Socket json = connect();
        Socket xml = connect()) {
      send(
          json,
          "{\"instant\":{\"epochSecond\":1763633523,\"nanoOfSecond\":123456789},\"level\":\"WARN\","
              + "\"loggerName\":\"org.A\",\"thread\":\"t-1\",\"message\":\"n\u00e4he\","
              + "\"contextMap\":{\"user\":\"fedora\"}}\n");
      send(
          xml,
          "<Event xmlns=\"http://logging.apache.org/log4j/2.0/events\" timeMillis=\"1763633524000\""
              + " level=\"ERROR\" loggerName=\"org.B\" thread=\"t-2\"><Message>too\n late"
              + "</Message></Event>");
      finish(json);
      finish(xml);
    }
    server.close();

    assertThat(
            logs("SELECT at_nanos, level, logger, thread, message, context FROM logs ORDER BY 1"))
        .containsExactly(
            "1763633523123456789|WARN|org.A|t-1|n\u00e4he|{\"user\":\"fedora\"}",
            "1763633524000000000|ERROR|org.B|t-2|too\n late|null");
    assertThat(logs("SELECT kind, name, epoch_offset_nanos, frames_missing FROM sources"))
        .containsExactly("log4j2|127.0.0.1|0|0");
  }

  @Test
  void eventsOfOneConnectionKeepTheirOrderThoughAnotherOneLogsInBetween() throws Exception {
    try (Socket first = connect()) {
      for (int i = 1; i <= 6; i++) {
        send(first, "{\"level\":\"INFO\",\"time\":1795756440000,\"message\":\"step " + i + "\"}\n");
        try (Socket second = connect()) {
          send(
              second,
              "{\"level\":\"INFO\",\"time\":179575644" + i + "000,\"message\":\"other\"}\n");
          finish(second);
        }
      }
      finish(first);
    }
    server.close();

    assertThat(logs("SELECT message FROM logs WHERE message <> 'other' ORDER BY at_nanos"))
        .containsExactly("step 1", "step 2", "step 3", "step 4", "step 5", "step 6");
    assertThat(logs("SELECT count(DISTINCT at_nanos) FROM logs WHERE message <> 'other'"))
        .containsExactly("6");
  }

  @Test
  void eventsOfWhichALevelOrATimeIsAssumedAreCounted() throws Exception {
    try (Socket socket = connect()) {
      send(socket, "{\"level\":\"AUDIT\",\"time\":1795756440,\"message\":\"a\"}\n");
      send(socket, "{\"level\":\"INFO\",\"time\":1795756440,\"message\":\"b\"}\n");
      send(socket, "{\"level\":\"INFO\",\"time\":\"noon\",\"message\":\"fedometer.assumed\"}\n");
      finish(socket);
    }
    server.close();

    assertThat(logs("SELECT log_events_assumed FROM sources")).containsExactly("2");
    assertThat(logs("SELECT context FROM logs WHERE message = 'a'"))
        .containsExactly("{\"level\":\"AUDIT\",\"fedometer.assumed\":\"level\"}");
  }

  @Test
  void theSourceGoesOnWhereItStoppedWhenTheCollectorIsAnotherOne() throws Exception {
    for (int collector = 0; collector < 3; collector++) {
      try (Socket socket = connect()) {
        send(socket, "{\"message\":\"of collector " + collector + "\"}\n");
        finish(socket);
      }
      server.close();
      if (collector < 2) {
        server = CollectorServer.start(options());
      }
    }

    assertThat(logs("SELECT message FROM logs ORDER BY 1"))
        .containsExactly("of collector 0", "of collector 1", "of collector 2");
    assertThat(logs("SELECT sequence, frames_missing FROM sources")).containsExactly("3|0");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 16 << 20})
  void tenThousandEventsOnEachOfFourConnectionsAllArriveHoweverOftenTheyMustWait(long queueBytes)
      throws Exception {
    server.close();
    server =
        CollectorServer.start(options(SegmentLogOptions.defaults().withQueueBytes(queueBytes)));
    List<Thread> senders =
        IntStream.range(0, 4).mapToObj(number -> new Thread(() -> sendMany(number))).toList();
    senders.forEach(Thread::start);
    for (Thread sender : senders) {
      sender.join();
    }
    server.close();

    assertThat(logs("SELECT count(*), count(DISTINCT message) FROM logs"))
        .containsExactly("40000|40000");
    assertThat(logs("SELECT frames_missing, frames_unreadable FROM sources"))
        .containsExactly("0|0");
  }

  @Test
  void closesSendersWhileTheRunCannotBeOpened() throws Exception {
    Path runs = store.resolve("runs");
    Files.deleteIfExists(runs);
    Files.createFile(runs);
    try (Socket socket = connect()) {
      send(socket, "{\"message\":\"too early\"}\n");
      assertHungUp(socket);
    }
    Files.delete(runs);
    try (Socket socket = connect()) {
      send(socket, "{\"message\":\"in time\"}\n");
      finish(socket);
    }
    server.close();

    assertThat(logs("SELECT message FROM logs")).containsExactly("in time");
    assertThat(logs("SELECT frames_missing FROM sources")).containsExactly("0");
  }

  @Test
  void refusedSenderDoesNotDisturbOthers() throws Exception {
    try (Socket good = connect();
        RawSource source = RawSource.connect(server.address(), "beside")) {
      send(good, "{\"message\":\"before\"}");
      for (byte[] bad :
          List.of(
              new byte[] {(byte) 0xAC, (byte) 0xED, 0, 5, 0x73, 0x72},
              new byte[] {0x1F, (byte) 0x8B, 8, 0, 0, 0},
              "{\"message\":\"kept\"}{\"message\":}".getBytes(StandardCharsets.UTF_8),
              "<!DOCTYPE Event [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                  .getBytes(StandardCharsets.UTF_8),
              "<Event><Message>&x;</Message></Event>".getBytes(StandardCharsets.UTF_8))) {
        try (Socket refused = connect()) {
          refused.getOutputStream().write(bad);
          assertHungUp(refused);
        }
      }
      source.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 5));
      assertThat(source.awaitAcknowledgement(1)).isTrue();
      send(good, "{\"message\":\"after\"}");
      finish(good);
    }
    server.close();

    assertThat(logs("SELECT message FROM logs ORDER BY 1"))
        .containsExactly("after", "before", "kept");
    assertThat(RunQueries.rows(store, "beside", "SELECT count(*) FROM samples"))
        .containsExactly("5");
  }

  @Test
  void refusesJavaSerialisationWithAdvice() throws Exception {
    try (RawSource appender = RawSource.open(server.address())) {
      appender.bytes(new byte[] {(byte) 0xAC, (byte) 0xED, 0, 5});
      assertThat(appender.awaitRefusal()).contains("serialisation", "JsonTemplateLayout");
    }
  }

  @Test
  void tokenRefusesLogSendersButNotSources() throws Exception {
    server.close();
    server =
        CollectorServer.start(options(SegmentLogOptions.defaults().withToken("a secret of 1")));
    try (Socket socket = connect()) {
      send(socket, "{\"message\":\"unasked\"}\n");
      assertHungUp(socket);
    }
    assertThat(RunStore.at(store).runs()).isEmpty();
  }

  @Test
  void acceptsEventsOverTls() throws Exception {
    server.close();
    TestCertificates certificates = new TestCertificates(directory);
    certificates.selfSigned("own", "ip:127.0.0.1");
    server =
        CollectorServer.start(
            CollectorOptions.foreground(
                    EndpointOptions.at(address())
                        .withTls(CollectorFiles.of(certificates, "own", directory)),
                    store)
                .withSegmentLog(SegmentLogOptions.defaults().withClock(OneDay.CLOCK)));
    try (Socket socket = certificates.trusting("own").createSocket()) {
      socket.connect(server.address());
      for (byte one : "<134>1 - h a - - - hello\n".getBytes(StandardCharsets.US_ASCII)) {
        socket.getOutputStream().write(one);
      }
      for (int i = 0; i < 5_000; i++) {
        send(socket, "<134>1 - h a - - - event " + i + "\n");
      }
      finish(socket);
    }
    server.close();

    assertThat(logs("SELECT count(DISTINCT message), any_value(context) FROM logs"))
        .containsExactly("5001|{\"host\":\"h\",\"app\":\"a\",\"fedometer.assumed\":\"time\"}");
  }

  @Test
  void anEventThatNeverEndsIsGivenUpAndWhatCameBeforeIsKept() throws Exception {
    try (Socket socket = connect()) {
      send(socket, "{\"message\":\"short\"}\n{\"message\":\"");
      String chunk = "x".repeat(64 * 1024);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  send(socket, chunk);
                }
              })
          .isInstanceOf(SocketException.class);
    }
    server.close();

    assertThat(logs("SELECT message FROM logs")).containsExactly("short");
  }

  @Test
  void aBackgroundCollectorStaysWhileALogSenderIsConnected() throws Exception {
    server.close();
    server =
        CollectorServer.start(
            CollectorOptions.background(EndpointOptions.at(address()), store)
                .withIdleExit(new IdleExit(Duration.ofMillis(1), Duration.ofMillis(500))));
    try (Socket socket = connect()) {
      send(socket, "{\"message\":\"here\"}\n");
      assertThat(server.awaitStop(Duration.ofSeconds(1))).isFalse();
    }
    assertThat(server.awaitStop(TIMEOUT)).isTrue();
  }

  private CollectorOptions options() {
    return options(SegmentLogOptions.defaults());
  }

  private CollectorOptions options(SegmentLogOptions segmentLog) {
    return CollectorOptions.foreground(address(), store)
        .withSegmentLog(segmentLog.withClock(OneDay.CLOCK));
  }

  private static InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", 0);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    socket.connect(server.address());
    return socket;
  }

  private void sendMany(int sender) {
    try (Socket socket = connect()) {
      StringBuilder events = new StringBuilder();
      for (int i = 0; i < 10_000; i++) {
        events.append("{\"message\":\"").append(sender).append('-').append(i).append("\"}\r\n");
      }
      send(socket, events.toString());
      finish(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertHungUp(Socket socket) throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {
        // A reason may come before the end.
      }
    } catch (SocketException reset) {
      // That is an end, too.
    }
  }

  /** Waits until the collector has read all of it and hangs up, too. */
  private static void finish(Socket socket) throws IOException {
    socket.shutdownOutput();
    assertThat(socket.getInputStream().read()).isNegative();
  }

  private List<String> logs(String sql) throws Exception {
    List<RunFolder> runs = RunStore.at(store).runs();
    RunFolder monitoringRun =
        runs.stream().filter(run -> run.name().startsWith("monitoring-")).findFirst().orElseThrow();
    return RunQueries.rows(store, monitoringRun.name(), sql);
  }
}
