package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fedometer.wire.record.GcDecoder;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.LogDecoder;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.RequestDecoder;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.record.TraceDecoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.Acknowledgement;
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

class PayloadCodecsTest {
  private record Trace(
      long traceId,
      int rootStageId,
      String pid,
      String traceparent,
      String operation,
      boolean failed) {
    void addTo(TraceEncoder encoder) {
      encoder.add(traceId, rootStageId, pid, traceparent, operation, failed);
    }
  }

  private record Request(
      long objectIndex,
      String pid,
      String traceparent,
      int worker,
      int attempt,
      long startNanos,
      long durationNanos,
      int status,
      long contentBytes,
      String message,
      String operation,
      long intendedStartNanos) {
    void addTo(RequestEncoder encoder) {
      encoder.add(
          objectIndex,
          pid,
          traceparent,
          worker,
          attempt,
          startNanos,
          durationNanos,
          status,
          contentBytes,
          message,
          operation,
          intendedStartNanos);
    }
  }

  private record Log(
      long at,
      LogLevel level,
      long trace,
      String logger,
      String thread,
      String message,
      String thrown,
      String context) {
    void addTo(LogEncoder encoder) {
      encoder.add(at, level, trace, logger, thread, message, thrown, context);
    }
  }

  private record Value(long at, int metric, long bits) {}

  private record Collected(
      String name,
      String action,
      String cause,
      long start,
      long duration,
      long before,
      long after) {}

  private interface Decoder {
    void decode(byte[] payload) throws MalformedFrameException;
  }

  private static final List<Decoder> ALL_DECODERS =
      List.of(
          payload -> SampleDecoder.decode(payload, (a, b, c, d, e, f, g) -> {}),
          payload -> TraceDecoder.decode(ByteBuffer.wrap(payload), (a, b, c, d, e, f) -> {}),
          payload -> RequestDecoder.decode(ByteBuffer.wrap(payload), row -> {}),
          payload -> Totals.decode(ByteBuffer.wrap(payload)),
          payload -> Dictionary.decode(ByteBuffer.wrap(payload)),
          payload -> Document.decode(ByteBuffer.wrap(payload)),
          payload -> CloseRun.decode(ByteBuffer.wrap(payload)),
          payload -> Hello.decode(ByteBuffer.wrap(payload)),
          payload -> Welcome.decode(ByteBuffer.wrap(payload)),
          payload -> Rejected.decode(ByteBuffer.wrap(payload)),
          payload -> Acknowledgement.decode(ByteBuffer.wrap(payload)),
          payload -> LogDecoder.decode(ByteBuffer.wrap(payload), row -> {}));

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void tracesComeBack(@ForAll("traces") List<Trace> traces) throws Exception {
    TraceEncoder encoder = new TraceEncoder();
    traces.forEach(t -> t.addTo(encoder));
    assertThat(encoder.count()).isEqualTo(traces.size());
    int size = encoder.sizeBytes();

    byte[] payload = encoder.finish();

    List<Trace> decoded = new ArrayList<>();
    TraceDecoder.decode(
        ByteBuffer.wrap(payload),
        (id, stage, pid, parent, operation, bad) ->
            decoded.add(new Trace(id, stage, pid, parent, operation, bad)));
    assertThat(decoded).isEqualTo(traces);
    assertThat(payload).hasSize(size);
    assertThat(encoder.finish()).isEmpty();
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void requestsComeBack(@ForAll("requests") List<Request> requests) throws Exception {
    RequestEncoder encoder = new RequestEncoder();
    requests.forEach(r -> r.addTo(encoder));
    assertThat(encoder.count()).isEqualTo(requests.size());
    int size = encoder.sizeBytes();

    byte[] payload = encoder.finish();

    assertThat(decoded(payload)).isEqualTo(requests);
    assertThat(payload).hasSize(size);
    assertThat(encoder.finish()).isEmpty();
  }

  @Example
  void unknownOperationKeepsItsNameAndNeedsOneByteLater() throws Exception {
    byte[] two = framed("defragment", "defragment");
    byte[] three = framed("defragment", "defragment", "defragment");
    byte[] plain = framed("ingest");

    assertThat(decoded(three))
        .extracting(Request::operation)
        .containsExactly("defragment", "defragment", "defragment");
    assertThat(three.length - two.length).isEqualTo(plain.length - "xingest".length());
  }

  @Example
  void lateAndEarlyRequestsKeepTheirIntendedStart() throws Exception {
    RequestEncoder encoder = new RequestEncoder();
    encoder.add(1, "", "", 0, 1, 5_000, 1, 200, 0, "", "risearch", 4_000);
    encoder.add(1, "", "", 0, 1, 6_000, 1, 200, 0, "", "risearch", 6_000);
    encoder.add(1, "", "", 0, 1, 7_000, 1, 200, 0, "", "ingest", 7_001);

    assertThat(decoded(encoder.finish()))
        .extracting(Request::intendedStartNanos)
        .containsExactly(4_000L, 6_000L, 7_001L);
  }

  @Example
  void anOperationHasANameThatIsCutAtACharactersBorder() throws Exception {
    RequestEncoder encoder = new RequestEncoder();
    assertThatThrownBy(() -> encoder.add(1, "", "", 0, 1, 5, 1, 200, 0, "", "", 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name");

    assertThat(decoded(framed("a" + "\u00e4".repeat(40))))
        .extracting(Request::operation)
        .containsExactly("a" + "\u00e4".repeat(31));
  }

  private static byte[] framed(String... operations) {
    RequestEncoder encoder = new RequestEncoder();
    for (String operation : operations) {
      encoder.add(0, "a:1", "", 0, 1, 0, 6, 200, 7, "", operation, 0);
    }
    return encoder.finish();
  }

  private static List<Request> decoded(byte[] payload) throws Exception {
    List<Request> decoded = new ArrayList<>();
    RequestDecoder.decode(
        ByteBuffer.wrap(payload),
        row ->
            decoded.add(
                new Request(
                    row.objectIndex,
                    row.pid,
                    row.traceparent,
                    row.worker,
                    row.attempt,
                    row.startNanos,
                    row.durationNanos,
                    row.status,
                    row.contentBytes,
                    row.message,
                    row.operation,
                    row.intendedStartNanos)));
    return decoded;
  }

  @Property(tries = 200)
  void dictionariesComeBack(@ForAll("names") Map<Integer, String> names) throws Exception {
    Dictionary dictionary = new Dictionary();
    names.forEach(dictionary::put);

    assertThat(Dictionary.decode(ByteBuffer.wrap(dictionary.encode())).entries()).isEqualTo(names);
  }

  @Property(tries = 200)
  void totalsComeBack(
      @ForAll List<Long> numbers,
      @ForAll long samplesDropped,
      @ForAll long framesDropped,
      @ForAll long tracesDropped,
      @ForAll long stagesSkipped,
      @ForAll long threadsRefused,
      @ForAll boolean last)
      throws Exception {
    List<Totals.StageTotal> stages = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      long number = numbers.get(i);
      stages.add(new Totals.StageTotal(i, number, number / 3, ~number));
    }

    Totals totals =
        Totals.decode(
            ByteBuffer.wrap(
                new Totals(
                        stages,
                        samplesDropped,
                        framesDropped,
                        tracesDropped,
                        stagesSkipped,
                        threadsRefused,
                        last)
                    .encode()));

    assertThat(totals.stages().stream().map(PayloadCodecsTest::numbersOf).toList())
        .isEqualTo(stages.stream().map(PayloadCodecsTest::numbersOf).toList());
    assertThat(totals.samplesDropped()).isEqualTo(samplesDropped);
    assertThat(totals.framesDropped()).isEqualTo(framesDropped);
    assertThat(totals.tracesDropped()).isEqualTo(tracesDropped);
    assertThat(totals.stagesSkipped()).isEqualTo(stagesSkipped);
    assertThat(totals.threadsRefused()).isEqualTo(threadsRefused);
    assertThat(totals.last()).isEqualTo(last);
  }

  @Property(tries = 200)
  void hellosComeBackAndIgnoreWhatLaterVersionsAppend(
      @ForAll("texts") String kind,
      @ForAll("texts") String name,
      @ForAll("texts") String token,
      @ForAll long most,
      @ForAll long least,
      @ForAll long nanos,
      @ForAll("names") Map<Integer, String> attributes)
      throws Exception {
    Map<String, String> few = new LinkedHashMap<>();
    attributes.entrySet().stream()
        .limit(32)
        .forEach(entry -> few.put("k" + entry.getKey(), entry.getValue()));
    Hello hello =
        Hello.builder(new UUID(most, least), kind)
            .protocolVersions(1, 3)
            .firstAvailableSequence(42)
            .sourceName(name)
            .runId("id")
            .runName("run")
            .token(token)
            .attributes(few)
            .nanos(nanos)
            .build();
    byte[] payload = hello.encode();

    Hello decoded = Hello.decode(ByteBuffer.wrap(Arrays.copyOf(payload, payload.length + 9)));

    assertThat(decoded.encode()).isEqualTo(payload);
    assertThat(decoded.source()).isEqualTo(hello.source());
    assertThat(decoded.sourceName()).isEqualTo(name);
    assertThat(decoded.token()).isEqualTo(token);
    assertThat(decoded.attributes()).isEqualTo(few);
    assertThat(decoded.nanos()).isEqualTo(nanos);
  }

  @Property(tries = 100)
  void decodesTheCollectorsResponses(
      @ForAll("texts") String text, @ForAll long sequence, @ForAll boolean passing)
      throws Exception {
    Welcome welcome = new Welcome(1, sequence, "/store " + text, "host", "run", "id");
    assertThat(Welcome.decode(ByteBuffer.wrap(welcome.encode())))
        .usingRecursiveComparison()
        .isEqualTo(welcome);
    Rejected refused = new Rejected(passing, text);
    assertThat(Rejected.decode(ByteBuffer.wrap(refused.encode())))
        .usingRecursiveComparison()
        .isEqualTo(refused);
    Acknowledgement acknowledgement = new Acknowledgement(sequence, text);
    assertThat(Acknowledgement.decode(ByteBuffer.wrap(acknowledgement.encode())))
        .usingRecursiveComparison()
        .isEqualTo(acknowledgement);
  }

  @Property(tries = 100)
  void documentsComeBack(@ForAll byte[] content, @ForAll boolean append) throws Exception {
    Document document = new Document("config/server/fedora.fcfg", content, append);

    assertThat(Document.decode(ByteBuffer.wrap(document.encode())))
        .usingRecursiveComparison()
        .isEqualTo(document);
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void logsComeBack(@ForAll("logs") List<Log> logs) throws Exception {
    LogEncoder encoder = new LogEncoder();
    logs.forEach(l -> l.addTo(encoder));
    assertThat(encoder.count()).isEqualTo(logs.size());
    int size = encoder.sizeBytes();

    byte[] payload = encoder.finish();

    List<Log> decoded = new ArrayList<>();
    LogDecoder.decode(
        ByteBuffer.wrap(payload),
        row ->
            decoded.add(
                new Log(
                    row.atNanos,
                    row.level,
                    row.traceId,
                    row.logger,
                    row.thread,
                    row.message,
                    row.thrown,
                    row.context)));
    assertThat(decoded).isEqualTo(logs);
    assertThat(LogDecoder.count(ByteBuffer.wrap(payload))).isEqualTo(logs.size());
    assertThat(payload).hasSizeBetween(size - 4, size);
    assertThat(encoder.finish()).containsExactly(0);
  }

  /** As where memory ends in the middle. */
  @Example
  void whatFailsHalfWayLeavesTheFrameAsItWas() {
    LogEncoder logs = new LogEncoder();
    logs.add(1, LogLevel.WARN, 0, "", "", "kept", "");
    assertThatThrownBy(() -> logs.add(2, LogLevel.WARN, 0, "", "", "half", null, "{}"))
        .isInstanceOf(NullPointerException.class);
    logs.add(3, LogLevel.WARN, 0, "", "", "kept", "");
    LogEncoder logsAlone = new LogEncoder();
    logsAlone.add(1, LogLevel.WARN, 0, "", "", "kept", "");
    logsAlone.add(3, LogLevel.WARN, 0, "", "", "kept", "");
    assertThat(logs.count()).isEqualTo(2);
    assertThat(logs.finish()).isEqualTo(logsAlone.finish());

    RequestEncoder requests = new RequestEncoder();
    requests.add(1, "kept", "", 0, 1, 5, 6, 200, 7, "", "ingest", 5);
    assertThatThrownBy(() -> requests.add(2, "half", "", 0, 1, 6, 6, 200, 7, null, "purge", 5))
        .isInstanceOf(NullPointerException.class);
    requests.add(3, "kept", "", 0, 1, 7, 6, 200, 7, "", "purge", 7);
    RequestEncoder requestsAlone = new RequestEncoder();
    requestsAlone.add(1, "kept", "", 0, 1, 5, 6, 200, 7, "", "ingest", 5);
    requestsAlone.add(3, "kept", "", 0, 1, 7, 6, 200, 7, "", "purge", 7);
    assertThat(requests.count()).isEqualTo(2);
    assertThat(requests.finish()).isEqualTo(requestsAlone.finish());

    GcEncoder collections = new GcEncoder();
    collections.add("G1", "minor", "kept", 1, 2, 3, 4);
    assertThatThrownBy(() -> collections.add("G1", "minor", null, 2, 2, 3, 4))
        .isInstanceOf(NullPointerException.class);
    collections.add("G1", "minor", "kept", 3, 2, 3, 4);
    GcEncoder collectionsAlone = new GcEncoder();
    collectionsAlone.add("G1", "minor", "kept", 1, 2, 3, 4);
    collectionsAlone.add("G1", "minor", "kept", 3, 2, 3, 4);
    assertThat(collections.count()).isEqualTo(2);
    assertThat(collections.finish()).isEqualTo(collectionsAlone.finish());
  }

  @Example
  void aContextThatIsTooLongIsRefusedAndLeavesTheFrameAsItWas() {
    LogEncoder logs = new LogEncoder();
    logs.add(1, LogLevel.WARN, 0, "", "", "kept", "");
    String tooLong = "x".repeat(LogEncoder.MAX_CONTEXT_BYTES + 1);
    assertThatThrownBy(() -> logs.add(1, LogLevel.WARN, 0, "", "", "", "", tooLong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("context");
    LogEncoder alone = new LogEncoder();
    alone.add(1, LogLevel.WARN, 0, "", "", "kept", "");
    assertThat(logs.finish()).isEqualTo(alone.finish());
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void telemetryComesBackAndNamesATimeOnce(@ForAll("values") List<Value> values) throws Exception {
    TelemetryEncoder encoder = new TelemetryEncoder();
    values.forEach(v -> encoder.add(v.at, v.metric, Double.longBitsToDouble(v.bits)));
    assertThat(encoder.count()).isEqualTo(values.size());
    int bound = encoder.sizeBytes();

    byte[] payload = encoder.finish();

    List<Value> decoded = new ArrayList<>();
    TelemetryDecoder.decode(
        ByteBuffer.wrap(payload),
        (at, metric, value) ->
            decoded.add(new Value(at, metric, Double.doubleToRawLongBits(value))));
    assertThat(decoded).isEqualTo(values);
    assertThat(payload).hasSizeLessThanOrEqualTo(bound);
    assertThat(encoder.finish()).isEmpty();
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void garbageCollectionsComeBack(@ForAll("collections") List<Collected> collections)
      throws Exception {
    GcEncoder encoder = new GcEncoder();
    collections.forEach(
        c -> encoder.add(c.name, c.action, c.cause, c.start, c.duration, c.before, c.after));
    assertThat(encoder.count()).isEqualTo(collections.size());
    int size = encoder.sizeBytes();

    byte[] payload = encoder.finish();

    List<Collected> decoded = new ArrayList<>();
    GcDecoder.decode(
        ByteBuffer.wrap(payload),
        row ->
            decoded.add(
                new Collected(
                    row.collector,
                    row.action,
                    row.cause,
                    row.startNanos,
                    row.durationNanos,
                    row.heapBeforeBytes,
                    row.heapAfterBytes)));
    assertThat(decoded).isEqualTo(collections);
    assertThat(payload).hasSize(size);
    assertThat(encoder.finish()).isEmpty();
  }

  @Property(tries = 100)
  void decodesEnvironmentsMarkersAndMetrics(
      @ForAll("names") Map<Integer, String> names, @ForAll("texts") String text, @ForAll long at)
      throws Exception {
    Environment environment = new Environment();
    MetricDictionary metrics = new MetricDictionary();
    names.forEach((number, name) -> environment.put("n" + number, name));
    names.forEach((number, name) -> metrics.put(number, name, text));
    assertThat(Environment.decode(ByteBuffer.wrap(environment.encode())).entries())
        .isEqualTo(environment.entries());
    assertThat(MetricDictionary.decode(ByteBuffer.wrap(metrics.encode())))
        .usingRecursiveComparison()
        .isEqualTo(metrics);
    Marker barrier = new Marker(text, at);
    assertThat(Marker.decode(ByteBuffer.wrap(barrier.encode())))
        .usingRecursiveComparison()
        .isEqualTo(barrier);
  }

  @Property(tries = 100)
  void clocksComeBack(@ForAll long one, @ForAll long two, @ForAll("texts") String bootId)
      throws Exception {
    ClockRequest request = new ClockRequest(one);
    assertThat(ClockRequest.decode(ByteBuffer.wrap(request.encode())).sentNanos()).isEqualTo(one);
    ClockReply reply = new ClockReply(one, two, two + 1, bootId);
    assertThat(ClockReply.decode(ByteBuffer.wrap(reply.encode())))
        .usingRecursiveComparison()
        .isEqualTo(reply);
    ClockEstimate estimate = new ClockEstimate(one, two, one & Long.MAX_VALUE, bootId);
    assertThat(ClockEstimate.decode(ByteBuffer.wrap(estimate.encode())))
        .usingRecursiveComparison()
        .isEqualTo(estimate);
    assertThatThrownBy(() -> new ClockEstimate(0, 0, -1, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 ns");
  }

  @Property(tries = 100)
  void decodesQueriesAndResults(
      @ForAll int id,
      @ForAll QueryResult.State state,
      @ForAll byte[] content,
      @ForAll("texts") String q)
      throws Exception {
    assertThat(QueryRequest.decode(ByteBuffer.wrap(new QueryRequest(id, q).encode())))
        .usingRecursiveComparison()
        .isEqualTo(new QueryRequest(id, q));
    assertThat(QueryResult.decode(ByteBuffer.wrap(new QueryResult(id, state, content).encode())))
        .usingRecursiveComparison()
        .isEqualTo(new QueryResult(id, state, content));
  }

  @Example
  void fullFramesRejectMoreAndFitTheWire() {
    String longText = "x".repeat(100_000);
    LogEncoder logs = new LogEncoder();
    String longContext = "x".repeat(LogEncoder.MAX_CONTEXT_BYTES);
    while (!logs.isFull()) {
      logs.add(
          Long.MAX_VALUE,
          LogLevel.WARN,
          Long.MIN_VALUE,
          longText,
          longText,
          longText,
          longText,
          longContext);
    }
    assertThatThrownBy(() -> logs.add(0, LogLevel.WARN, 0, "", "", "", ""))
        .isInstanceOf(IllegalStateException.class);
    assertThat(logs.finish()).hasSizeLessThanOrEqualTo(Frame.MAX_PAYLOAD_BYTES);
    GcEncoder collections = new GcEncoder();
    while (!collections.isFull()) {
      collections.add(longText, longText, longText, Long.MIN_VALUE, -1, -1, -1);
    }
    assertThatThrownBy(() -> collections.add("", "", "", 0, 0, 0, 0))
        .isInstanceOf(IllegalStateException.class);
    RequestEncoder requests = new RequestEncoder();
    while (!requests.isFull()) {
      String own = requests.count() + longText;
      requests.add(
          Long.MIN_VALUE,
          longText,
          longText,
          Integer.MAX_VALUE,
          1,
          -1,
          -1,
          0,
          -1,
          longText,
          own,
          Long.MAX_VALUE);
    }
    assertThatThrownBy(() -> requests.add(0, "", "", 0, 0, 0, 0, 0, 0, "", "purge", 0))
        .isInstanceOf(IllegalStateException.class);
    assertThat(requests.finish()).hasSizeLessThanOrEqualTo(Frame.MAX_PAYLOAD_BYTES);
    assertThat(collections.finish()).hasSizeLessThanOrEqualTo(Frame.MAX_PAYLOAD_BYTES);
    for (int times = 1; times <= 2; times++) {
      TelemetryEncoder telemetry = new TelemetryEncoder();
      while (!telemetry.isFull()) {
        telemetry.add(telemetry.count() % times * Long.MAX_VALUE, Integer.MAX_VALUE, Math.PI);
      }
      assertThatThrownBy(() -> telemetry.add(1, 1, 1)).isInstanceOf(IllegalStateException.class);
      assertThat(telemetry.finish()).hasSizeLessThanOrEqualTo(Frame.MAX_PAYLOAD_BYTES);
    }
  }

  @Example
  void aDocumentsPathStaysInsideTheRun() {
    for (String path :
        List.of(
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "a/",
            ".",
            "a/./b",
            "a\\b",
            "a b",
            "a\u0000b",
            "\u00e4",
            "1/2/3/4/5/6/7/8/9",
            "a/" + "x".repeat(256))) {
      assertThatThrownBy(() -> new Document(path, new byte[0], false))
          .as(path)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(path);
      PayloadWriter forged = new PayloadWriter();
      forged.flag(false);
      forged.string("path", path, 1024);
      forged.varint(0);
      assertThatThrownBy(() -> Document.decode(ByteBuffer.wrap(forged.toByteArray())))
          .as(path)
          .isInstanceOf(MalformedFrameException.class);
    }
    assertThat(new Document("a/.b/..c/d-e_f.9", new byte[0], true).path()).contains("..c");
  }

  @Example
  void overlongTextIsCutAtACharactersBorder() throws Exception {
    TraceEncoder encoder = new TraceEncoder();
    encoder.add(1, 0, "a" + "\u00e4".repeat(400), "", "", false);
    List<String> pids = new ArrayList<>();
    TraceDecoder.decode(
        ByteBuffer.wrap(encoder.finish()),
        (id, stage, pid, parent, operation, failed) -> pids.add(pid));

    assertThat(pids).containsExactly("a" + "\u00e4".repeat(255));
  }

  @Property(tries = 500)
  void arbitraryBytesAreAMalformedFrameAtWorst(@ForAll byte[] payload) {
    for (Decoder decoder : ALL_DECODERS) {
      decodeOrMalformed(decoder, payload);
    }
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void aFlippedBitIsAMalformedFrameAtWorst(
      @ForAll("traces") List<Trace> traces,
      @ForAll("requests") List<Request> requests,
      @ForAll Random random) {
    TraceEncoder traceEncoder = new TraceEncoder();
    traces.forEach(t -> t.addTo(traceEncoder));
    flip(traceEncoder.finish(), random, ALL_DECODERS.get(1));
    RequestEncoder requestEncoder = new RequestEncoder();
    requests.forEach(r -> r.addTo(requestEncoder));
    flip(requestEncoder.finish(), random, ALL_DECODERS.get(2));
    flip(new Document("a/b", new byte[50], true).encode(), random, ALL_DECODERS.get(5));
  }

  private static List<Long> numbersOf(Totals.StageTotal stage) {
    return List.of(
        (long) stage.stageId(), stage.count(), stage.failedCount(), stage.sumDurationNanos());
  }

  private static void flip(byte[] payload, Random random, Decoder decoder) {
    if (payload.length > 0) {
      payload[random.nextInt(payload.length)] ^= (byte) (1 << random.nextInt(8));
      decodeOrMalformed(decoder, payload);
    }
  }

  private static void decodeOrMalformed(Decoder decoder, byte[] payload) {
    try {
      decoder.decode(payload);
    } catch (MalformedFrameException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withCharRange('a', 'z')
        .withChars("\u00e4\u20ac:-/ ")
        .ofMaxLength(40);
  }

  @Provide
  Arbitrary<Map<Integer, String>> names() {
    return Arbitraries.maps(Arbitraries.integers().greaterOrEqual(0), texts()).ofMaxSize(40);
  }

  @Provide
  Arbitrary<List<Trace>> traces() {
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.integers().greaterOrEqual(0),
            texts(),
            texts(),
            texts(),
            Arbitraries.of(true, false))
        .as(Trace::new)
        .list()
        .ofMaxSize(30);
  }

  @Provide
  Arbitrary<List<Log>> logs() {
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.of(LogLevel.class),
            Arbitraries.longs(),
            texts(),
            texts(),
            texts(),
            texts(),
            Arbitraries.of("", "", "{}", "{\"user\":\"n\u00e4me\"}"))
        .as(Log::new)
        .list()
        .ofMaxSize(30);
  }

  @Provide
  Arbitrary<List<Value>> values() {
    return Combinators.combine(
            Arbitraries.oneOf(Arbitraries.longs().between(0, 2), Arbitraries.longs()),
            Arbitraries.integers().greaterOrEqual(0),
            Arbitraries.longs())
        .as(Value::new)
        .list()
        .ofMaxSize(40);
  }

  @Provide
  Arbitrary<List<Collected>> collections() {
    return Combinators.combine(
            texts(),
            texts(),
            texts(),
            Arbitraries.longs(),
            Arbitraries.longs(),
            Arbitraries.longs(),
            Arbitraries.longs())
        .as(Collected::new)
        .list()
        .ofMaxSize(30);
  }

  @Provide
  Arbitrary<List<Request>> requests() {
    return Combinators.combine(
            Arbitraries.longs(),
            texts(),
            Arbitraries.integers().greaterOrEqual(0),
            Arbitraries.longs(),
            Arbitraries.longs(),
            Arbitraries.integers().between(0, 599),
            texts(),
            intendedStart())
        .as(
            (index, pid, worker, start, duration, status, message, due) ->
                new Request(
                    index,
                    pid,
                    "00-" + pid,
                    worker,
                    worker / 2,
                    start,
                    duration,
                    status,
                    ~duration,
                    message,
                    due.operation,
                    start - due.delayNanos))
        .list()
        .ofMaxSize(30);
  }

  private record IntendedStart(String operation, long delayNanos) {}

  private static Arbitrary<IntendedStart> intendedStart() {
    return Combinators.combine(
            Arbitraries.oneOf(
                Arbitraries.of("ingest", "purge", "get-datastream"),
                Arbitraries.strings()
                    .withCharRange('a', 'z')
                    .withChars("-\u00e4")
                    .ofMinLength(1)
                    .ofMaxLength(30)),
            Arbitraries.oneOf(Arbitraries.just(0L), Arbitraries.longs()))
        .as(IntendedStart::new);
  }
}
