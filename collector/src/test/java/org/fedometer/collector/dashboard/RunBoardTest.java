package org.fedometer.collector.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.MetricDictionary;
import org.junit.jupiter.api.Test;

/** Data kept of a run, and the part that is sent. */
class RunBoardTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final long BEGIN_MILLIS = 1_790_000_000_000L;
  private static final BoardJson.RunContext OPEN =
      new BoardJson.RunContext("{}".getBytes(StandardCharsets.UTF_8), 10_000L, true, Set.of());

  private final AdvancingClock clock = new AdvancingClock();
  private final RunBoard board = new RunBoard(clock);
  private final SegmentSource source = source("agent", 0);
  private long sequence;

  /** Advances only on request. */
  private static final class AdvancingClock extends Clock {
    private Instant now = Instant.ofEpochMilli(BEGIN_MILLIS);

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }

    void goOn(Duration time) {
      now = now.plus(time);
    }
  }

  @Test
  void aRunOfDaysIsNoLargerThanOneOfHours() throws Exception {
    Dictionary names = new Dictionary();
    for (int stage = 0; stage < 60; stage++) {
      names.put(stage, "stage." + stage);
    }
    addFrame(FrameType.STAGES, names.encode());
    addFrame(
        FrameType.METRICS,
        new MetricDictionary()
            .put(0, "jvm.memory.used.heap", "By")
            .put(1, "jvm.cpu.time", "s")
            .encode());
    int objects = 0;
    for (int minute = 0; minute < 3 * 24 * 60; minute++) {
      clock.goOn(Duration.ofMinutes(1));
      long nanos = nanosNow();
      SampleEncoder samples = new SampleEncoder();
      RequestEncoder requests = new RequestEncoder();
      for (int stage = 0; stage < 60; stage++) {
        samples.add(stage, 1, minute, nanos, 1_000_000, 500_000, false);
        requests.add(objects, "a:1", "", 0, 1, nanos, 5_000_000, 201, 1, "", "ingest", nanos);
        objects++;
      }
      addFrame(FrameType.SAMPLES, samples.finish());
      addFrame(FrameType.REQUESTS, requests.finish());
      TelemetryEncoder readings = new TelemetryEncoder();
      readings.add(nanos, 0, 1_000_000);
      readings.add(nanos, 1, minute * 90.0);
      addFrame(FrameType.TELEMETRY, readings.finish());
      GcEncoder collections = new GcEncoder();
      collections.add("G1", "young", "", nanos, 12_000_000, 5, 3);
      addFrame(FrameType.GC, collections.finish());
    }

    byte[] whole = BoardJson.snapshot(board, OPEN, true);
    JsonNode snapshot = JSON.readTree(whole);
    assertThat(whole).hasSizeLessThan(400_000);
    assertThat(snapshot.at("/bucketSeconds").asInt()).isEqualTo(640);
    assertThat(snapshot.at("/objects").size()).isBetween(360, Timeline.MAX_BUCKETS);
    assertThat(sum(snapshot.at("/objects"))).isEqualTo(objects);
    assertThat(snapshot.at("/stages")).hasSize(60);
    assertThat(snapshot.at("/stages/0/count").asLong()).isEqualTo(3 * 24 * 60);
    assertThat(snapshot.at("/stageSeries/names")).hasSize(8);
    assertThat(snapshot.at("/telemetry/jvm.cpu.time/values/100").asDouble()).isEqualTo(1.5);
    assertThat(snapshot.at("/gc/max/100").asDouble()).isEqualTo(12);
    assertThat(snapshot.at("/progress/objects").asInt()).isEqualTo(objects);
  }

  @Test
  void updateHasOnlyChanges() throws Exception {
    addFrame(FrameType.STAGES, new Dictionary().put(0, "a").put(1, "b").encode());
    addFrame(FrameType.SAMPLES, sample(0));
    addFrame(FrameType.SAMPLES, sample(1));
    addFrame(FrameType.REQUESTS, request(201));
    JsonNode whole = JSON.readTree(BoardJson.snapshot(board, OPEN, true));
    assertThat(BoardJson.hasChanged(board)).isFalse();
    clock.goOn(Duration.ofSeconds(30));
    addFrame(FrameType.SAMPLES, sample(1));
    addFrame(FrameType.REQUESTS, request(500));

    assertThat(BoardJson.hasChanged(board)).isTrue();
    assertThat(BoardJson.needsSnapshot(board, whole.at("/generation").asInt())).isFalse();
    JsonNode update = JSON.readTree(BoardJson.update(board, OPEN, false));

    assertThat(update.has("run")).isFalse();
    assertThat(update.at("/first").asInt()).isEqualTo(3);
    assertThat(update.at("/objects")).hasSize(1);
    assertThat(update.at("/failed/0").asInt()).isEqualTo(1);
    assertThat(update.at("/stages")).hasSize(1);
    assertThat(update.at("/stages/0/name").asText()).isEqualTo("b");
    assertThat(update.at("/stages/0/count").asInt()).isEqualTo(2);
    assertThat(update.at("/stageSeries/names")).isEqualTo(whole.at("/stageSeries/names"));
    assertThat(update.at("/errors")).hasSize(1);
    assertThat(BoardJson.hasChanged(board)).isFalse();
  }

  @Test
  void sendsASnapshotWhenTheTopStagesChange() throws Exception {
    Dictionary names = new Dictionary();
    for (int stage = 0; stage < 14; stage++) {
      names.put(stage, "stage." + stage);
    }
    addFrame(FrameType.STAGES, names.encode());
    for (int stage = 0; stage < 13; stage++) {
      addFrame(FrameType.SAMPLES, sample(stage));
    }
    int generation = JSON.readTree(BoardJson.snapshot(board, OPEN, true)).at("/generation").asInt();
    addFrame(FrameType.SAMPLES, sample(3));
    assertThat(BoardJson.needsSnapshot(board, generation)).isFalse();
    for (int i = 0; i < 3; i++) {
      addFrame(FrameType.SAMPLES, sample(13));
    }
    assertThat(BoardJson.needsSnapshot(board, generation)).isTrue();
    assertThat(
            JSON.readTree(BoardJson.snapshot(board, OPEN, true))
                .at("/stageSeries/names/0")
                .asText())
        .isEqualTo("stage.13");
  }

  @Test
  void aClockThatIsWrongMakesNoBuckets() throws Exception {
    addFrame(FrameType.REQUESTS, request(201));
    SegmentSource ahead = source("driver", Duration.ofDays(400).toNanos());
    SegmentSource behind = source("driver", -Duration.ofDays(400).toNanos());
    board.add(ahead, frame(FrameType.REQUESTS, request(201)), true);
    board.add(behind, frame(FrameType.REQUESTS, request(201)), true);
    JsonNode snapshot = JSON.readTree(BoardJson.snapshot(board, OPEN, true));
    assertThat(snapshot.at("/bucketSeconds").asInt()).isEqualTo(10);
    assertThat(snapshot.at("/objects")).hasSize(1);
    assertThat(snapshot.at("/sources")).hasSize(3);
  }

  @Test
  void whatOnlyTheStoreHasOfASourceIsKept() throws Exception {
    RunBoard stored = new RunBoard(clock);
    SourceFacts before = stored.sourceOf(source);
    before.note(Metric.STAGES_WOVEN, 60);
    before.note(Metric.STAGES_PLANNED, 64);
    before.note(Metric.AGENT_MEMORY, 1);
    addFrame(
        FrameType.METRICS, new MetricDictionary().put(0, Metric.AGENT_MEMORY.id(), "By").encode());
    TelemetryEncoder reading = new TelemetryEncoder();
    reading.add(nanosNow(), 0, 2);
    addFrame(FrameType.TELEMETRY, reading.finish());

    board.addEarlier(stored);

    JsonNode snapshot = JSON.readTree(BoardJson.snapshot(board, OPEN, true)).at("/sources/0");
    assertThat(snapshot.at("/stagesWoven").asInt()).isEqualTo(60);
    assertThat(snapshot.at("/stagesPlanned").asInt()).isEqualTo(64);
    assertThat(snapshot.at("/agentMemoryBytes").asInt()).isEqualTo(2);
    assertThat(snapshot.at("/connected").asBoolean()).isFalse();
  }

  @Test
  void estimatesRemainingTimeByTheLastMinute() throws Exception {
    for (int second = 0; second < 120; second++) {
      clock.goOn(Duration.ofSeconds(1));
      for (int i = 0; i < 20; i++) {
        addFrame(FrameType.REQUESTS, request(201));
      }
    }
    JsonNode progress = JSON.readTree(BoardJson.snapshot(board, OPEN, true)).at("/progress");
    assertThat(progress.at("/objects").asInt()).isEqualTo(2400);
    assertThat(progress.at("/percent").asDouble()).isEqualTo(24);
    assertThat(progress.at("/ratePerSecond").asDouble()).isEqualTo(20);
    assertThat(progress.at("/etaSeconds").asInt()).isEqualTo(380);
    clock.goOn(Duration.ofMinutes(5));
    progress = JSON.readTree(BoardJson.snapshot(board, OPEN, true)).at("/progress");
    assertThat(progress.at("/ratePerSecond").asDouble()).isZero();
    assertThat(progress.at("/etaSeconds").isNull()).isTrue();
  }

  private void addFrame(FrameType type, byte[] payload) {
    board.add(source, frame(type, payload), true);
  }

  private Frame frame(FrameType type, byte[] payload) {
    return new Frame(type.code(), ++sequence, payload);
  }

  private byte[] sample(int stage) {
    SampleEncoder samples = new SampleEncoder();
    samples.add(stage, 1, 1, nanosNow(), 1_000, 1_000, false);
    return samples.finish();
  }

  private byte[] request(int status) {
    RequestEncoder requests = new RequestEncoder();
    requests.add(1, "a:1", "", 0, 1, nanosNow(), 1_000, status, 1, "", "ingest", nanosNow());
    return requests.finish();
  }

  /** As the source reads it, whose clock was at 0 when it came. */
  private long nanosNow() {
    return (clock.millis() - BEGIN_MILLIS) * 1_000_000;
  }

  private static SegmentSource source(String kind, long wrongNanos) {
    Hello hello =
        Hello.builder(UUID.randomUUID(), kind)
            .sourceName(kind)
            .runName("live")
            .nanos(-wrongNanos)
            .build();
    return new SegmentSource(0, hello, 0, 0, BEGIN_MILLIS);
  }

  private static long sum(JsonNode column) throws IOException {
    return StreamSupport.stream(column.spliterator(), false).mapToLong(JsonNode::asLong).sum();
  }
}
