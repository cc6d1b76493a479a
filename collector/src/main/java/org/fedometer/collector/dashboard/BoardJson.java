package org.fedometer.collector.dashboard;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import org.fedometer.collector.dashboard.Stages.OneStage;

/**
 * Writes a {@link RunBoard} down as JSON: whole, or what has changed since it was last written. For
 * one thread.
 */
final class BoardJson {
  static final int SCHEMA = 1;

  private static final int MOST_STAGES = 200;
  private static final int MOST_SERIES = 12;
  private static final int MOST_SOURCES = 100;
  private static final int SIGNIFICANT_DIGITS = 4;
  private static final JsonMapper JSON = new JsonMapper();

  private BoardJson() {}

  /**
   * @param document a JSON object: the run in the list of all runs
   * @param requested how many objects were asked for; null where nobody has said so
   */
  record Circumstances(byte[] document, Long requested, boolean open, Set<UUID> connected) {}

  /**
   * All of it. From now on the board counts as told.
   *
   * @param choose the stages of most own time by now have their course told; else those that were
   *     chosen before, which viewers know
   */
  static byte[] snapshot(RunBoard board, Circumstances run, boolean choose) {
    board.course.takeFirstChanged();
    board.stages.takeChanged();
    board.logs.takeNew();
    board.errors.takeNew();
    if (choose) {
      board.stages.choose(MOST_SERIES);
    }
    return bytes(
        json -> {
          head(json, board, run.document());
          Course course = board.course;
          json.writeNumberField("from", course.size() == 0 ? 0 : course.from());
          json.writeNumberField("bucketSeconds", course.bucketSeconds());
          columns(json, board, 0);
          stages(json, board.stages.byOwnTime(MOST_STAGES));
          json.writeNumberField("stagesMore", Math.max(0, board.stages.size() - MOST_STAGES));
          json.writePOJOField("logs", board.logs.all());
          json.writePOJOField("errors", board.errors.all());
          now(json, board, run);
        });
  }

  /** Whether viewers need all of it, since what has changed is not enough for what they know. */
  static boolean needsSnapshot(RunBoard board, int generationTold) {
    if (board.course.generation() == generationTold && board.stages.shouldChoose(MOST_SERIES)) {
      board.course.newGeneration();
    }
    return board.course.generation() != generationTold;
  }

  static boolean hasChanged(RunBoard board) {
    return board.course.hasChanged()
        || board.stages.hasChanged()
        || board.logs.hasNew()
        || board.errors.hasNew();
  }

  /** What has changed since it was last written. */
  static byte[] update(RunBoard board, Circumstances run, boolean documentChanged) {
    int first = board.course.takeFirstChanged();
    Set<Integer> changed = board.stages.takeChanged();
    List<LogLine> lines = board.logs.takeNew();
    List<FailedRequest> failed = board.errors.takeNew();
    return bytes(
        json -> {
          head(json, board, documentChanged ? run.document() : null);
          json.writeNumberField("first", first);
          columns(json, board, first);
          if (!changed.isEmpty()) {
            stages(
                json,
                board.stages.byOwnTime(MOST_STAGES).stream()
                    .filter(stage -> changed.contains(stage.number()))
                    .toList());
            json.writeNumberField("stagesMore", Math.max(0, board.stages.size() - MOST_STAGES));
          }
          json.writePOJOField("logs", lines);
          json.writePOJOField("errors", failed);
          now(json, board, run);
        });
  }

  private interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  private static byte[] bytes(Body body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 14);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      body.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("Nothing fails that is written to memory", e);
    }
    return out.toByteArray();
  }

  private static void head(JsonGenerator json, RunBoard board, byte[] document) throws IOException {
    json.writeNumberField("schema", SCHEMA);
    json.writeNumberField("generation", board.course.generation());
    json.writeNumberField("atEpochMillis", board.nowMillis());
    if (document != null) {
      json.writeFieldName("run");
      json.writeRawValue(new String(document, StandardCharsets.UTF_8));
    }
    if (board.incomplete != null) {
      json.writeStringField("incomplete", board.incomplete);
    }
    if (board.loading) {
      json.writeBooleanField("loading", true);
    }
  }

  // ---- columns ----

  private static void columns(JsonGenerator json, RunBoard board, int first) throws IOException {
    Course course = board.course;
    counts(json, "objects", course.objects, first, course.size());
    counts(json, "failed", course.failed, first, course.size());
    Latencies latencies = course.latencies;
    millis(json, "p50", course, first, bucket -> latencies.at(bucket).p50());
    millis(json, "p95", course, first, bucket -> latencies.at(bucket).p95());
    millis(json, "p99", course, first, bucket -> latencies.at(bucket).p99());
    millis(json, "max", course, first, bucket -> course.longest.at(bucket));
    json.writeObjectFieldStart("others");
    for (Map.Entry<String, Sums> other : course.others.entrySet()) {
      counts(json, other.getKey(), other.getValue(), first, course.size());
    }
    json.writeEndObject();
    stageSeries(json, board, first);
    json.writeObjectFieldStart("telemetry");
    for (Map.Entry<Metric, Means> one : course.telemetry.entrySet()) {
      json.writeObjectFieldStart(one.getKey().id());
      json.writeStringField("unit", one.getKey().unit());
      values(json, "values", course, first, one.getValue()::at);
      json.writeEndObject();
    }
    json.writeEndObject();
    json.writeObjectFieldStart("gc");
    values(json, "seconds", course, first, bucket -> course.gcNanos.at(bucket) / 1e9);
    values(json, "max", course, first, bucket -> course.longestGc.at(bucket) / 1e6);
    json.writeEndObject();
  }

  private static void counts(JsonGenerator json, String name, Sums sums, int first, int size)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (int bucket = first; bucket < size; bucket++) {
      json.writeNumber(sums.at(bucket));
    }
    json.writeEndArray();
  }

  /** A histogram's value stands for those up to one in a hundred more. */
  private static void millis(
      JsonGenerator json, String name, Course course, int first, IntToLongFunction nanos)
      throws IOException {
    values(
        json,
        name,
        course,
        first,
        bucket ->
            course.latencies.countAt(bucket) == 0
                ? Double.NaN
                : Math.min(nanos.applyAsLong(bucket), course.longest.at(bucket)) / 1e6);
  }

  private static void values(
      JsonGenerator json, String name, Course course, int first, IntToDoubleFunction value)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (int bucket = first; bucket < course.size(); bucket++) {
      number(json, value.applyAsDouble(bucket));
    }
    json.writeEndArray();
  }

  private static void stageSeries(JsonGenerator json, RunBoard board, int first)
      throws IOException {
    Course course = board.course;
    List<Integer> chosen = board.stages.chosen();
    Set<Integer> shown = new HashSet<>(chosen);
    List<Sums> rest =
        course.stages.entrySet().stream()
            .filter(stage -> !shown.contains(stage.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    json.writeObjectFieldStart("stageSeries");
    json.writeArrayFieldStart("names");
    for (int stage : chosen) {
      json.writeString(board.stages.nameOf(stage));
    }
    json.writeString(Stages.OTHERS);
    json.writeEndArray();
    json.writeArrayFieldStart("own");
    for (int stage : chosen) {
      Sums own = course.stages.get(stage);
      ownSeconds(json, course, first, own == null ? List.of() : List.of(own));
    }
    ownSeconds(json, course, first, rest);
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void ownSeconds(JsonGenerator json, Course course, int first, Collection<Sums> of)
      throws IOException {
    json.writeStartArray();
    for (int bucket = first; bucket < course.size(); bucket++) {
      double nanos = 0;
      for (Sums own : of) {
        nanos += own.at(bucket);
      }
      number(json, nanos / 1e9 / course.bucketSeconds());
    }
    json.writeEndArray();
  }

  // ---- the whole run ----

  private static void stages(JsonGenerator json, List<OneStage> stages) throws IOException {
    json.writeArrayFieldStart("stages");
    for (OneStage stage : stages) {
      json.writeStartObject();
      json.writeStringField("name", stage.name());
      json.writeNumberField("count", stage.count());
      json.writeNumberField("failed", stage.failed());
      numberField(json, "totalMillis", stage.totalNanos() / 1e6);
      numberField(json, "ownMillis", stage.ownNanos() / 1e6);
      numberField(json, "p50Millis", nanosOrNan(stage.percentileNanos(50)));
      numberField(json, "p99Millis", nanosOrNan(stage.percentileNanos(99)));
      numberField(json, "maxMillis", stage.maxNanos() / 1e6);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static double nanosOrNan(long nanos) {
    return nanos < 0 ? Double.NaN : nanos / 1e6;
  }

  private static void now(JsonGenerator json, RunBoard board, Circumstances run)
      throws IOException {
    json.writeObjectFieldStart("progress");
    json.writeNumberField("objects", board.objects);
    Long requested = run.requested() == null || run.requested() <= 0 ? null : run.requested();
    double rate = run.open() ? board.recent.perSecond(board.nowMillis() / 1000) : 0;
    json.writePOJOField("requested", requested);
    numberField(
        json,
        "percent",
        requested == null ? Double.NaN : Math.min(100, 100.0 * board.objects / requested));
    numberField(json, "ratePerSecond", rate);
    numberField(
        json,
        "etaSeconds",
        requested == null || rate <= 0 || requested <= board.objects
            ? Double.NaN
            : Math.ceil((requested - board.objects) / rate));
    json.writeStringField("phase", board.phase);
    json.writeEndObject();
    json.writeArrayFieldStart("sources");
    List<SourceFacts> told =
        board.sources.values().stream()
            .sorted(
                Comparator.comparing((SourceFacts source) -> !run.connected().contains(source.uuid))
                    .thenComparing(source -> source.lastSeenNanos, Comparator.reverseOrder()))
            .limit(MOST_SOURCES)
            .toList();
    for (SourceFacts source : told) {
      source(json, source, run.connected().contains(source.uuid));
    }
    json.writeEndArray();
    json.writeNumberField("sourcesMore", Math.max(0, board.sources.size() - MOST_SOURCES));
  }

  private static void source(JsonGenerator json, SourceFacts source, boolean connected)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("source", source.uuid.toString());
    json.writeStringField("name", source.name);
    json.writeStringField("kind", source.kind);
    json.writeBooleanField("connected", connected);
    Long counted = source.seen ? (Long) source.counted : null;
    json.writePOJOField("samples", source.executions >= 0 ? (Long) source.executions : counted);
    json.writeNumberField("dropped", source.samplesDropped);
    json.writeNumberField("framesDropped", source.framesDropped);
    long secondsAgo = Math.max(0, (System.nanoTime() - source.lastSeenNanos) / 1_000_000_000L);
    json.writePOJOField("lastSeenSecondsAgo", source.seen ? (Long) secondsAgo : null);
    if (source.seen && source.kind.equals("agent")) {
      json.writeNumberField("stagesNamed", source.stagesNamed());
    }
    numberField(json, "stagesWoven", source.stagesWoven);
    numberField(json, "stagesPlanned", source.stagesPlanned);
    numberField(json, "agentMemoryBytes", source.agentMemoryBytes);
    numberField(json, "agentMemoryLimitBytes", source.agentMemoryLimitBytes);
    numberField(json, "heapUsedBytes", source.heapUsedBytes);
    numberField(json, "heapLimitBytes", source.heapLimitBytes);
    numberField(json, "cpuCores", source.cpuCores);
    numberField(
        json,
        "clockUncertaintyMillis",
        source.clockUncertaintyNanos < 0 ? Double.NaN : source.clockUncertaintyNanos / 1e6);
    json.writeEndObject();
  }

  // ---- numbers ----

  private static void numberField(JsonGenerator json, String name, double value)
      throws IOException {
    json.writeFieldName(name);
    number(json, value);
  }

  /** To four significant digits; whole ones of up to 15 digits in full. */
  private static void number(JsonGenerator json, double value) throws IOException {
    if (!Double.isFinite(value)) {
      json.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      json.writeNumber((long) value);
    } else {
      // By powers of ten that a double holds exactly, else digits come back that were rounded off.
      int power = SIGNIFICANT_DIGITS - 1 - (int) Math.floor(Math.log10(Math.abs(value)));
      double scale = Math.pow(10, Math.min(Math.abs(power), 300));
      double rounded =
          power < 0 ? Math.rint(value / scale) * scale : Math.rint(value * scale) / scale;
      if (rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15) {
        json.writeNumber((long) rounded);
      } else {
        json.writeNumber(rounded);
      }
    }
  }
}
