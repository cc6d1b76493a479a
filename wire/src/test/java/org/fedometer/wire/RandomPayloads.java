package org.fedometer.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
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

/** Valid payloads of every type, with numbers of any size and texts that are not only ASCII. */
final class RandomPayloads {
  private static final String[] CHARACTERS = {
    "a", "Z", "0", " ", ":", "\u00e4", "\u20ac", "\ud83d\ude00"
  };

  private final Random random;

  RandomPayloads(Random random) {
    this.random = random;
  }

  byte[] of(FrameType type) {
    return switch (type) {
      case HELLO ->
          Hello.builder(new UUID(random.nextLong(), random.nextLong()), text())
              .protocolVersions(1, random.nextInt(256))
              .firstAvailableSequence(1 + random.nextInt(1_000))
              .sourceName(text())
              .runId(text())
              .runName(text())
              .token(text())
              .attributes(texts())
              .nanos(number())
              .build()
              .encode();
      case WELCOME -> new Welcome(1, number(), text(), text(), text(), text()).encode();
      case REJECTED -> new Rejected(random.nextBoolean(), text()).encode();
      case ACKNOWLEDGEMENT -> new Acknowledgement(number(), text()).encode();
      case CLOCK_REQUEST -> new ClockRequest(number()).encode();
      case CLOCK_REPLY -> new ClockReply(number(), number(), number(), text()).encode();
      case QUERY -> new QueryRequest(random.nextInt(), text()).encode();
      case QUERY_RESULT ->
          new QueryResult(random.nextInt(), QueryResult.State.values()[random.nextInt(3)], bytes())
              .encode();
      case AGENT_REPORT ->
          new AgentReport(
                  "nonce",
                  AgentReport.State.values()[random.nextInt(4)],
                  text(),
                  Map.of("state", text()),
                  List.of(
                      new AgentReport.Stage(
                          text(), AgentReport.Weaving.values()[random.nextInt(4)], text())),
                  List.of(
                      new AgentReport.Stage(
                          text(), AgentReport.Weaving.values()[random.nextInt(4)], text())))
              .encode();
      case STAGES, THREADS -> {
        Dictionary dictionary = new Dictionary();
        times(() -> dictionary.put(small(), text()));
        yield dictionary.encode();
      }
      case SAMPLES -> {
        SampleEncoder samples = new SampleEncoder();
        times(
            () ->
                samples.add(
                    small() >>> 1,
                    random.nextInt(3),
                    random.nextInt(3),
                    number(),
                    number(),
                    number(),
                    random.nextBoolean()));
        yield samples.finish();
      }
      case TRACES -> {
        TraceEncoder traces = new TraceEncoder();
        times(() -> traces.add(number(), small(), text(), text(), text(), random.nextBoolean()));
        yield traces.finish();
      }
      case TOTALS -> {
        List<Totals.StageTotal> stages = new ArrayList<>();
        times(() -> stages.add(new Totals.StageTotal(small(), number(), number(), number())));
        yield new Totals(
                stages, number(), number(), number(), number(), number(), random.nextBoolean())
            .encode();
      }
      case REQUESTS -> {
        RequestEncoder requests = new RequestEncoder();
        times(
            () ->
                addRequest(
                    requests,
                    random.nextBoolean() ? "ingest" : "an " + text(),
                    random.nextBoolean() ? 0 : number()));
        yield requests.finish();
      }
      case DOCUMENT -> new Document("logs/a-b_c.9", bytes(), random.nextBoolean()).encode();
      case CLOSE_RUN -> new CloseRun(text()).encode();
      case ENVIRONMENT -> {
        Environment environment = new Environment();
        texts().forEach(environment::put);
        yield environment.encode();
      }
      case MARKER -> new Marker(text(), number()).encode();
      case CLOCK ->
          new ClockEstimate(number(), number(), number() & Long.MAX_VALUE, text()).encode();
      case LOGS -> {
        LogEncoder logs = new LogEncoder();
        times(() -> addLog(logs, random.nextBoolean() ? "" : text()));
        yield logs.finish();
      }
      case METRICS -> {
        MetricDictionary metrics = new MetricDictionary();
        times(() -> metrics.put(small(), text(), text()));
        yield metrics.encode();
      }
      case TELEMETRY -> {
        TelemetryEncoder telemetry = new TelemetryEncoder();
        times(
            () ->
                telemetry.add(
                    random.nextInt(3), small(), Double.longBitsToDouble(random.nextLong())));
        yield telemetry.finish();
      }
      case GC -> {
        GcEncoder collections = new GcEncoder();
        times(
            () -> collections.add(text(), text(), text(), number(), number(), number(), number()));
        yield collections.finish();
      }
    };
  }

  private void addLog(LogEncoder logs, String context) {
    logs.add(
        number(),
        LogLevel.values()[random.nextInt(6)],
        number(),
        text(),
        text(),
        text(),
        text(),
        context);
  }

  private void addRequest(RequestEncoder requests, String operation, long lateNanos) {
    long start = number();
    requests.add(
        number(),
        text(),
        text(),
        small(),
        small(),
        start,
        number(),
        small(),
        number(),
        text(),
        operation,
        start - lateNanos);
  }

  private void times(Runnable action) {
    for (int i = random.nextInt(12); i > 0; i--) {
      action.run();
    }
  }

  private int small() {
    return random.nextInt(Integer.MAX_VALUE) >>> random.nextInt(31);
  }

  private long number() {
    return random.nextLong() >> random.nextInt(64);
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(60)];
    random.nextBytes(bytes);
    return bytes;
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    times(() -> text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]));
    return text.toString();
  }

  private Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    times(() -> texts.put(text(), text()));
    return texts;
  }
}
