package org.fedometer.agent.core.log4j2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.logging.log4j.core.LogEvent;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.GcDecoder;
import org.fedometer.wire.record.GcRow;
import org.fedometer.wire.record.LogDecoder;
import org.fedometer.wire.record.LogRow;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.record.TraceDecoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;

/**
 * Converts one source's frames to events, as docs/developers/protocol.md describes them: one per
 * sample, trace, line, reading and collection. Sender's thread only.
 */
final class FrameEvents {

  /** Version of the fields; changes whenever readers would misinterpret them. */
  static final int SCHEMA = 1;

  /** Minimum interval of totals, since the newest include all earlier ones. */
  private static final long TOTALS_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String source;
  private final SourceNames names;
  private final EpochClock clock;
  private final Consumer<LogEvent> events;
  private long totalsNanos;
  private boolean totalsEmitted;

  // State of the current frame.
  private long frame;
  private int index;

  /**
   * @param source its UUID
   * @param names known from earlier connections; extended here
   */
  FrameEvents(String source, SourceNames names, EpochClock clock, Consumer<LogEvent> events) {
    this.source = source;
    this.names = names;
    this.clock = clock;
    this.events = events;
  }

  /** Emits the source's identity, the first event of each connection. */
  void hello(Hello hello, String host) {
    frame = 0;
    index = 0;
    EventFields fields =
        event("hello")
            .with("schema", SCHEMA)
            .with("nanos", hello.nanos())
            .with("epochNanos", clock.epochNanos(hello.nanos()))
            .with("kind", hello.sourceKind())
            .with("name", hello.sourceName())
            .with("host", host);
    putUnlessEmpty(fields, "run", hello.runId());
    putUnlessEmpty(fields, "runName", hello.runName());
    for (Map.Entry<String, String> attribute : hello.attributes().entrySet()) {
      putUnlessEmpty(fields, attribute.getKey(), attribute.getValue());
    }
    emit(fields, hello.nanos());
  }

  /**
   * @throws MalformedFrameException after all events before the malformed data were emitted
   */
  void frame(Frame current) throws MalformedFrameException {
    FrameType type = current.type();
    if (type == null) {
      return;
    }
    frame = current.sequence();
    index = 0;
    ByteBuffer payload = ByteBuffer.wrap(current.payload());
    switch (type) {
      case STAGES:
        names.nameStages(Dictionary.decode(payload).entries());
        break;
      case THREADS:
        names.nameThreads(Dictionary.decode(payload).entries());
        break;
      case METRICS:
        names.nameMetrics(MetricDictionary.decode(payload).entries());
        break;
      case SAMPLES:
        SampleDecoder.decode(payload, this::sample);
        break;
      case TRACES:
        TraceDecoder.decode(payload, this::trace);
        break;
      case LOGS:
        LogDecoder.decode(payload, this::log);
        break;
      case TELEMETRY:
        TelemetryDecoder.decode(payload, this::reading);
        break;
      case GC:
        GcDecoder.decode(payload, this::collection);
        break;
      case TOTALS:
        totals(Totals.decode(payload));
        break;
      case DOCUMENT:
        document(Document.decode(payload));
        break;
      default:
        // An agent sends no others.
        break;
    }
  }

  /**
   * Adds earlier names unless they are known.
   *
   * @param dictionary newer ones come before older ones
   */
  void recall(Frame dictionary) throws MalformedFrameException {
    FrameType type = dictionary.type();
    ByteBuffer payload = ByteBuffer.wrap(dictionary.payload());
    if (type == FrameType.STAGES) {
      names.recallStages(Dictionary.decode(payload).entries());
    } else if (type == FrameType.THREADS) {
      names.recallThreads(Dictionary.decode(payload).entries());
    } else if (type == FrameType.METRICS) {
      names.recallMetrics(MetricDictionary.decode(payload).entries());
    }
  }

  private void sample(
      int stage,
      int thread,
      long trace,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed) {
    EventFields fields =
        event("sample")
            .with("stage", names.stage(stage))
            .with("thread", names.thread(thread))
            .with("threadId", thread)
            .with("trace", trace)
            .with("startNanos", startNanos)
            .with("durationNanos", durationNanos)
            .with("selfNanos", selfNanos)
            .with("failed", failed);
    emit(fields, startNanos);
  }

  private void trace(
      long trace, int rootStage, String pid, String traceparent, String operation, boolean failed) {
    EventFields fields =
        event("trace")
            .with("trace", trace)
            .with("rootStage", names.stage(rootStage))
            .with("failed", failed);
    putUnlessEmpty(fields, "pid", pid);
    putUnlessEmpty(fields, "traceparent", traceparent);
    putUnlessEmpty(fields, "operation", operation);
    emitNow(fields);
  }

  private void log(LogRow line) {
    EventFields fields =
        event("log")
            .with("atNanos", line.atNanos)
            .with("level", line.level.name().toLowerCase(Locale.ROOT))
            .with("trace", line.traceId)
            .with("logger", line.logger)
            .with("thread", line.thread)
            .with("message", line.message);
    putUnlessEmpty(fields, "exception", line.thrown);
    emit(fields, line.atNanos);
  }

  private void reading(long atNanos, int metric, double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      // JSON has no such numbers.
      index++;
      return;
    }
    EventFields fields =
        event("telemetry")
            .with("atNanos", atNanos)
            .with("metric", names.metric(metric))
            .with("unit", names.unit(metric))
            .with("value", value);
    emit(fields, atNanos);
  }

  private void collection(GcRow collection) {
    EventFields fields =
        event("gc")
            .with("collector", collection.collector)
            .with("action", collection.action)
            .with("cause", collection.cause)
            .with("startNanos", collection.startNanos)
            .with("durationNanos", collection.durationNanos)
            .with("heapBeforeBytes", collection.heapBeforeBytes)
            .with("heapAfterBytes", collection.heapAfterBytes);
    emit(fields, collection.startNanos);
  }

  private void totals(Totals totals) {
    long now = System.nanoTime();
    if (totalsEmitted && !totals.last() && now - totalsNanos < TOTALS_INTERVAL_NANOS) {
      return;
    }
    totalsEmitted = true;
    totalsNanos = now;
    List<EventFields> stages = new ArrayList<>();
    for (Totals.StageTotal stage : totals.stages()) {
      stages.add(
          new EventFields()
              .with("stage", names.stage(stage.stageId()))
              .with("count", stage.count())
              .with("failed", stage.failedCount())
              .with("durationNanos", stage.sumDurationNanos()));
    }
    EventFields fields =
        event("totals")
            .with("last", totals.last())
            .with("samplesDropped", totals.samplesDropped())
            .with("framesDropped", totals.framesDropped())
            .with("tracesDropped", totals.tracesDropped())
            .with("stagesSkipped", totals.stagesSkipped())
            .with("threadsRefused", totals.threadsRefused())
            .with("stages", EventFields.data(stages));
    emitNow(fields);
  }

  /** Emits lines of the agent's own log, which begin with their time. */
  private void document(Document document) {
    String text = new String(document.content(), StandardCharsets.UTF_8);
    for (String line : text.split("\n")) {
      emitNow(event("agent").with("message", line));
    }
  }

  private EventFields event(String kind) {
    return new EventFields()
        .with("event", kind)
        .with("source", source)
        .with("frame", frame)
        .with("index", index);
  }

  private static void putUnlessEmpty(EventFields fields, String key, String value) {
    if (value != null && !value.isEmpty()) {
      fields.with(key, value);
    }
  }

  private void emit(EventFields fields, long atNanos) {
    events.accept(new MeasuredEvent(fields, clock.epochNanos(atNanos)));
    index++;
  }

  /** Emits data whose frame has no time, since the frame may be an old one of another process. */
  private void emitNow(EventFields fields) {
    events.accept(new MeasuredEvent(fields, EpochClock.nowNanos()));
    index++;
  }
}
