package org.fedometer.agent.core.log4j2;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.layout.template.json.JsonTemplateLayout;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the exact output to a receiver for each kind of data. */
class FrameEventsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Origin of the source's clock: 2026-11-22T10:11:12.000000005Z was its 5th nanosecond. */
  private static final long EPOCH_NANOS =
      Instant.parse("2026-11-22T10:11:12Z").getEpochSecond() * 1_000_000_000;

  private final JsonTemplateLayout layout = Log4j2Protocol.layout(Log4j2Protocol.TEMPLATE);
  private final List<String> lines = new ArrayList<>();
  private final FrameEvents events =
      new FrameEvents("src", new SourceNames(), EpochClock.of(EPOCH_NANOS), this::keep);

  private void keep(LogEvent event) {
    lines.add(new String(layout.toByteArray(event), StandardCharsets.UTF_8));
  }

  @Test
  void aSampleHasAllItNeedsToBeOneAgain() throws Exception {
    names();
    SampleEncoder samples = new SampleEncoder();
    samples.add(1, 2, 7, 100, 50, 30, true);
    samples.add(1, 2, -8, Long.MAX_VALUE - 1, 1, 1, false);
    emit(FrameType.SAMPLES, 3, samples.finish());
    assertThat(lines)
        .first()
        .isEqualTo(
            "{\"@timestamp\":\"2026-11-22T10:11:12.000000100Z\",\"fedometer\":{\"durationNanos\":50,\"event\":\"sample\","
                + "\"failed\":true,\"frame\":3,\"index\":0,\"selfNanos\":30,\"source\":\"src\","
                + "\"stage\":\"ingest\",\"startNanos\":100,\"thread\":\"http-1\",\"threadId\":2,"
                + "\"trace\":7}}\n");
    JsonNode second = fedometer(1);
    assertThat(second.get("index").asInt()).isOne();
    assertThat(second.get("trace").longValue()).isEqualTo(-8);
    assertThat(second.get("startNanos").bigIntegerValue().longValueExact())
        .isEqualTo(Long.MAX_VALUE - 1);
  }

  @Test
  void aNumberWithoutANameStandsForItself() throws Exception {
    SampleEncoder samples = new SampleEncoder();
    samples.add(4, 5, 0, 0, 0, 0, false);
    emit(FrameType.SAMPLES, 1, samples.finish());
    assertThat(fedometer(0).get("stage").asText()).isEqualTo("#4");
    assertThat(fedometer(0).get("thread").asText()).isEqualTo("#5");
  }

  @Test
  void traceHasTheKnownFields() throws Exception {
    names();
    TraceEncoder traces = new TraceEncoder();
    traces.add(7, 1, "demo:1", "00-a-b-01", "ingest", false);
    traces.add(8, 1, "", "", "", true);
    emit(FrameType.TRACES, 3, traces.finish());
    assertThat(fields(0))
        .isEqualTo(
            Map.of(
                "event", "trace",
                "source", "src",
                "frame", 3,
                "index", 0,
                "trace", 7,
                "rootStage", "ingest",
                "pid", "demo:1",
                "traceparent", "00-a-b-01",
                "operation", "ingest",
                "failed", false));
    assertThat(fields(1)).doesNotContainKeys("pid", "traceparent", "operation");
  }

  @Test
  void aLineOfFedorasLogHasAllItsParts() throws Exception {
    LogEncoder log = new LogEncoder();
    log.add(1_000_000_000, LogLevel.WARN, 7, "a.Logger", "http-1", "slow", "java.lang.E\n\tat a.b");
    log.add(1_000_000_001, LogLevel.ERROR, 0, "a.Logger", "http-1", "bad", "");
    emit(FrameType.LOGS, 3, log.finish());
    assertThat(JSON.readTree(lines.get(0)).get("@timestamp").asText())
        .isEqualTo("2026-11-22T10:11:13.000000000Z");
    assertThat(fields(0))
        .containsEntry("event", "log")
        .containsEntry("atNanos", 1_000_000_000)
        .containsEntry("level", "warn")
        .containsEntry("trace", 7)
        .containsEntry("logger", "a.Logger")
        .containsEntry("thread", "http-1")
        .containsEntry("message", "slow")
        .containsEntry("exception", "java.lang.E\n\tat a.b");
    assertThat(fields(1)).containsEntry("level", "error").doesNotContainKey("exception");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"quoted\" and \\ and /",
        "line\nline\r\n\ttab",
        "\0\u0001\u001f\u007f\u0085\u2028\u2029",
        "Größe 漢字 \ud83d\ude00",
        "${jndi:ldap://127.0.0.1/x} ${env:PATH} {} %m"
      })
  void anyTextArrivesAsItIs(String text) throws Exception {
    LogEncoder log = new LogEncoder();
    log.add(0, LogLevel.INFO, 0, text, text, text, text);
    emit(FrameType.LOGS, 1, log.finish());
    assertThat(lines.get(0)).endsWith("}}\n").containsOnlyOnce("\n");
    assertThat(fields(0))
        .containsEntry("message", text)
        .containsEntry("logger", text)
        .containsEntry("thread", text);
    assertThat(fields(0).getOrDefault("exception", "")).isEqualTo(text);
  }

  @Test
  void halfACharacterIsAQuestionMark() throws Exception {
    keep(new MeasuredEvent(new EventFields().with("message", "a\ud800b\udc00"), 0));
    assertThat(fields(0)).containsEntry("message", "a?b?");
  }

  @Test
  void longestMessageAndStackTraceAreComplete() throws Exception {
    String message = "m".repeat(LogEncoder.MAX_MESSAGE_BYTES);
    String thrown = "\"".repeat(LogEncoder.MAX_THROWN_BYTES);
    LogEncoder log = new LogEncoder();
    log.add(0, LogLevel.INFO, 0, "l", "t", message, thrown);
    emit(FrameType.LOGS, 1, log.finish());
    assertThat(fields(0)).containsEntry("message", message).containsEntry("exception", thrown);
  }

  @Test
  void readingsAreNumbersAndOthersAreSkipped() throws Exception {
    emit(
        FrameType.METRICS,
        1,
        new MetricDictionary().put(0, "jvm.cpu.time", "s").put(1, "x", "").encode());
    TelemetryEncoder readings = new TelemetryEncoder();
    readings.add(5, 0, 1.25);
    readings.add(5, 1, Double.NaN);
    readings.add(5, 1, 1e300);
    emit(FrameType.TELEMETRY, 2, readings.finish());
    assertThat(lines).hasSize(2);
    assertThat(fields(0))
        .isEqualTo(
            Map.of(
                "event",
                "telemetry",
                "source",
                "src",
                "frame",
                2,
                "index",
                0,
                "atNanos",
                5,
                "metric",
                "jvm.cpu.time",
                "unit",
                "s",
                "value",
                1.25));
    assertThat(fields(1)).containsEntry("index", 2).containsEntry("value", 1e300);
  }

  @Test
  void aPauseForAGarbageCollectionHasAllItsParts() throws Exception {
    GcEncoder collections = new GcEncoder();
    collections.add("G1 Young", "end of minor GC", "Pause", 9, 8, 7, 6);
    emit(FrameType.GC, 2, collections.finish());
    assertThat(lines.get(0))
        .endsWith(
            "\"fedometer\":{\"action\":\"end of minor GC\",\"cause\":\"Pause\","
                + "\"collector\":\"G1 Young\",\"durationNanos\":8,\"event\":\"gc\",\"frame\":2,"
                + "\"heapAfterBytes\":6,\"heapBeforeBytes\":7,\"index\":0,\"source\":\"src\","
                + "\"startNanos\":9}}\n");
  }

  @Test
  void emitsTotalsAtIntervalsAndTheLastOnesAlways() throws Exception {
    names();
    List<Totals.StageTotal> stages = List.of(new Totals.StageTotal(1, 4, 1, 99));
    for (boolean last : new boolean[] {false, false, false, true}) {
      emit(FrameType.TOTALS, 3, new Totals(stages, 1, 2, 3, 4, 5, last).encode());
    }
    assertThat(lines).hasSize(2);
    JsonNode totals = fedometer(1);
    assertThat(totals.get("last").asBoolean()).isTrue();
    assertThat(totals.get("samplesDropped").asInt()).isEqualTo(1);
    assertThat(totals.get("framesDropped").asInt()).isEqualTo(2);
    assertThat(totals.get("tracesDropped").asInt()).isEqualTo(3);
    assertThat(totals.get("stagesSkipped").asInt()).isEqualTo(4);
    assertThat(totals.get("threadsRefused").asInt()).isEqualTo(5);
    assertThat(totals.get("stages").toString())
        .isEqualTo("[{\"count\":4,\"durationNanos\":99,\"failed\":1,\"stage\":\"ingest\"}]");
  }

  @Test
  void emitsTheAgentLogLineByLine() throws Exception {
    byte[] text = "2026 one\n2026 two\n".getBytes(StandardCharsets.UTF_8);
    emit(FrameType.DOCUMENT, 1, new Document("logs/agent.log", text, true).encode());
    assertThat(lines).hasSize(2);
    assertThat(fields(1))
        .isEqualTo(
            Map.of(
                "event", "agent", "source", "src", "frame", 1, "index", 1, "message", "2026 two"));
  }

  @Test
  void helloHasTheSourceAndItsClock() throws Exception {
    UUID source = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
    events.hello(
        Hello.builder(source, "agent")
            .sourceName("fedora")
            .runName("night")
            .token("secret")
            .attributes(Map.of("pid", "42"))
            .nanos(5)
            .build(),
        "host");
    assertThat(lines.get(0)).doesNotContain("secret");
    assertThat(fields(0))
        .containsEntry("event", "hello")
        .containsEntry("schema", 1)
        .containsEntry("nanos", 5)
        .containsEntry("epochNanos", EPOCH_NANOS + 5)
        .containsEntry("kind", "agent")
        .containsEntry("name", "fedora")
        .containsEntry("host", "host")
        .containsEntry("runName", "night")
        .containsEntry("pid", "42")
        .doesNotContainKey("run");
  }

  private void names() throws Exception {
    emit(FrameType.STAGES, 1, new Dictionary().put(1, "ingest").encode());
    emit(FrameType.THREADS, 2, new Dictionary().put(2, "http-1").encode());
  }

  private void emit(FrameType type, long sequence, byte[] payload) throws Exception {
    events.frame(new Frame(type.code(), sequence, payload));
  }

  private JsonNode fedometer(int line) throws Exception {
    return JSON.readTree(lines.get(line)).get("fedometer");
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> fields(int line) throws Exception {
    return JSON.convertValue(fedometer(line), Map.class);
  }
}
