package org.fedometer.collector.measured;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/**
 * One agent frame as events of docs/developers/protocol.md, all of one kind.
 *
 * @param number the agent's
 * @param kind of its events
 * @param events the fields that belong to the kind
 */
record EventFrame(long number, String kind, List<Map<String, Object>> events) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String[] KINDS = {
    "sample", "sample", "trace", "log", "telemetry", "gc", "totals", "agent"
  };
  private static final String[] TEXTS = {
    "ingest", "http.request", "äöü € \ud83d\ude00", "#4", "a \"quoted\"\n\tline", "", "x"
  };

  /** Frames of growing numbers, with gaps between them. */
  static List<EventFrame> random(Random random, int count) {
    List<EventFrame> frames = new ArrayList<>();
    long number = 1;
    for (int i = 0; i < count; i++) {
      String kind = KINDS[random.nextInt(KINDS.length)];
      List<Map<String, Object>> events = new ArrayList<>();
      for (int n = kind.equals("totals") ? 1 : 1 + random.nextInt(6); n > 0; n--) {
        events.add(event(kind, random));
      }
      frames.add(new EventFrame(number, kind, events));
      number += 1 + random.nextInt(3);
    }
    return frames;
  }

  private static Map<String, Object> event(String kind, Random random) {
    Map<String, Object> fields = new LinkedHashMap<>();
    switch (kind) {
      case "sample" -> {
        int thread = random.nextInt(4);
        fields.put("stage", text(random));
        fields.put("thread", "http-" + thread);
        fields.put("threadId", thread);
        fields.put("trace", number(random));
        fields.put("startNanos", number(random));
        fields.put("durationNanos", random.nextLong() >>> 1 + random.nextInt(60));
        fields.put("selfNanos", number(random));
        fields.put("failed", random.nextBoolean());
      }
      case "trace" -> {
        fields.put("trace", number(random));
        fields.put("rootStage", text(random));
        fields.put("failed", random.nextBoolean());
        putIfAny(fields, "pid", random);
        putIfAny(fields, "traceparent", random);
        putIfAny(fields, "operation", random);
      }
      case "log" -> {
        fields.put("atNanos", number(random));
        fields.put(
            "level",
            List.of("trace", "debug", "info", "warn", "error", "fatal").get(random.nextInt(6)));
        fields.put("trace", number(random));
        fields.put("logger", text(random));
        fields.put("thread", text(random));
        fields.put("message", text(random));
        putIfAny(fields, "exception", random);
      }
      case "telemetry" -> {
        fields.put("atNanos", number(random));
        fields.put("metric", text(random));
        fields.put("unit", text(random));
        fields.put("value", random.nextGaussian() * random.nextInt(1000));
      }
      case "gc" -> {
        fields.put("collector", text(random));
        fields.put("action", text(random));
        fields.put("cause", text(random));
        fields.put("startNanos", number(random));
        fields.put("durationNanos", random.nextLong() >>> 1);
        fields.put("heapBeforeBytes", random.nextLong() >>> 1);
        fields.put("heapAfterBytes", random.nextLong() >>> 1);
      }
      case "totals" -> {
        List<Map<String, Object>> stages = new ArrayList<>();
        for (int n = random.nextInt(4); n > 0; n--) {
          Map<String, Object> stage = new LinkedHashMap<>();
          stage.put("stage", text(random));
          stage.put("count", random.nextLong() >>> 1);
          stage.put("failed", random.nextLong() >>> 1);
          stage.put("durationNanos", random.nextLong() >>> 1);
          stages.add(stage);
        }
        fields.put("stages", stages);
        for (String dropped :
            List.of(
                "samplesDropped",
                "framesDropped",
                "tracesDropped",
                "stagesSkipped",
                "threadsRefused")) {
          fields.put(dropped, random.nextLong() >>> 1);
        }
        fields.put("last", random.nextBoolean());
      }
      default -> fields.put("message", text(random).replace("\n", " "));
    }
    return fields;
  }

  private static void putIfAny(Map<String, Object> fields, String field, Random random) {
    String text = text(random);
    if (!text.isEmpty()) {
      fields.put(field, text);
    }
  }

  private static String text(Random random) {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  /** Also such as no double can hold. */
  private static long number(Random random) {
    return random.nextLong() >> random.nextInt(64);
  }

  /** Returns the object of Fedometer's fields, in any order and with some unknown ones. */
  String json(UUID source, int index, Random random) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>(events.get(index));
    all.put("event", kind);
    all.put("source", source.toString());
    all.put("frame", number);
    all.put("index", index);
    if (random.nextInt(4) == 0) {
      all.put("ofTomorrow", List.of(Map.of("stage", 1), 2));
    }
    List<String> order = new ArrayList<>(all.keySet());
    Collections.shuffle(order, random);
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      for (String field : order) {
        json.writeFieldName(field);
        write(json, all.get(field));
      }
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object each : list) {
        write(json, each);
      }
      json.writeEndArray();
    } else if (value instanceof Map<?, ?> fields) {
      json.writeStartObject();
      for (Map.Entry<?, ?> field : fields.entrySet()) {
        json.writeFieldName((String) field.getKey());
        write(json, field.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof String text) {
      json.writeString(text);
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else {
      json.writeNumber(((Number) value).longValue());
    }
  }

  /** Returns the events' content, each as one text. */
  List<String> facts() {
    List<String> facts = new ArrayList<>();
    for (Map<String, Object> event : events) {
      Map<String, Object> fields = new LinkedHashMap<>(event);
      for (String optional : List.of("pid", "traceparent", "operation")) {
        if (kind.equals("trace")) {
          fields.putIfAbsent(optional, "");
        }
      }
      if (kind.equals("log")) {
        fields.putIfAbsent("exception", "");
      }
      facts.add(fact(kind, fields));
    }
    return facts;
  }

  static String fact(String kind, Map<String, Object> fields) {
    return kind + " " + new TreeMap<>(fields);
  }
}
