package org.fedometer.analysis.timeline;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.analysis.timeline.RunTimeline.ByObjects;
import org.fedometer.analysis.timeline.RunTimeline.ByTime;
import org.fedometer.analysis.timeline.RunTimeline.Cell;
import org.fedometer.analysis.timeline.RunTimeline.Errors;
import org.fedometer.analysis.timeline.RunTimeline.Failed;
import org.fedometer.analysis.timeline.RunTimeline.Latencies;
import org.fedometer.analysis.timeline.RunTimeline.RowKind;
import org.fedometer.analysis.timeline.RunTimeline.Stage;
import org.fedometer.analysis.timeline.RunTimeline.Stages;
import org.fedometer.analysis.trace.ObjectTrace.Placement;

/**
 * Writes a {@link RunTimeline} as one JSON object with all fields, null if unknown. Numeric columns
 * are rounded to four significant digits; counts and times of day are exact. HTML characters are
 * escaped, so that it can be embedded in a script. Records without a method here are written with
 * their components' names and order.
 */
public final class TimelineJson {

  public static final int SCHEMA = 1;

  private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);

  /** Limit of a text; names of stages and the like are foreign. */
  private static final int MAX_TEXT_LENGTH = 400;

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .registerModule(
              new SimpleModule()
                  .addSerializer(double.class, as(TimelineJson::number))
                  .addSerializer(Double.class, as(TimelineJson::number))
                  .addSerializer(Column.class, as(TimelineJson::numbers))
                  .addSerializer(String.class, as(TimelineJson::text))
                  .addSerializer(Cell.class, as(TimelineJson::cell))
                  .addSerializer(RowKind.class, as(TimelineJson::what))
                  .addSerializer(Placement.class, as(TimelineJson::clock)));

  private final JsonGenerator json;

  private TimelineJson(JsonGenerator json) {
    this.json = json;
  }

  /** Returns the timeline as one JSON object on one line. */
  public static String of(RunTimeline timeline) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = MAPPER.createGenerator(text)) {
      json.setCharacterEscapes(new ForHtml());
      new TimelineJson(json).write(timeline);
    } catch (IOException e) {
      throw new IllegalStateException("cannot write the timeline of a run as JSON", e);
    }
    return text.toString();
  }

  /** Escapes characters with a meaning in HTML or older JavaScript by their code. */
  private static final class ForHtml extends CharacterEscapes {
    private static final long serialVersionUID = 1L;

    @Override
    public int[] getEscapeCodesForAscii() {
      int[] codes = standardAsciiEscapesForJSON();
      for (char character : new char[] {'<', '>', '&', '\''}) {
        codes[character] = ESCAPE_STANDARD;
      }
      return codes;
    }

    @Override
    public SerializableString getEscapeSequence(int character) {
      return character == 0x2028 || character == 0x2029
          ? new SerializedString("\\u%04x".formatted(character))
          : null;
    }
  }

  private void write(RunTimeline timeline) throws IOException {
    json.writeStartObject();
    json.writeNumberField("schema", SCHEMA);
    json.writeStringField("kind", "run");
    json.writePOJOField("name", timeline.name());
    json.writePOJOField("state", timeline.state());
    json.writeObjectFieldStart("origin");
    json.writePOJOField("epochMillis", timeline.originEpochMillis());
    json.writeEndObject();
    json.writeFieldName("seconds");
    time(json, timeline.seconds() == null ? Double.NaN : timeline.seconds());
    byTime(timeline.time());
    byObjects(timeline.objects());
    json.writePOJOField("heat", timeline.heat());
    stages(timeline.stages());
    json.writePOJOField("icicle", timeline.icicle());
    json.writePOJOField("gc", timeline.gc());
    json.writePOJOField("telemetry", orNull(timeline.telemetry()));
    json.writePOJOField("marks", timeline.markers());
    json.writePOJOField("growth", timeline.growth());
    json.writePOJOField("slowest", orNull(timeline.slowest()));
    errors(timeline.errors());
    json.writeEndObject();
  }

  private static List<?> orNull(List<?> list) {
    return list.isEmpty() ? null : list;
  }

  /** Begins the object of a section; writes null and returns false if it is null. */
  private boolean begins(String name, Object section) throws IOException {
    if (section == null) {
      json.writeNullField(name);
      return false;
    }
    json.writeObjectFieldStart(name);
    return true;
  }

  private void byTime(ByTime time) throws IOException {
    if (!begins("time", time)) {
      return;
    }
    json.writeNumberField("bucketSeconds", time.bucketSeconds());
    times("t", time.t());
    counts("objects", time.objects());
    json.writePOJOField("rate", time.rate());
    json.writePOJOField("rateLow", time.rateLow());
    json.writePOJOField("rateHigh", time.rateHigh());
    latencies(time.latency());
    counts("failed", time.failed());
    Latencies response = time.response();
    if (begins("response", response)) {
      json.writePOJOField("p50", response.p50());
      json.writePOJOField("p95", response.p95());
      json.writePOJOField("p99", response.p99());
      json.writePOJOField("max", response.max());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private void byObjects(ByObjects objects) throws IOException {
    if (!begins("objects", objects)) {
      return;
    }
    json.writeNumberField("bucketObjects", objects.bucketObjects());
    counts("n", objects.n());
    times("t", objects.t());
    json.writePOJOField("rate", objects.rate());
    latencies(objects.latency());
    json.writeEndObject();
  }

  private void latencies(Latencies latencies) throws IOException {
    json.writePOJOField("min", latencies.min());
    json.writePOJOField("mean", latencies.mean());
    json.writePOJOField("p50", latencies.p50());
    json.writePOJOField("p95", latencies.p95());
    json.writePOJOField("p99", latencies.p99());
    json.writePOJOField("max", latencies.max());
  }

  private void stages(Stages stages) throws IOException {
    if (!begins("stages", stages)) {
      return;
    }
    json.writeNumberField("bucketSeconds", stages.bucketSeconds());
    times("t", stages.t());
    json.writePOJOField("names", stages.list().stream().map(Stage::name).toList());
    json.writePOJOField("outside", stages.list().stream().map(Stage::outside).toList());
    json.writePOJOField("self", stages.list().stream().map(Stage::self).toList());
    json.writeEndObject();
  }

  private void errors(Errors errors) throws IOException {
    if (!begins("errors", errors)) {
      return;
    }
    List<Failed> list = errors.list();
    json.writeNumberField("shown", list.size());
    json.writeNumberField("of", errors.of());
    times("t", Column.of(list.stream().mapToDouble(Failed::t).toArray()));
    json.writePOJOField("pid", list.stream().map(Failed::pid).toList());
    json.writePOJOField("operation", list.stream().map(Failed::operation).toList());
    json.writePOJOField("attempt", list.stream().map(Failed::attempt).toList());
    json.writePOJOField("status", list.stream().map(Failed::status).toList());
    json.writePOJOField("message", list.stream().map(Failed::message).toList());
    json.writeEndObject();
  }

  private void counts(String name, Column column) throws IOException {
    json.writeArrayFieldStart(name);
    for (int i = 0; i < column.size(); i++) {
      json.writeNumber((long) column.at(i));
    }
    json.writeEndArray();
  }

  private void times(String name, Column column) throws IOException {
    json.writeFieldName(name);
    new Times().serialize(column, json, null);
  }

  private interface Writer<T> {
    void write(JsonGenerator json, T value) throws IOException;
  }

  private static <T> JsonSerializer<T> as(Writer<T> writer) {
    return new JsonSerializer<>() {
      @Override
      public void serialize(T value, JsonGenerator json, SerializerProvider provider)
          throws IOException {
        writer.write(json, value);
      }
    };
  }

  static final class Times extends JsonSerializer<Object> {
    @Override
    public void serialize(Object value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      if (value instanceof Column column) {
        each(json, column, TimelineJson::time);
      } else {
        time(json, (Double) value);
      }
    }
  }

  private static void each(JsonGenerator json, Column column, Writer<Double> writer)
      throws IOException {
    json.writeStartArray();
    for (int i = 0; i < column.size(); i++) {
      writer.write(json, column.at(i));
    }
    json.writeEndArray();
  }

  private static void numbers(JsonGenerator json, Column column) throws IOException {
    each(json, column, TimelineJson::number);
  }

  private static void text(JsonGenerator json, String text) throws IOException {
    json.writeString(Shortened.beginning(text, MAX_TEXT_LENGTH));
  }

  private static void cell(JsonGenerator json, Cell cell) throws IOException {
    json.writeArray(new long[] {cell.column(), cell.row(), cell.count()}, 0, 3);
  }

  private static void what(JsonGenerator json, RowKind what) throws IOException {
    json.writeString(what.name().toLowerCase(Locale.ROOT));
  }

  private static void clock(JsonGenerator json, Placement placement) throws IOException {
    json.writeString(
        switch (placement) {
          case SAME_CLOCK -> "same";
          case CLOCK_EXCHANGE -> "exchange";
          case CENTRED -> "centred";
          case ALONE -> "alone";
        });
  }

  private static void time(JsonGenerator json, double value) throws IOException {
    if (Double.isFinite(value)) {
      plain(json, BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_EVEN));
    } else {
      json.writeNull();
    }
  }

  private static void number(JsonGenerator json, double value) throws IOException {
    if (Double.isFinite(value)) {
      plain(json, BigDecimal.valueOf(value).round(FOUR_DIGITS));
    } else {
      json.writeNull();
    }
  }

  private static void plain(JsonGenerator json, BigDecimal value) throws IOException {
    BigDecimal stripped = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    // 1E+9 is shorter than 1000000000, and equal in JavaScript.
    json.writeNumber(
        Math.abs(stripped.scale()) > 6 ? stripped.toString() : stripped.toPlainString());
  }
}
