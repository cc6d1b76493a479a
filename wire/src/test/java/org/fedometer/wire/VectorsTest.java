package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.ClockReply;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Environment;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Marker;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Totals;
import org.fedometer.wire.session.Welcome;
import org.junit.jupiter.api.Test;

/**
 * The frames of {@code vectors.txt}, which clients in other languages can test against, are what
 * this code sends. That their values are those written beside them is for {@link PythonClientTest}.
 */
class VectorsTest {
  static final Path FILE = Path.of("src/test/resources/vectors.txt");

  @Test
  void everyVectorIsWhatThisCodeSends() throws Exception {
    assertThat(
            Files.readAllLines(FILE).stream()
                .filter(line -> !line.startsWith("#") && !line.startsWith("values "))
                .collect(Collectors.joining("\n"))
                .strip())
        .isEqualTo(
            frames().entrySet().stream()
                .map(named -> block(named.getKey(), named.getValue()))
                .collect(Collectors.joining("\n\n")));
  }

  @Test
  void everyVectorIsReadBack() throws Exception {
    for (Frame sent : frames().values()) {
      Frame read = Frame.parse(ByteBuffer.wrap(sent.toBytes()));
      assertThat(read.type()).isEqualTo(sent.type());
      assertThat(read.sequence()).isEqualTo(sent.sequence());
      assertThat(Reencoding.of(read.type(), read.payload())).isEqualTo(sent.payload());
    }
  }

  @Test
  void everyTypeHasAVector() {
    assertThat(frames().keySet())
        .containsExactlyElementsOf(
            Arrays.stream(FrameType.values())
                .map(type -> type.name().toLowerCase(Locale.ROOT))
                .toList());
  }

  private static String block(String name, Frame frame) {
    return "frame "
        + name
        + "\ntype "
        + frame.typeCode()
        + "\nsequence "
        + frame.sequence()
        + "\nbytes "
        + HexFormat.of().formatHex(frame.toBytes());
  }

  /** One of each type, by name. */
  static Map<String, Frame> frames() {
    Map<String, Frame> frames = new LinkedHashMap<>();
    put(
        frames,
        FrameType.HELLO,
        Hello.builder(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), "agent")
            .sourceName("fedora")
            .runId("01ARZ3NDEKTSV4RRFFQ69G5FAV")
            .runName("night")
            .attributes(Map.of("bootId", "b1"))
            .nanos(1_234_567_890_123L)
            .build()
            .encode());
    put(
        frames,
        FrameType.WELCOME,
        new Welcome(1, 300, "/store", "host", "night", "01ARZ3NDEKTSV4RRFFQ69G5FAV").encode());
    put(frames, FrameType.REJECTED, new Rejected(true, "the collector is stopping").encode());
    put(frames, FrameType.ACKNOWLEDGEMENT, new Acknowledgement(301, "").encode());
    put(frames, FrameType.CLOCK_REQUEST, new ClockRequest(1_000_000_000L).encode());
    put(
        frames,
        FrameType.CLOCK_REPLY,
        new ClockReply(1_000_000_000L, -5_000_000L, -4_999_000L, "b2").encode());
    put(frames, FrameType.QUERY, new QueryRequest(7, "{\"request\":\"runs\"}").encode());
    put(
        frames,
        FrameType.QUERY_RESULT,
        new QueryResult(7, QueryResult.State.LAST, "[]\n".getBytes(StandardCharsets.UTF_8))
            .encode());
    put(
        frames,
        FrameType.AGENT_REPORT,
        new AgentReport(
                "00ff",
                AgentReport.State.DONE,
                "woven",
                Map.of(AgentReport.STATE, "recording"),
                List.of(new AgentReport.Stage("ingest", AgentReport.Weaving.WOVEN, "a.B.c")),
                List.of(new AgentReport.Stage("log", AgentReport.Weaving.FAILED, "no")))
            .encode());
    put(frames, FrameType.STAGES, new Dictionary().put(0, "ingest").put(1, "ingest.pid").encode());
    put(frames, FrameType.THREADS, new Dictionary().put(5, "http-5").encode());
    SampleEncoder samples = new SampleEncoder();
    samples.add(1, 5, 7, 1_000_000, 2_000, 2_000, false);
    samples.add(0, 5, 7, 999_000, 10_000, 8_000, false);
    samples.add(0, 5, 8, 1_100_000, 9_000, 8_500, true);
    samples.add(1, 5, 8, 1_101_000, 2_000, 2_000, false);
    put(frames, FrameType.SAMPLES, samples.finish());
    TraceEncoder traces = new TraceEncoder();
    traces.add(7, 0, "demo:7", "", "ingest", false);
    put(frames, FrameType.TRACES, traces.finish());
    put(
        frames,
        FrameType.TOTALS,
        new Totals(List.of(new Totals.StageTotal(0, 2, 1, 19_000)), 3, 0, 1, 200, 4, true)
            .encode());
    RequestEncoder requests = new RequestEncoder();
    requests.add(7, "demo:7", "", 0, 1, 990_000, 30_000, 204, 0, "", "purge", 990_000);
    requests.add(8, "demo:8", "", 1, 1, 995_000, 9_000, 201, 20_480, "", "ingest", 975_000);
    requests.add(9, "demo:9", "", 0, 1, 1_020_000, 8_000, 404, 0, "gone", "purge", 1_020_000);
    put(frames, FrameType.REQUESTS, requests.finish());
    put(
        frames,
        FrameType.DOCUMENT,
        new Document("logs/a.log", "hi\n".getBytes(StandardCharsets.UTF_8), true).encode());
    put(frames, FrameType.CLOSE_RUN, new CloseRun("").encode());
    put(
        frames,
        FrameType.ENVIRONMENT,
        new Environment().put("host.cpus", "8").put("os.name", "Linux").encode());
    put(frames, FrameType.MARKER, new Marker("warm", 1_100_000L).encode());
    put(
        frames,
        FrameType.CLOCK,
        new ClockEstimate(1_000_300_000L, -1_005_124_500L, 124_500L, "b2").encode());
    LogEncoder logs = new LogEncoder();
    logs.add(1_000_000, LogLevel.INFO, Long.MIN_VALUE, "org.fcrepo.A", "http-5", "ready", "");
    logs.add(
        999_000,
        LogLevel.FATAL,
        0,
        "org.fcrepo.A",
        "main",
        "na\u00efve",
        "java.lang.Error\n\tat A",
        "{\"user\":\"n\u00e4\"}");
    put(frames, FrameType.LOGS, logs.finish());
    put(
        frames,
        FrameType.METRICS,
        new MetricDictionary().put(0, "jvm.heap.used", "bytes").put(1, "host.load", "").encode());
    TelemetryEncoder telemetry = new TelemetryEncoder();
    telemetry.add(1_000_000, 0, 134_217_728);
    telemetry.add(1_000_000, 1, 0.5);
    telemetry.add(2_000_000, 1, -2.25);
    put(frames, FrameType.TELEMETRY, telemetry.finish());
    GcEncoder collections = new GcEncoder();
    collections.add("G1 Young", "end of minor GC", "Pause", 5_000_000, 7_000, 900_000, 300_000);
    collections.add("G1 Old", "end of major GC", "", 4_000_000, 90_000, 300_000, 200_000);
    put(frames, FrameType.GC, collections.finish());
    return frames;
  }

  private static void put(Map<String, Frame> frames, FrameType type, byte[] payload) {
    long durable = frames.values().stream().filter(frame -> frame.type().durable()).count();
    frames.put(
        type.name().toLowerCase(Locale.ROOT),
        new Frame(type.code(), type.durable() ? durable + 1 : 0, payload));
  }
}
