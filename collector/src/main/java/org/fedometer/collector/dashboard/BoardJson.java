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
 * Writes a {@link RunBoard} as JSON, as a snapshot or as changes since the last write. For one
 * thread.
 */
final class BoardJson {
  static final int SCHEMA = 1;

  private static final int MAX_STAGES = 200;
  private static final int MAX_SERIES = 7;
  private static final int MAX_SOURCES = 100;
  private static final int SIGNIFICANT_DIGITS = 4;
  private static final JsonMapper JSON = new JsonMapper();

  private BoardJson() {}

  /**
   * @param document JSON object of the run, as in the list of all runs
   * @param requested number of requested objects; null if unknown
   */
  record RunContext(byte[] document, Long requested, boolean open, Set<UUID> connected) {}

  /**
   * Writes the whole board and marks all of it as sent.
   *
   * @param choose whether to select timelines of the stages with most self time now; else the
   *     selection that viewers know stays
   */
  static byte[] snapshot(RunBoard board, RunContext run, boolean choose) {
    board.timeline.takeFirstChanged();
    board.stages.takeChanged();
    board.logs.takeNew();
    board.errors.takeNew();
    if (choose) {
      board.stages.choose(MAX_SERIES);
    }
    return bytes(
        json -> {
          head(json, board, run.document());
          Timeline timeline = board.timeline;
          json.writeNumberField("from", timeline.size() == 0 ? 0 : timeline.from());
          json.writeNumberField("bucketSeconds", timeline.bucketSeconds());
          columns(json, board, 0);
          stages(json, board.stages.bySelfTime(MAX_STAGES));
          json.writeNumberField("stagesMore", Math.max(0, board.stages.size() - MAX_STAGES));
          json.writePOJOField("logs", board.logs.all());
          json.writePOJOField("errors", board.errors.all());
          now(json, board, run);
        });
  }

  /** Returns whether viewers need a snapshot, because changes cannot be applied to their state. */
  static boolean needsSnapshot(RunBoard board, int generationSent) {
    if (board.timeline.generation() == generationSent && board.stages.shouldChoose(MAX_SERIES)) {
      board.timeline.newGeneration();
    }
    return board.timeline.generation() != generationSent;
  }

  static boolean hasChanged(RunBoard board) {
    return board.timeline.hasChanged()
        || board.stages.hasChanged()
        || board.logs.hasNew()
        || board.errors.hasNew();
  }

  /** Writes the changes since the last write. */
  static byte[] update(RunBoard board, RunContext run, boolean documentChanged) {
    int first = board.timeline.takeFirstChanged();
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
                board.stages.bySelfTime(MAX_STAGES).stream()
                    .filter(stage -> changed.contains(stage.number()))
                    .toList());
            json.writeNumberField("stagesMore", Math.max(0, board.stages.size() - MAX_STAGES));
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
    json.writeNumberField("generation", board.timeline.generation());
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
    Timeline timeline = board.timeline;
    counts(json, "objects", timeline.objects, first, timeline.size());
    counts(json, "failed", timeline.failed, first, timeline.size());
    Latencies latencies = timeline.latencies;
    millis(json, "p50", timeline, first, bucket -> latencies.at(bucket).p50());
    millis(json, "p95", timeline, first, bucket -> latencies.at(bucket).p95());
    millis(json, "p99", timeline, first, bucket -> latencies.at(bucket).p99());
    millis(json, "max", timeline, first, bucket -> timeline.maxLatencyNanos.at(bucket));
    json.writeObjectFieldStart("others");
    for (Map.Entry<String, Sums> other : timeline.others.entrySet()) {
      counts(json, other.getKey(), other.getValue(), first, timeline.size());
    }
    json.writeEndObject();
    stageSeries(json, board, first);
    json.writeObjectFieldStart("telemetry");
    for (Map.Entry<Metric, Means> one : timeline.telemetry.entrySet()) {
      json.writeObjectFieldStart(one.getKey().id());
      json.writeStringField("unit", one.getKey().unit());
      values(json, "values", timeline, first, one.getValue()::at);
      json.writeEndObject();
    }
    json.writeEndObject();
    json.writeObjectFieldStart("gc");
    values(json, "seconds", timeline, first, bucket -> timeline.gcNanos.at(bucket) / 1e9);
    values(json, "max", timeline, first, bucket -> timeline.maxGcNanos.at(bucket) / 1e6);
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

  /** Writes values of histograms, which are up to 1 % too low. */
  private static void millis(
      JsonGenerator json, String name, Timeline timeline, int first, IntToLongFunction nanos)
      throws IOException {
    values(
        json,
        name,
        timeline,
        first,
        bucket ->
            timeline.latencies.countAt(bucket) == 0
                ? Double.NaN
                : Math.min(nanos.applyAsLong(bucket), timeline.maxLatencyNanos.at(bucket)) / 1e6);
  }

  private static void values(
      JsonGenerator json, String name, Timeline timeline, int first, IntToDoubleFunction value)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (int bucket = first; bucket < timeline.size(); bucket++) {
      number(json, value.applyAsDouble(bucket));
    }
    json.writeEndArray();
  }

  private static void stageSeries(JsonGenerator json, RunBoard board, int first)
      throws IOException {
    Timeline timeline = board.timeline;
    List<Integer> chosen = board.stages.chosen();
    Set<Integer> shown = new HashSet<>(chosen);
    List<Sums> rest =
        timeline.stages.entrySet().stream()
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
    json.writeArrayFieldStart("self");
    for (int stage : chosen) {
      Sums own = timeline.stages.get(stage);
      selfSeconds(json, timeline, first, own == null ? List.of() : List.of(own));
    }
    selfSeconds(json, timeline, first, rest);
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void selfSeconds(
      JsonGenerator json, Timeline timeline, int first, Collection<Sums> of) throws IOException {
    json.writeStartArray();
    for (int bucket = first; bucket < timeline.size(); bucket++) {
      double nanos = 0;
      for (Sums own : of) {
        nanos += own.at(bucket);
      }
      number(json, nanos / 1e9 / timeline.bucketSeconds());
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
      numberField(json, "totalMillis", stage.durationNanos() / 1e6);
      numberField(json, "selfMillis", stage.selfNanos() / 1e6);
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

  private static void now(JsonGenerator json, RunBoard board, RunContext run) throws IOException {
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
    List<SourceFacts> listedSources =
        board.sources.values().stream()
            .sorted(
                Comparator.comparing((SourceFacts source) -> !run.connected().contains(source.uuid))
                    .thenComparing(source -> source.lastSeenNanos, Comparator.reverseOrder()))
            .limit(MAX_SOURCES)
            .toList();
    for (SourceFacts source : listedSources) {
      source(json, source, run.connected().contains(source.uuid));
    }
    json.writeEndArray();
    json.writeNumberField("sourcesMore", Math.max(0, board.sources.size() - MAX_SOURCES));
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

  /** Writes up to four significant digits; integers of up to 15 digits in full. */
  private static void number(JsonGenerator json, double value) throws IOException {
    if (!Double.isFinite(value)) {
      json.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      json.writeNumber((long) value);
    } else {
      // A double holds these powers of ten exactly; otherwise rounded digits would reappear.
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
