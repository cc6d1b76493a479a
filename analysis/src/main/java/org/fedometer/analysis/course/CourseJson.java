package org.fedometer.analysis.course;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.course.RunCourse.ByObjects;
import org.fedometer.analysis.course.RunCourse.ByTime;
import org.fedometer.analysis.course.RunCourse.Cell;
import org.fedometer.analysis.course.RunCourse.Errors;
import org.fedometer.analysis.course.RunCourse.Failed;
import org.fedometer.analysis.course.RunCourse.Gc;
import org.fedometer.analysis.course.RunCourse.Growth;
import org.fedometer.analysis.course.RunCourse.Heat;
import org.fedometer.analysis.course.RunCourse.Icicle;
import org.fedometer.analysis.course.RunCourse.Latencies;
import org.fedometer.analysis.course.RunCourse.Mark;
import org.fedometer.analysis.course.RunCourse.Part;
import org.fedometer.analysis.course.RunCourse.Readings;
import org.fedometer.analysis.course.RunCourse.Row;
import org.fedometer.analysis.course.RunCourse.SlowIngest;
import org.fedometer.analysis.course.RunCourse.Stage;
import org.fedometer.analysis.course.RunCourse.Stages;
import org.fedometer.analysis.course.RunCourse.Stop;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.analysis.trace.ObjectTrace.Placement;

/**
 * Writes a {@link RunCourse} for a page: one JSON object, in which every field is there and what is
 * not known is null. Columns of numbers lie side by side, rounded to four significant digits;
 * counts and times of day are exact. Characters that mean something in HTML are escaped, so that it
 * may stand within a script.
 */
public final class CourseJson {

  /** Version of the shape. */
  public static final int SCHEMA = 1;

  private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);

  /** A text of a run longer than this is cut: names of stages and the like come from outside. */
  private static final int MOST_TEXT = 400;

  private final JsonGenerator json;

  private CourseJson(JsonGenerator json) {
    this.json = json;
  }

  /** The course as one JSON object on one line. */
  public static String of(RunCourse course) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setCharacterEscapes(new ForHtml());
      new CourseJson(json).write(course);
    } catch (IOException e) {
      throw new IllegalStateException("cannot write the course of a run as JSON", e);
    }
    return text.toString();
  }

  /** Escapes by their numbers what HTML, or an older JavaScript, would take for something else. */
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

  private void write(RunCourse course) throws IOException {
    json.writeStartObject();
    json.writeNumberField("schema", SCHEMA);
    json.writeStringField("kind", "run");
    text("name", course.name());
    text("state", course.state());
    json.writeObjectFieldStart("origin");
    json.writeFieldName("epochMillis");
    exact(course.originEpochMillis());
    json.writeEndObject();
    json.writeFieldName("seconds");
    time(course.seconds() == null ? Double.NaN : course.seconds());
    byTime(course.time());
    byObjects(course.objects());
    heat(course.heat());
    stages(course.stages());
    icicle(course.icicle());
    gc(course.gc());
    telemetry(course.telemetry());
    marks(course.marks());
    growth(course.growth());
    slowest(course.slowest());
    errors(course.errors());
    json.writeEndObject();
  }

  /** Begins the object of a section; false where it is null, which is written then. */
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
    numbers("rate", time.rate());
    numbers("rateLow", time.rateLow());
    numbers("rateHigh", time.rateHigh());
    latencies(time.latency());
    counts("failed", time.failed());
    Latencies response = time.response();
    if (begins("response", response)) {
      numbers("p50", response.p50());
      numbers("p95", response.p95());
      numbers("p99", response.p99());
      numbers("max", response.max());
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
    numbers("rate", objects.rate());
    latencies(objects.latency());
    json.writeEndObject();
  }

  private void latencies(Latencies latencies) throws IOException {
    numbers("min", latencies.min());
    numbers("mean", latencies.mean());
    numbers("p50", latencies.p50());
    numbers("p95", latencies.p95());
    numbers("p99", latencies.p99());
    numbers("max", latencies.max());
  }

  private void heat(Heat heat) throws IOException {
    if (!begins("heat", heat)) {
      return;
    }
    json.writeNumberField("bucketSeconds", heat.bucketSeconds());
    times("t", heat.t());
    numbers("edgesMillis", heat.edgesMillis());
    json.writeArrayFieldStart("cells");
    for (Cell cell : heat.cells()) {
      json.writeStartArray();
      json.writeNumber(cell.column());
      json.writeNumber(cell.row());
      json.writeNumber(cell.count());
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void stages(Stages stages) throws IOException {
    if (!begins("stages", stages)) {
      return;
    }
    json.writeNumberField("bucketSeconds", stages.bucketSeconds());
    times("t", stages.t());
    texts("names", stages.list().stream().map(Stage::name).toList());
    json.writeArrayFieldStart("beside");
    for (Stage stage : stages.list()) {
      json.writeBoolean(stage.beside());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("own");
    for (Stage stage : stages.list()) {
      numbers(stage.own());
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void icicle(Icicle icicle) throws IOException {
    if (!begins("icicle", icicle)) {
      return;
    }
    json.writeNumberField("traces", icicle.traces());
    json.writeNumberField("of", icicle.of());
    json.writeFieldName("root");
    part(icicle.root());
    json.writeEndObject();
  }

  private void part(Part part) throws IOException {
    json.writeStartObject();
    text("name", part.name());
    number("millis", part.millis());
    number("own", part.own());
    number("calls", part.calls());
    json.writeArrayFieldStart("children");
    for (Part child : part.children()) {
      part(child);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void gc(Gc gc) throws IOException {
    if (!begins("gc", gc)) {
      return;
    }
    json.writeNumberField("count", gc.count());
    number("seconds", gc.seconds());
    json.writeNumberField("bucketSeconds", gc.bucketSeconds());
    times("t", gc.t());
    numbers("share", gc.share());
    numbers("max", gc.max());
    json.writeArrayFieldStart("longest");
    for (Stop stop : gc.longest()) {
      json.writeStartObject();
      time("t", stop.t());
      number("millis", stop.millis());
      text("collector", stop.collector());
      text("action", stop.action());
      text("cause", stop.cause());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void telemetry(List<Readings> telemetry) throws IOException {
    if (telemetry.isEmpty()) {
      json.writeNullField("telemetry");
      return;
    }
    json.writeArrayFieldStart("telemetry");
    for (Readings readings : telemetry) {
      json.writeStartObject();
      text("id", readings.id());
      text("title", readings.title());
      text("unit", readings.unit());
      times("t", readings.t());
      numbers("mean", readings.mean());
      numbers("low", readings.low());
      numbers("high", readings.high());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void marks(List<Mark> marks) throws IOException {
    json.writeArrayFieldStart("marks");
    for (Mark mark : marks) {
      json.writeStartObject();
      json.writeStringField("kind", mark.kind());
      time("t", mark.t());
      json.writeFieldName("end");
      time(mark.end() == null ? Double.NaN : mark.end());
      text("title", mark.title());
      text("detail", mark.detail());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void growth(Growth growth) throws IOException {
    if (!begins("growth", growth)) {
      return;
    }
    json.writeNumberField("fromObjects", growth.fromObjects());
    json.writeNumberField("toObjects", growth.toObjects());
    number("fromMillis", growth.fromMillis());
    number("toMillis", growth.toMillis());
    number("slopeMicrosPerThousand", growth.slopeMicrosPerThousand());
    number("low", growth.low());
    number("high", growth.high());
    number("pValue", growth.pValue());
    json.writeEndObject();
  }

  private void slowest(List<SlowIngest> slowest) throws IOException {
    if (slowest.isEmpty()) {
      json.writeNullField("slowest");
      return;
    }
    json.writeArrayFieldStart("slowest");
    for (SlowIngest slow : slowest) {
      json.writeStartObject();
      text("pid", slow.pid());
      json.writeNumberField("index", slow.index());
      json.writeNumberField("attempt", slow.attempt());
      time("t", slow.t());
      number("millis", slow.millis());
      json.writeNumberField("status", slow.status());
      number("late", slow.late());
      json.writeArrayFieldStart("rows");
      for (Row row : slow.rows()) {
        row(row);
      }
      json.writeEndArray();
      json.writeNumberField("more", slow.more());
      json.writeStringField("clock", clock(slow.clock()));
      number("uncertaintyMillis", orNaN(slow.uncertaintyMillis()));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void row(Row row) throws IOException {
    json.writeStartObject();
    json.writeNumberField("depth", row.depth());
    json.writeStringField("what", row.what().name().toLowerCase(Locale.ROOT));
    text("name", row.name());
    json.writeNumberField("calls", row.calls());
    time("start", row.start());
    time("end", row.end());
    number("millis", row.millis());
    number("own", orNaN(row.own()));
    json.writeNumberField("failed", row.failed());
    json.writeEndObject();
  }

  private static String clock(Placement placement) {
    return switch (placement) {
      case SAME_CLOCK -> "same";
      case CLOCK_EXCHANGE -> "exchange";
      case CENTRED -> "centred";
      case ALONE -> "alone";
    };
  }

  private void errors(Errors errors) throws IOException {
    if (!begins("errors", errors)) {
      return;
    }
    List<Failed> list = errors.list();
    json.writeNumberField("shown", list.size());
    json.writeNumberField("of", errors.of());
    json.writeArrayFieldStart("t");
    for (Failed failed : list) {
      time(failed.t());
    }
    json.writeEndArray();
    texts("pid", list.stream().map(Failed::pid).toList());
    texts("operation", list.stream().map(Failed::operation).toList());
    json.writeArrayFieldStart("attempt");
    for (Failed failed : list) {
      json.writeNumber(failed.attempt());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("status");
    for (Failed failed : list) {
      json.writeNumber(failed.status());
    }
    json.writeEndArray();
    texts("message", list.stream().map(Failed::message).toList());
    json.writeEndObject();
  }

  private static double orNaN(Double number) {
    return number == null ? Double.NaN : number;
  }

  private void text(String name, String text) throws IOException {
    json.writeFieldName(name);
    text(text);
  }

  private void text(String text) throws IOException {
    if (text == null) {
      json.writeNull();
    } else {
      json.writeString(Shortened.beginning(text, MOST_TEXT));
    }
  }

  private void texts(String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      text(text);
    }
    json.writeEndArray();
  }

  private void exact(Long number) throws IOException {
    if (number == null) {
      json.writeNull();
    } else {
      json.writeNumber(number);
    }
  }

  private void counts(String name, Column column) throws IOException {
    json.writeArrayFieldStart(name);
    for (int i = 0; i < column.size(); i++) {
      json.writeNumber((long) column.at(i));
    }
    json.writeEndArray();
  }

  private void times(String name, Column column) throws IOException {
    json.writeArrayFieldStart(name);
    for (int i = 0; i < column.size(); i++) {
      time(column.at(i));
    }
    json.writeEndArray();
  }

  private void time(String name, double value) throws IOException {
    json.writeFieldName(name);
    time(value);
  }

  /** Three digits behind the point. */
  private void time(double value) throws IOException {
    if (Double.isFinite(value)) {
      plain(BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_EVEN));
    } else {
      json.writeNull();
    }
  }

  private void numbers(String name, Column column) throws IOException {
    json.writeFieldName(name);
    if (column == null) {
      json.writeNull();
    } else {
      numbers(column);
    }
  }

  private void numbers(Column column) throws IOException {
    json.writeStartArray();
    for (int i = 0; i < column.size(); i++) {
      number(column.at(i));
    }
    json.writeEndArray();
  }

  private void number(String name, double value) throws IOException {
    json.writeFieldName(name);
    number(value);
  }

  private void number(double value) throws IOException {
    if (Double.isFinite(value)) {
      plain(BigDecimal.valueOf(value).round(FOUR_DIGITS));
    } else {
      json.writeNull();
    }
  }

  private void plain(BigDecimal value) throws IOException {
    BigDecimal stripped = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    // 1E+9 is shorter than 1000000000, and a number to JavaScript as well.
    json.writeNumber(
        Math.abs(stripped.scale()) > 6 ? stripped.toString() : stripped.toPlainString());
  }
}
