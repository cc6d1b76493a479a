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
import org.fedometer.collector.Asked;
import org.fedometer.collector.ask.Asking;
import org.fedometer.collector.journal.Journal;
import org.fedometer.collector.journal.JournalOptions;
import org.fedometer.collector.logs.AssumedEvents;
import org.fedometer.collector.logs.LogConnection;
import org.fedometer.collector.logs.LogFormat;
import org.fedometer.collector.logs.LogHosts;
import org.fedometer.collector.logs.LogIntake;
import org.fedometer.collector.logs.OwnEvents;
import org.fedometer.store.RunStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What connections of log senders do to each other, and who takes their events. */
@Timeout(120)
class LogHandlerTest {
  /** Room for the parts of one long event. */
  private static final long ROOM_BYTES = 100_000;

  private static final int PATIENCE_MILLIS = 60_000;

  @TempDir Path directory;
  private final List<String> refusals = new ArrayList<>();
  private final List<String> own = new CopyOnWriteArrayList<>();
  private Journal journal;
  private Asking asking;
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    RunStore store = RunStore.at(directory);
    journal = Journal.start(store, "here", JournalOptions.defaults());
    asking = Asking.start(store, journal);
    listener =
        Listener.listen(
            new InetSocketAddress("127.0.0.1", 0),
            null,
            journal,
            asking,
            new ConnectionWatch(0, 0),
            new LogIntake((peer, tls) -> null, Own::new, "0a1b2c3d", new AssumedEvents()),
            // A standstill of two seconds, which is no test's own on a busy machine.
            new Listener.Limits(ROOM_BYTES, Duration.ofMillis(200), 10, 10_000),
            Admission.Rules.of(Doors.standard()),
            refusal -> {});
  }

  @AfterEach
  void stop() throws Exception {
    journal.stop(Duration.ofSeconds(30));
    listener.close();
    asking.close();
  }

  @Test
  void aLongEventWaitsForTheRoomOfAnotherAndThenGoesOn() throws Exception {
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
  void oneThatComesToAStandstillIsHungUpOnWhileOthersWait() throws Exception {
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
  void eventsOfOurOwnAgentGoToWhoTakesThemAndMakeNoSourceOfLogs() throws Exception {
    try (Socket agent = connect()) {
      send(agent, "{\"@timestamp\":\"x\",\"fedometer\":{\"event\":\"hello\"}}\n");
      finish(agent);
    }
    await().until(() -> own.contains("closed"));
    assertThat(own).startsWith("event", "read complete").endsWith("closed").doesNotHaveDuplicates();
    assertThat(RunStore.at(directory).runs()).isEmpty();
  }

  @Test
  void theBeginningOfAnEventWithoutItsEndIsHungUpOnAndAHeadIsNot() {
    assertThat(staysOpen("{\"message\":\"")).isFalse();
    assertThat(staysOpen("[\r\n")).isTrue();
    assertThat(staysOpen("[\r\n{\"fedometer\":{}}, {\"mess")).isTrue();
  }

  /** Whether a connection is open 11 s after these bytes have come. */
  private boolean staysOpen(String text) {
    EmbeddedChannel channel = embedded(new FrameRoom(ROOM_BYTES, 10, 10, () -> false));
    write(channel, text);
    channel.advanceTimeBy(11, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    boolean open = channel.isOpen();
    channel.close();
    return open;
  }

  @Test
  void longEventsThatFollowEachOtherAreNoStandstill() {
    FrameRoom room = new FrameRoom(ROOM_BYTES, 3, 3, () -> false);
    EmbeddedChannel channel = embedded(room);
    String half = "x".repeat(30_000);
    write(channel, "[{\"fedometer\":{\"" + half);
    for (int i = 0; i < 20; i++) {
      FrameRoom.Place other = room.enter(WAITS, 1_000_000, 1);
      room.tick();
      assertThat(channel.isOpen()).isTrue();
      other.leave();
      write(channel, half + "\":1}},{\"fedometer\":{\"" + half);
    }
    for (int i = 0; i < 4; i++) {
      room.enter(WAITS, 1_000_000, 1);
      room.tick();
    }
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void brokenTlsIsOneLineOfTheLogOfRefusals() {
    EmbeddedChannel channel = embedded(new FrameRoom(ROOM_BYTES, 10, 10, () -> false));
    channel
        .pipeline()
        .fireExceptionCaught(new DecoderException(new NotSslRecordException("not TLS: 4745")));
    assertThat(channel.isOpen()).isFalse();
    assertThat(refusals).singleElement().asString().contains("not TLS: 4745");
  }

  @Test
  void eventsThatAreCutShortAreOneLineOfTheLogOfRefusals() {
    EmbeddedChannel channel = embedded(new FrameRoom(ROOM_BYTES, 10, 10, () -> false));
    write(channel, "[{\"fedometer\":{}},{\"fedometer\":");
    channel.close();
    assertThat(refusals).singleElement().asString().contains("its log events: ");
  }

  @Test
  void bytesThatDoNotTellYetAreReleased() {
    EmbeddedChannel channel = new EmbeddedChannel();
    FrameDecoder decoder = new FrameDecoder(new FrameRoom(ROOM_BYTES, 10, 10, () -> false));
    DoorLog doorLog = doorLog();
    Admission admission = admission(doorLog);
    ConnectionHandler frames =
        new ConnectionHandler(
            journal,
            asking,
            new ConnectionWatch(0, 0),
            decoder,
            new FrameRoom(ROOM_BYTES, 10, 10, () -> false),
            doorLog,
            admission);
    channel
        .pipeline()
        .addLast(
            new FirstBytesHandler(
                decoder, frames, format -> null, (peer, tls) -> null, admission, doorLog),
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

  private EmbeddedChannel embedded(FrameRoom room) {
    LogIntake intake =
        new LogIntake(
            (peer, tls) -> null, (line, loop) -> IGNORED, "0a1b2c3d", new AssumedEvents());
    EmbeddedChannel channel = new EmbeddedChannel();
    LogHosts hosts = new LogHosts(journal, intake, channel.eventLoop());
    DoorLog doorLog = doorLog();
    channel
        .pipeline()
        .addLast(
            new LogHandler(
                LogFormat.JSON_ARRAY,
                intake,
                hosts,
                new ConnectionWatch(0, 0),
                room,
                doorLog,
                admission(doorLog)));
    return channel;
  }

  private DoorLog doorLog() {
    return new DoorLog(new Refusals(), 1, refusals::add, System::nanoTime);
  }

  private static Admission admission(DoorLog doorLog) {
    return new Admission(
        Admission.Rules.of(Doors.standard()), new ConnectionCount(1, 1), doorLog, true);
  }

  private static void write(EmbeddedChannel channel, String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
  }

  private static final FrameRoom.Guest WAITS =
      new FrameRoom.Guest() {
        @Override
        public void letIn() {}

        @Override
        public void turnOut() {}
      };

  private static final OwnEvents IGNORED =
      new OwnEvents() {
        @Override
        public void event(JsonParser parser) throws IOException {
          parser.skipChildren();
        }

        @Override
        public void readComplete() {}

        @Override
        public void closed() {}
      };

  private final class Own implements OwnEvents {
    private final LogConnection connection;

    Own(LogConnection connection, EventExecutor loop) {
      this.connection = connection;
      assertThat(loop.inEventLoop()).isTrue();
    }

    @Override
    public void event(JsonParser parser) throws IOException {
      assertThat(connection.host()).isEqualTo("127.0.0.1");
      parser.skipChildren();
      own.add("event");
    }

    @Override
    public void readComplete() {
      if (!own.contains("read complete")) {
        own.add("read complete");
      }
    }

    @Override
    public void closed() {
      own.add("closed");
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(PATIENCE_MILLIS);
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
    journal.stop(Duration.ofSeconds(30));
    return Asked.rows(directory, RunStore.at(directory).runs().get(0).name(), sql);
  }
}
