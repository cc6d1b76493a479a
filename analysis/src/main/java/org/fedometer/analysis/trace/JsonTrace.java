package org.fedometer.analysis.trace;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.trace.ObjectTrace.Attempt;
import org.fedometer.analysis.trace.ObjectTrace.LogLine;
import org.fedometer.analysis.trace.ObjectTrace.Request;
import org.fedometer.analysis.trace.ObjectTrace.Span;
import org.fedometer.analysis.trace.ObjectTrace.Trace;

/**
 * Writes an {@link ObjectTrace} as JSON, by the rules of {@code JsonReport}; {@code docs/report.md}
 * lists the fields.
 */
public final class JsonTrace {

  public static final int SCHEMA = 1;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JsonTrace() {}

  /** Returns the trace as one indented JSON object. */
  public static String of(ObjectTrace trace) {
    ObjectNode root = NODES.objectNode();
    root.put("schema", SCHEMA);
    root.put("run", trace.run());
    root.put("pid", trace.pid());
    ArrayNode attempts = root.putArray("attempts");
    trace.attempts().forEach(attempt -> attempts.add(attempt(attempt)));
    root.putPOJO("notShown", trace.notShown());
    return root.toPrettyString();
  }

  private static ObjectNode attempt(Attempt attempt) {
    ObjectNode node = NODES.objectNode();
    node.set("request", request(attempt.request()));
    node.set("trace", trace(attempt.trace()));
    node.put(
        "clock", attempt.clock().placement().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    node.put("clockUncertaintyMicros", micros(attempt.clock().uncertaintyNanos()));
    node.put("beyondFedoraMicros", micros(attempt.beyondFedoraNanos()));
    node.set("stages", spans(attempt.stages()));
    node.set("otherThreads", spans(attempt.otherThreads()));
    node.set("later", spans(attempt.later()));
    node.set("logs", logs(attempt.logs()));
    node.put("samplesLeftOut", attempt.samplesLeftOut());
    node.put("logsLeftOut", attempt.logsLeftOut());
    return node;
  }

  private static ObjectNode request(Request request) {
    if (request == null) {
      return null;
    }
    ObjectNode node = NODES.objectNode();
    node.put("source", request.source());
    node.put("operation", request.operation());
    node.put("attempt", request.number());
    node.put("worker", request.worker());
    node.put(
        "started",
        request.startEpochNanos() == null
            ? null
            : Instant.ofEpochSecond(0, request.startEpochNanos()).toString());
    node.put("lateMicros", micros(request.lateNanos()));
    node.put("totalMicros", micros(request.durationNanos()));
    node.put("status", request.status());
    node.put("contentBytes", request.contentBytes());
    node.put("traceparent", request.traceparent());
    node.put("message", request.message());
    return node;
  }

  private static ObjectNode trace(Trace trace) {
    if (trace == null) {
      return null;
    }
    ObjectNode node = NODES.objectNode();
    node.put("source", trace.source());
    node.put("trace", trace.number());
    node.put("rootStage", trace.rootStage());
    node.put("traceparent", trace.traceparent());
    node.put("operation", trace.operation());
    node.put("failed", trace.failed());
    return node;
  }

  private static ArrayNode spans(List<Span> spans) {
    ArrayNode array = NODES.arrayNode();
    for (Span span : spans) {
      ObjectNode node = array.addObject();
      node.put("name", span.stage());
      node.put("thread", span.thread());
      node.put("count", span.calls());
      node.put("failed", span.failed());
      node.put("startMicros", micros(span.startNanos()));
      node.put("endMicros", micros(span.endNanos()));
      node.put("totalMicros", micros(span.durationNanos()));
      node.put("selfMicros", micros(span.selfNanos()));
      node.set("stages", spans(span.children()));
    }
    return array;
  }

  private static ArrayNode logs(List<LogLine> lines) {
    ArrayNode array = NODES.arrayNode();
    for (LogLine line : lines) {
      ObjectNode node = array.addObject();
      node.put("atMicros", micros(line.atNanos()));
      node.put("level", line.level());
      node.put("logger", line.logger());
      node.put("thread", line.thread());
      node.put("message", line.message());
      node.put("thrown", line.thrown());
    }
    return array;
  }

  private static BigDecimal micros(Long nanos) {
    if (nanos == null) {
      return null;
    }
    BigDecimal micros = BigDecimal.valueOf(nanos, 3).stripTrailingZeros();
    return micros.scale() < 0 ? micros.setScale(0) : micros;
  }
}
