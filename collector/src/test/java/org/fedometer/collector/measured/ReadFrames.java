package org.fedometer.collector.measured;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.GcDecoder;
import org.fedometer.wire.record.LogDecoder;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.record.TraceDecoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;

/** Content of frames with the names that preceded them, each fact as one text. */
final class ReadFrames {
  private final Map<Integer, String> stages = new HashMap<>();
  private final Map<Integer, String> threads = new HashMap<>();
  private final Map<Integer, MetricDictionary.Metric> metrics = new HashMap<>();
  private final List<String> facts = new ArrayList<>();

  static List<String> of(List<Frame> frames) throws MalformedFrameException {
    ReadFrames read = new ReadFrames();
    for (Frame frame : frames) {
      read.read(frame);
    }
    return read.facts;
  }

  private void read(Frame frame) throws MalformedFrameException {
    ByteBuffer payload = ByteBuffer.wrap(frame.payload());
    switch (frame.type()) {
      case STAGES -> Dictionary.decode(payload).entries().forEach(this::nameStage);
      case THREADS -> threads.putAll(Dictionary.decode(payload).entries());
      case METRICS -> metrics.putAll(MetricDictionary.decode(payload).entries());
      case SAMPLES ->
          SampleDecoder.decode(
              payload,
              (stage, thread, trace, startNanos, durationNanos, selfNanos, failed) ->
                  add(
                      "sample",
                      "stage",
                      stages.get(stage),
                      "thread",
                      threads.get(thread),
                      "threadId",
                      thread,
                      "trace",
                      trace,
                      "startNanos",
                      startNanos,
                      "durationNanos",
                      durationNanos,
                      "selfNanos",
                      selfNanos,
                      "failed",
                      failed));
      case TRACES ->
          TraceDecoder.decode(
              payload,
              (trace, rootStage, pid, traceparent, operation, failed) ->
                  add(
                      "trace",
                      "trace",
                      trace,
                      "rootStage",
                      stages.get(rootStage),
                      "pid",
                      pid,
                      "traceparent",
                      traceparent,
                      "operation",
                      operation,
                      "failed",
                      failed));
      case LOGS ->
          LogDecoder.decode(
              payload,
              row ->
                  add(
                      "log",
                      "atNanos",
                      row.atNanos,
                      "level",
                      row.level.name().toLowerCase(Locale.ROOT),
                      "trace",
                      row.traceId,
                      "logger",
                      row.logger,
                      "thread",
                      row.thread,
                      "message",
                      row.message,
                      "exception",
                      row.thrown));
      case TELEMETRY ->
          TelemetryDecoder.decode(
              payload,
              (atNanos, metric, value) ->
                  add(
                      "telemetry",
                      "atNanos",
                      atNanos,
                      "metric",
                      metrics.get(metric).name(),
                      "unit",
                      metrics.get(metric).unit(),
                      "value",
                      value));
      case GC ->
          GcDecoder.decode(
              payload,
              row ->
                  add(
                      "gc",
                      "collector",
                      row.collector,
                      "action",
                      row.action,
                      "cause",
                      row.cause,
                      "startNanos",
                      row.startNanos,
                      "durationNanos",
                      row.durationNanos,
                      "heapBeforeBytes",
                      row.heapBeforeBytes,
                      "heapAfterBytes",
                      row.heapAfterBytes));
      case TOTALS -> totals(Totals.decode(payload));
      case DOCUMENT -> document(Document.decode(payload));
      default -> throw new MalformedFrameException("Not one of a source's: " + frame.type());
    }
  }

  private void nameStage(int id, String name) {
    String other = stages.put(id, name);
    if (other != null && !other.equals(name)) {
      facts.add("stage " + id + " is " + other + " and " + name);
    }
  }

  private void totals(Totals totals) {
    List<Map<String, Object>> sums = new ArrayList<>();
    for (Totals.StageTotal total : totals.stages()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("stage", stages.get(total.stageId()));
      fields.put("count", total.count());
      fields.put("failed", total.failedCount());
      fields.put("durationNanos", total.sumDurationNanos());
      sums.add(fields);
    }
    add(
        "totals",
        "stages",
        sums,
        "samplesDropped",
        totals.samplesDropped(),
        "framesDropped",
        totals.framesDropped(),
        "tracesDropped",
        totals.tracesDropped(),
        "stagesSkipped",
        totals.stagesSkipped(),
        "threadsRefused",
        totals.threadsRefused(),
        "last",
        totals.last());
  }

  private void document(Document document) {
    if (!document.append() || !document.path().equals("logs/agent.log")) {
      facts.add("document " + document.path());
    }
    String text = new String(document.content(), StandardCharsets.UTF_8);
    for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
      add("agent", "message", line);
    }
  }

  private void add(String kind, Object... namesAndValues) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    facts.add(EventFrame.fact(kind, fields));
  }
}
