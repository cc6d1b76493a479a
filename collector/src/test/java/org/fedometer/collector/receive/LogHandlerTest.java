package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.RunQueries;
import org.fedometer.collector.logs.AgentEvents;
import org.fedometer.collector.logs.AssumedEvents;
import org.fedometer.collector.logs.LogConnection;
import org.fedometer.collector.logs.LogFormat;
import org.fedometer.collector.logs.LogHosts;
import org.fedometer.collector.logs.LogIntake;
import org.fedometer.collector.query.QueryService;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Interaction of log senders' connections, and the recipients of their events. */
@Timeout(120)
class LogHandlerTest {
  /** Memory for the parts of one long event. */
  private static final long BUDGET_BYTES = 100_000;

  private static final int TIMEOUT_MILLIS = 60_000;

  @TempDir Path directory;
  private final List<String> refusals = new ArrayList<>();
  private final List<String> agentEvents = new CopyOnWriteArrayList<>();
  private SegmentLog segmentLog;
  private QueryService queryService;
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    RunStore store = RunStore.at(directory);
    segmentLog = SegmentLog.start(store, "here", SegmentLogOptions.defaults());
    queryService = QueryService.start(store, segmentLog);
    listener =
        Listener.listen(
            new InetSocketAddress("127.0.0.1", 0),
            null,
            segmentLog,
            queryService,
            new ConnectionTracker(0, 0),
            new LogIntake(
                (peer, tls) -> null, RecordingAgentEvents::new, "0a1b2c3d", new AssumedEvents()),
            // A standstill of two seconds, which is no test's own on a busy machine.
            new Listener.Limits(BUDGET_BYTES, Duration.ofMillis(200), 10, 10_000),
            Admission.Rules.of(AccessRules.defaults()),
            refusal -> {});
  }

  @AfterEach
  void stop() throws Exception {
    segmentLog.stop(Duration.ofSeconds(30));
    listener.close();
    queryService.close();
  }

  @Test
  void longEventWaitsForBudget() throws Exception {
    String half = "x".repeat(30_000);
    try (Socket first = connect();
        Socket second = connect()) {
      send(first, "{\"message\":\"" + half);
      send(second, "{\"message\":\"" + half);
      send(first, "first\"}\n");
      send(second, "second\"}\n");
      finish(first);
      finish(second);
    }
    assertThat(stored("SELECT count(*) FROM logs WHERE starts_with(message, 'xxx')"))
        .containsExactly("2");
  }

  @Test
  void eventsOfOneMillisecondStayInTheirOrder() throws Exception {
    List<String> expected = new ArrayList<>();
    try (Socket appender = connect()) {
      for (int i = 0; i < 200; i++) {
        String message = "event " + (i * 7919) % 200;
        expected.add(message);
        send(
            appender,
            "{\"@timestamp\":\"2026-11-20T10:00:00.%03dZ\",\"message\":\"%s\"}\n"
                .formatted(i / 50, message));
      }
      finish(appender);
    }
    assertThat(stored("SELECT message FROM logs ORDER BY at_nanos")).isEqualTo(expected);
  }

  @Test
  void closesStalledSendersWhileOthersWait() throws Exception {
    String half = "x".repeat(30_000);
    try (Socket stuck = connect();
        Socket other = connect()) {
      send(stuck, "{\"message\":\"" + half);
      send(other, "{\"message\":\"" + half);
      assertHungUp(stuck);
      send(other, "\"}{\"message\":\"done\"}");
      finish(other);
    }
    assertThat(stored("SELECT count(*), count(*) FILTER (message = 'done') FROM logs"))
        .containsExactly("2|1");
  }

  @Test
  void dispatchesAgentEvents() throws Exception {
    try (Socket agent = connect()) {
      send(agent, "{\"@timestamp\":\"x\",\"fedometer\":{\"event\":\"hello\"}}\n");
      finish(agent);
    }
    await().until(() -> agentEvents.contains("closed"));
    assertThat(agentEvents)
        .startsWith("event", "read complete")
        .endsWith("closed")
        .doesNotHaveDuplicates();
    assertThat(RunStore.at(directory).runs()).isEmpty();
  }

  @Test
  void theBeginningOfAnEventWithoutItsEndIsHungUpOnAndAHeadIsNot() {
    assertThat(staysOpen("{\"message\":\"")).isFalse();
    assertThat(staysOpen("[\r\n")).isTrue();
    assertThat(staysOpen("[\r\n{\"fedometer\":{}}, {\"mess")).isTrue();
  }

  /** Returns whether a connection is open 11 s after it received these bytes. */
  private boolean staysOpen(String text) {
    EmbeddedChannel channel = embedded(new FrameBudget(BUDGET_BYTES, 10, 10, () -> false));
    write(channel, text);
    channel.advanceTimeBy(11, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    boolean open = channel.isOpen();
    channel.close();
    return open;
  }

  @Test
  void longEventsThatFollowEachOtherAreNoStandstill() {
    FrameBudget budget = new FrameBudget(BUDGET_BYTES, 3, 3, () -> false);
    EmbeddedChannel channel = embedded(budget);
    String half = "x".repeat(30_000);
    write(channel, "[{\"fedometer\":{\"" + half);
    for (int i = 0; i < 20; i++) {
      FrameBudget.Reservation other = budget.reserve(WAITS, 1_000_000, 1);
      budget.tick();
      assertThat(channel.isOpen()).isTrue();
      other.release();
      write(channel, half + "\":1}},{\"fedometer\":{\"" + half);
    }
    for (int i = 0; i < 4; i++) {
      budget.reserve(WAITS, 1_000_000, 1);
      budget.tick();
    }
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void brokenTlsIsOneLineOfTheLogOfRefusals() {
    EmbeddedChannel channel = embedded(new FrameBudget(BUDGET_BYTES, 10, 10, () -> false));
    channel
        .pipeline()
        .fireExceptionCaught(new DecoderException(new NotSslRecordException("not TLS: 4745")));
    assertThat(channel.isOpen()).isFalse();
    assertThat(refusals).singleElement().asString().contains("not TLS: 4745");
  }

  @Test
  void eventsThatAreCutShortAreOneLineOfTheLogOfRefusals() {
    EmbeddedChannel channel = embedded(new FrameBudget(BUDGET_BYTES, 10, 10, () -> false));
    write(channel, "[{\"fedometer\":{}},{\"fedometer\":");
    channel.close();
    assertThat(refusals).singleElement().asString().contains("its log events: ");
  }

  @Test
  void releasesUndecidedBytes() {
    EmbeddedChannel channel = new EmbeddedChannel();
    FrameDecoder decoder = new FrameDecoder(new FrameBudget(BUDGET_BYTES, 10, 10, () -> false));
    RefusalLog refusalLog = doorLog();
    Admission admission = admission(refusalLog);
    ConnectionHandler frames =
        new ConnectionHandler(
            segmentLog,
            queryService,
            new ConnectionTracker(0, 0),
            decoder,
            new FrameBudget(BUDGET_BYTES, 10, 10, () -> false),
            refusalLog,
            admission);
    channel
        .pipeline()
        .addLast(
            new FirstBytesHandler(
                decoder, frames, format -> null, (peer, tls) -> null, admission, refusalLog),
            decoder,
            frames);
    List<ByteBuf> sent = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ByteBuf space = channel.alloc().buffer().writeByte(' ');
      sent.add(space);
      channel.writeInbound(space);
    }
    channel.close();
    assertThat(sent).allSatisfy(each -> assertThat(each.refCnt()).isZero());
  }

  private EmbeddedChannel embedded(FrameBudget budget) {
    LogIntake intake =
        new LogIntake(
            (peer, tls) -> null, (line, loop) -> IGNORED, "0a1b2c3d", new AssumedEvents());
    EmbeddedChannel channel = new EmbeddedChannel();
    LogHosts hosts = new LogHosts(segmentLog, intake, channel.eventLoop());
    RefusalLog refusalLog = doorLog();
    channel
        .pipeline()
        .addLast(
            new LogHandler(
                LogFormat.JSON_ARRAY,
                intake,
                hosts,
                new ConnectionTracker(0, 0),
                budget,
                refusalLog,
                admission(refusalLog)));
    return channel;
  }

  private RefusalLog doorLog() {
    return new RefusalLog(new Refusals(), 1, refusals::add, System::nanoTime);
  }

  private static Admission admission(RefusalLog refusalLog) {
    return new Admission(
        Admission.Rules.of(AccessRules.defaults()), new ConnectionCount(1, 1), refusalLog, true);
  }

  private static void write(EmbeddedChannel channel, String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
  }

  private static final FrameBudget.Waiter WAITS =
      new FrameBudget.Waiter() {
        @Override
        public void granted() {}

        @Override
        public void evicted() {}
      };

  private static final AgentEvents IGNORED =
      new AgentEvents() {
        @Override
        public void event(JsonParser parser) throws IOException {
          parser.skipChildren();
        }

        @Override
        public void readComplete() {}

        @Override
        public void closed() {}
      };

  private final class RecordingAgentEvents implements AgentEvents {
    private final LogConnection connection;

    RecordingAgentEvents(LogConnection connection, EventExecutor loop) {
      this.connection = connection;
      assertThat(loop.inEventLoop()).isTrue();
    }

    @Override
    public void event(JsonParser parser) throws IOException {
      assertThat(connection.host()).isEqualTo("127.0.0.1");
      parser.skipChildren();
      agentEvents.add("event");
    }

    @Override
    public void readComplete() {
      if (!agentEvents.contains("read complete")) {
        agentEvents.add("read complete");
      }
    }

    @Override
    public void closed() {
      agentEvents.add("closed");
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(listener.address());
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Waits until the collector has read all of it and hangs up, too. */
  private static void finish(Socket socket) throws IOException {
    socket.shutdownOutput();
    assertThat(socket.getInputStream().read()).isNegative();
  }

  private static void assertHungUp(Socket socket) throws IOException {
    try {
      assertThat(socket.getInputStream().read()).isNegative();
    } catch (SocketException reset) {
      // That is an end, too.
    }
  }

  private List<String> stored(String sql) throws Exception {
    segmentLog.stop(Duration.ofSeconds(30));
    return RunQueries.rows(directory, RunStore.at(directory).runs().get(0).name(), sql);
  }
}
