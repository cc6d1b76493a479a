package org.fedometer.collector.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.RunQueries;
import org.fedometer.collector.logs.AgentEvents;
import org.fedometer.collector.logs.LogConnection;
import org.fedometer.collector.segmentlog.DurableFrames;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections of agents with {@code transport=log4j2}, a real segment log, and no network. */
@Tag("slow")
@Timeout(60)
class MeasuredSourceTest {
  private static final JsonFactory JSON = new JsonFactory();
  private static final UUID SOURCE = new UUID(3, 4);
  private static final String BOOT = "boot-1";
  private static final Duration NEVER = Duration.ofHours(1);

  @TempDir Path directory;
  private final EventExecutor loop = new DefaultEventExecutor();
  private final Durable durable = new Durable();
  private SegmentLog segmentLog;
  private MeasuredSources sources;

  @BeforeEach
  void start() throws Exception {
    restart(NEVER);
  }

  @AfterEach
  void stop() throws Exception {
    segmentLog.stop(Duration.ofSeconds(30));
    loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
  }

  @Test
  void storesReportedEventsAndCountsNoFrameGaps() throws Exception {
    TestConnection line = connect();
    line.send(hello("\"schema\":1"));
    line.send(sample(40, 0, "ingest", 5), sample(40, 1, "ingest.validate", 6));
    line.send(sample(1_000_000, 0, "ingest", 7), totals(1_000_001, "ingest", 2));
    line.close();
    await().until(() -> journalHas("totals"));
    assertThat(segmentLog.stop(Duration.ofSeconds(30))).isTrue();

    assertThat(
            rows(
                "SELECT stage, thread, start_nanos, duration_nanos, self_nanos FROM samples"
                    + " ORDER BY start_nanos"))
        .containsExactly(
            "ingest|http-1|5|20|10", "ingest.validate|http-1|6|20|10", "ingest|http-1|7|20|10");
    assertThat(rows("SELECT stage, count, last FROM totals")).containsExactly("ingest|2|true");
    assertThat(
            rows(
                "SELECT kind, name, frames_missing, finished, attributes->>'pid',"
                    + " attributes->>'host', attributes->>'transport' FROM sources"))
        .containsExactly("agent|here|0|true|4711|athena|log4j2");
  }

  @Test
  void aSourceOfThisHostHasItsPlaceInTimeExactlyHoweverLateItIsRead() throws Exception {
    TestConnection line = connect();
    line.send(hello("\"schema\":1"), totals(1, "ingest", 2));
    line.close();
    await().until(() -> journalHas("totals"));
    assertThat(segmentLog.stop(Duration.ofSeconds(30))).isTrue();
    assertThat(rows("SELECT epoch_offset_nanos FROM sources"))
        .containsExactly("1700000000123455789");
  }

  @Test
  void aSourceOfAnotherHostHasItsPlaceInTimeByItsArrival() throws Exception {
    long before = System.currentTimeMillis();
    TestConnection line = connect();
    line.send(hello("\"schema\":1").replace(BOOT, "of another host"), totals(1, "ingest", 2));
    line.close();
    await().until(() -> journalHas("totals"));
    assertThat(segmentLog.stop(Duration.ofSeconds(30))).isTrue();
    long offsetNanos = Long.parseLong(rows("SELECT epoch_offset_nanos FROM sources").get(0));
    assertThat((offsetNanos + 1_000) / 1_000_000).isBetween(before, System.currentTimeMillis());
  }

  @Test
  void eachEventIsHereOnceThoughConnectionsBreakAndTheCollectorBeginsAnew() throws Exception {
    Random random = new Random(9);
    List<EventFrame> frames = EventFrame.random(random, 200);
    for (int from = 0; from < frames.size(); from += 40) {
      if (from == 120) {
        assertThat(segmentLog.stop(Duration.ofSeconds(30))).isTrue();
        restart(NEVER);
      }
      TestConnection line = connect();
      line.send(hello("\"schema\":1"));
      List<String> events = new ArrayList<>();
      for (EventFrame frame : frames.subList(Math.max(0, from - 10), from + 40)) {
        for (int index = 0; index < frame.events().size(); index++) {
          events.add(frame.json(SOURCE, index, random));
        }
      }
      int read = random.nextInt(events.size());
      line.send(events.subList(0, read).toArray(String[]::new));
      line.send(events.subList(read, events.size()).toArray(String[]::new));
      line.close();
    }
    List<String> expected =
        new ArrayList<>(frames.stream().flatMap(frame -> frame.facts().stream()).toList());
    await().untilAsserted(() -> assertThat(ReadFrames.of(durable.frames())).isEqualTo(expected));
  }

  @Test
  void theConnectionBeforeIsReadToItsEndFirst() throws Exception {
    TestConnection first = connect();
    first.send(hello("\"schema\":1"), sample(1, 0, "ingest", 1));
    TestConnection second = connect();
    second.send(hello("\"schema\":1"), sample(3, 0, "ingest", 3));
    TestConnection third = connect();
    third.send(hello("\"schema\":1"), sample(4, 0, "ingest", 4));
    third.close();
    assertThat(second.isPaused()).isTrue();
    first.send(sample(2, 0, "ingest", 2));
    first.close();
    await().until(() -> !second.isPaused());
    second.close();
    await()
        .untilAsserted(
            () ->
                assertThat(ReadFrames.of(durable.frames()))
                    .extracting(fact -> fact.replaceAll(".*startNanos=(\\d+).*", "$1"))
                    .containsExactly("1", "2", "3", "4"));
  }

  @Test
  void theConnectionBeforeIsReadToItsEndAlsoWhenOneThatWaitedForItWasRefused() throws Exception {
    TestConnection first = connect();
    first.send(hello("\"schema\":1"), sample(1, 0, "ingest", 1));
    assertThat(refusal(hello("\"schema\":1"), "{\"event\":")).isNotEmpty();
    TestConnection second = connect();
    second.send(hello("\"schema\":1"), sample(3, 0, "ingest", 3));
    second.close();
    first.send(sample(2, 0, "ingest", 2));
    first.close();
    await()
        .untilAsserted(
            () ->
                assertThat(ReadFrames.of(durable.frames()))
                    .extracting(fact -> fact.replaceAll(".*startNanos=(\\d+).*", "$1"))
                    .containsExactly("1", "2", "3"));
    assertThat(first.refusal).isEmpty();
  }

  @Test
  void limitsWaitingConnections() throws Exception {
    TestConnection first = connect();
    first.send(hello("\"schema\":1"));
    for (int i = 0; i < MeasuredSources.MAX_WAITING_CONNECTIONS; i++) {
      connect().send(hello("\"schema\":1"));
    }
    assertThat(refusal(hello("\"schema\":1"))).contains("Too many connections wait");
    String other = hello("\"schema\":1").replace(SOURCE.toString(), UUID.randomUUID().toString());
    TestConnection elsewhere = connect();
    elsewhere.send(other);
    assertThat(elsewhere.refusal).isEmpty();

    first.close();
    TestConnection again = connect();
    again.send(hello("\"schema\":1"));
    assertThat(again.refusal).isEmpty();
  }

  @Test
  void replacesSilentConnections() throws Exception {
    segmentLog.stop(Duration.ofSeconds(30));
    restart(Duration.ofMillis(50));
    TestConnection dead = connect();
    dead.send(hello("\"schema\":1"), sample(1, 0, "ingest", 1));
    await().until(() -> durable.frames().size() == 3);
    TestConnection alive = connect();
    alive.send(hello("\"schema\":1"), sample(1, 0, "ingest", 1), sample(1, 1, "ingest", 2));
    await().until(() -> durable.frames().size() == 4);
    assertThat(dead.refusal).isEqualTo("the source has opened a new connection");
    assertThat(alive.refusal).isEmpty();
  }

  @Test
  void storesEventsOfASourceThatLeftBeforeTheWelcome() throws Exception {
    TestConnection line = connect();
    loop.submit(
            () -> {
              line.sendOnLoop(hello("\"schema\":1"), sample(1, 0, "ingest", 1));
              line.events.closed();
              return null;
            })
        .get();
    await().until(() -> ReadFrames.of(durable.frames()).size() == 1);
    assertThat(segmentLog.stop(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void refusesForeignEventsWithAReason() throws Exception {
    assertThat(refusal(hello("\"schema\":2")))
        .isEqualTo("The events have schema 2; this collector supports schema 1");
    assertThat(refusal(sample(1, 0, "ingest", 1))).contains("\"hello\", not \"sample\"");
    assertThat(refusal(hello("\"schema\":1").replace(SOURCE.toString(), "me")))
        .isEqualTo("A source is a UUID, not \"me\"");
    assertThat(refusal(hello("\"schema\":1").replace("\"nanos\":1000,", "")))
        .isEqualTo("A Fedometer event lacks the field \"nanos\"");
    assertThat(refusal(hello("\"schema\":1"), hello("\"schema\":1")))
        .isEqualTo("A second \"hello\" on one connection");
    assertThat(
            refusal(
                hello("\"schema\":1"),
                sample(1, 0, "ingest", 1).replace(SOURCE.toString(), "somebody")))
        .contains("an event is another's");
    assertThat(refusal(hello("\"schema\":1").replace("\"agent\"", "\"probe\"")))
        .contains("cannot be a probe");
    assertThat(refusal(hello("\"schema\":1,\"runName\":\"../up\"")))
        .contains("a run's name must have");
  }

  @Test
  void whatCameBeforeAMalformedEventStays() throws Exception {
    assertThat(refusal(hello("\"schema\":1"), sample(1, 0, "ingest", 1), "{\"event\":\"sample\"}"))
        .contains("lacks the field");
    await().until(() -> ReadFrames.of(durable.frames()).size() == 1);
  }

  private String refusal(String... events) throws Exception {
    TestConnection line = connect();
    line.send(events);
    await().until(() -> !line.refusal.isEmpty());
    line.close();
    return line.refusal;
  }

  private void restart(Duration silence) throws IOException {
    RunStore store = RunStore.at(directory.toRealPath());
    segmentLog = SegmentLog.start(store, "host", SegmentLogOptions.defaults(), durable);
    sources = new MeasuredSources(segmentLog, source -> true, BOOT, silence);
  }

  private TestConnection connect() throws ExecutionException, InterruptedException {
    return loop.submit(() -> new TestConnection()).get();
  }

  private boolean journalHas(String kind) throws Exception {
    return ReadFrames.of(durable.frames()).stream().anyMatch(fact -> fact.startsWith(kind));
  }

  private List<String> rows(String sql) throws Exception {
    return RunQueries.rows(directory, "night", sql);
  }

  private static String hello(String schema) {
    return ("{\"event\":\"hello\",\"frame\":0,\"index\":0,\"source\":\"%s\",\"nanos\":1000,"
            + "\"epochNanos\":1700000000123456789,\"kind\":\"agent\",\"name\":\"here\","
            + "\"host\":\"athena\",\"pid\":\"4711\",\"bootId\":\"%s\",\"runName\":\"night\",%s}")
        .formatted(SOURCE, BOOT, schema);
  }

  private static String sample(long frame, int index, String stage, long startNanos) {
    return ("{\"event\":\"sample\",\"failed\":false,\"frame\":%d,\"index\":%d,\"selfNanos\":10,"
            + "\"source\":\"%s\",\"stage\":\"%s\",\"startNanos\":%d,\"thread\":\"http-1\","
            + "\"threadId\":1,\"durationNanos\":20,\"trace\":9}")
        .formatted(frame, index, SOURCE, stage, startNanos);
  }

  private static String totals(long frame, String stage, long count) {
    return ("{\"event\":\"totals\",\"frame\":%d,\"framesDropped\":0,\"index\":0,\"last\":true,"
            + "\"samplesDropped\":0,\"source\":\"%s\",\"stages\":[{\"count\":%d,\"failed\":0,"
            + "\"stage\":\"%s\",\"durationNanos\":40}],\"stagesSkipped\":0,\"threadsRefused\":0,"
            + "\"tracesDropped\":0}")
        .formatted(frame, SOURCE, count, stage);
  }

  /** One connection, whose other side is the test. */
  private final class TestConnection implements LogConnection {
    private final AgentEvents events = sources.open(this, loop);
    private final Set<Object> pauses = new HashSet<>();
    private boolean closed;
    private volatile String refusal = "";

    /** In one read; waits while nothing is read, as a socket does. */
    void send(String... several) throws Exception {
      await().until(() -> !isPaused() || !refusal.isEmpty());
      loop.submit(
              () -> {
                sendOnLoop(several);
                return null;
              })
          .get();
    }

    void sendOnLoop(String... several) throws IOException {
      for (String each : several) {
        try (JsonParser parser = JSON.createParser(each)) {
          parser.nextToken();
          if (refusal.isEmpty()) {
            events.event(parser);
          }
        } catch (IOException e) {
          refuse(e.getMessage());
        }
      }
      events.readComplete();
    }

    boolean isPaused() throws Exception {
      return loop.submit(() -> !pauses.isEmpty()).get();
    }

    void close() throws Exception {
      loop.submit(this::closeOnLoop).get();
    }

    private void closeOnLoop() {
      if (!closed) {
        closed = true;
        events.closed();
      }
    }

    @Override
    public String peer() {
      return "a test";
    }

    @Override
    public String host() {
      return "127.0.0.1";
    }

    @Override
    public void pause(Object who) {
      pauses.add(who);
    }

    @Override
    public void resume(Object who) {
      pauses.remove(who);
    }

    @Override
    public void refuse(String reason) {
      if (refusal.isEmpty()) {
        refusal = reason;
      }
      closeOnLoop();
    }
  }

  private static final class Durable implements DurableFrames {
    private final List<Frame> frames = new ArrayList<>();

    @Override
    public synchronized void durable(
        RunFolder run, SegmentSource source, String segment, Frame frame) {
      frames.add(frame);
    }

    synchronized List<Frame> frames() {
      return List.copyOf(frames);
    }
  }
}
