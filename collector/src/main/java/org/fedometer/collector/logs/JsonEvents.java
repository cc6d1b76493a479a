package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.fedometer.wire.record.LogLevel;

/**
 * Reads the objects of JsonLayout, GelfLayout and JsonTemplateLayout with the templates that come
 * with it, by the names of their fields. What has no place of its own goes into the context; an
 * object without any known field is a message itself. One thread.
 */
final class JsonEvents implements LogStream.EventReader {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          // They come from strangers, and interned names stay.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(EventCutter.MAX_DEPTH)
                  .maxStringLength(LogStream.MAX_EVENT_BYTES)
                  .maxNameLength(LogStream.MAX_EVENT_BYTES)
                  .build())
          .build();

  /** Characters of a stack trace that tell it from a message. */
  private static final int LONGEST_SOUGHT = 200;

  private final OwnEvents own;
  private final JsonCutter cutter;
  private JsonParser parser;
  private LogEvent into;

  /** The event has a field that layouts give their events. */
  private boolean known;

  /** GELF has a version, a host and a short message. */
  private int gelfFields;

  private String fullMessage;
  private StackTrace thrown;
  private long seconds;
  private long nanos;

  /**
   * @param own takes events of Fedometer's own agent; null if nobody does
   * @param cutter is told of GELF
   */
  JsonEvents(OwnEvents own, JsonCutter cutter) {
    this.own = own;
    this.cutter = cutter;
  }

  @Override
  public boolean read(byte[] bytes, int from, int to, LogEvent event) throws LogRefusedException {
    into = event;
    known = false;
    gelfFields = 0;
    fullMessage = null;
    thrown = null;
    seconds = -1;
    nanos = 0;
    try (JsonParser opened = JSON.createParser(bytes, from, to - from)) {
      parser = opened;
      parser.nextToken();
      if (!fields()) {
        return false;
      }
      if (parser.nextToken() != null) {
        throw new LogRefusedException("the JSON is broken: brackets do not fit");
      }
    } catch (IOException | RuntimeException e) {
      throw new LogRefusedException("the JSON is broken or not taken", e);
    } finally {
      parser = null;
    }
    finish(bytes, from, to);
    return true;
  }

  /** False when it is an event of our own. */
  private boolean fields() throws IOException {
    boolean ours = false;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      if (own != null && value == JsonToken.START_OBJECT && name.equals("fedometer")) {
        own.event(parser);
        ours = true;
      } else if (ours) {
        parser.skipChildren();
      } else {
        field(name, value);
      }
    }
    return !ours;
  }

  private void field(String name, JsonToken value) throws IOException {
    boolean before = known;
    known = true;
    switch (name) {
      case "message", "msg" -> into.message = text(value);
      case "short_message" -> {
        into.message = text(value);
        gelfFields |= 1;
      }
      case "full_message" -> fullMessage = text(value);
      case "level", "severity", "log.level" -> level(value);
      case "loggerName", "logger_name", "log.logger", "logger", "_logger" ->
          into.logger = text(value);
      case "thread", "thread_name", "threadName", "process.thread.name", "_thread" ->
          into.thread = text(value);
      case "instant", "@timestamp", "timestamp", "time" -> time(value);
      case "timestampSeconds" -> seconds = number(-1);
      case "timestampNanos" -> nanos = number(-1);
      case "timeMillis" -> into.epochNanos = Times.ofMillis(number(-1));
      case "thrown", "exception", "_exception", "error" -> thrown(value);
      case "error.stack_trace", "stack_trace" -> exception().text = text(value);
      case "error.type" -> exception().type = text(value);
      case "error.message" -> exception().message = text(value);
      case "contextMap", "mdc", "labels", "logging.googleapis.com/labels" ->
          contextMap(name, value);
      case "endOfBatch",
          "loggerFqcn",
          "threadId",
          "threadPriority",
          "nanoTime",
          "logging.googleapis.com/trace_sampled" ->
          parser.skipChildren();
      case "ecs.version", "@version" -> {
        known = before;
        parser.skipChildren();
      }
      default -> {
        known = before;
        other(name, value);
      }
    }
  }

  private void other(String name, JsonToken value) throws IOException {
    if (name.equals("version") || name.equals("host")) {
      gelfFields |= name.equals("version") ? 2 : 4;
    }
    boolean ofGelf =
        name.equals("version")
            && value == JsonToken.VALUE_STRING
            && parser.getText().startsWith("1.");
    if (value != JsonToken.VALUE_NULL && !ofGelf) {
      into.context.copy(
          name.length() > 1 && name.startsWith("_") ? name.substring(1) : name, parser);
    }
  }

  private String text(JsonToken value) throws IOException {
    return JsonText.of(parser, value);
  }

  private long number(long otherwise) throws IOException {
    return JsonText.number(parser, otherwise);
  }

  // ---- level and time ----

  private void level(JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_NUMBER_INT) {
      into.level = Levels.ofNumber(number(Levels.UNKNOWN));
    } else if (value == JsonToken.START_OBJECT) {
      levelObject();
    } else {
      String name = text(value);
      LogLevel level = Levels.ofName(name);
      if (level == null) {
        into.context.put("level", name);
      } else {
        into.level = level;
      }
    }
  }

  /** A name, and a number for those who do not know it. */
  private void levelObject() throws IOException {
    LogLevel named = null;
    LogLevel numbered = null;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      if (name.equals("name") && value == JsonToken.VALUE_STRING) {
        named = Levels.ofName(parser.getText());
        if (named == null) {
          into.context.put("level", parser.getText());
        }
      } else if (name.equals("intLevel") && value == JsonToken.VALUE_NUMBER_INT) {
        numbered = Levels.ofNumber(number(Levels.UNKNOWN));
      } else {
        parser.skipChildren();
      }
    }
    if (named != null || numbered != null) {
      into.level = named == null ? numbered : named;
    }
  }

  private void time(JsonToken value) throws IOException {
    switch (value) {
      case START_OBJECT -> instant();
      case VALUE_STRING -> {
        long time = Times.ofIso(parser.getText());
        into.epochNanos = time == LogEvent.UNKNOWN ? Times.ofNumber(parser.getText()) : time;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          into.epochNanos = Times.ofNumber(parser.getText());
      default -> parser.skipChildren();
    }
  }

  private void instant() throws IOException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      switch (name) {
        case "epochSecond", "seconds" -> seconds = number(-1);
        case "nanoOfSecond", "nanos" -> nanos = number(-1);
        default -> parser.skipChildren();
      }
    }
  }

  // ---- context ----

  /** An object, or a list of objects with a key and a value; its members are the context's. */
  private void contextMap(String field, JsonToken value) throws IOException {
    if (value == JsonToken.START_OBJECT) {
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        parser.nextToken();
        into.context.copy(name, parser);
      }
    } else if (value == JsonToken.START_ARRAY) {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        pair();
      }
      JsonText.skipToEndOfArray(parser);
    } else if (value != JsonToken.VALUE_NULL) {
      into.context.copy(field, parser);
    }
  }

  private void pair() throws IOException {
    String key = null;
    String text = "";
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      switch (name) {
        case "key" -> key = text(value);
        case "value" -> text = text(value);
        default -> parser.skipChildren();
      }
    }
    if (key != null) {
      into.context.put(key, text);
    }
  }

  // ---- exceptions ----

  private StackTrace exception() {
    if (thrown == null) {
      thrown = new StackTrace();
    }
    return thrown;
  }

  private void thrown(JsonToken value) throws IOException {
    switch (value) {
      case START_OBJECT -> thrown = StackTraceJson.exception(parser);
      case START_ARRAY -> StackTraceJson.addFrames(parser, exception());
      case VALUE_NULL -> {}
      default -> exception().text = text(value);
    }
  }

  // ---- the whole ----

  private void finish(byte[] bytes, int from, int to) {
    if (gelfFields == 7) {
      cutter.needsDelimiter();
    }
    if (!known) {
      into.clear();
      into.message = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      return;
    }
    if (seconds >= 0) {
      into.epochNanos = Times.of(seconds, nanos);
    }
    if (thrown != null) {
      into.thrown = thrown.toString();
      takeOffStackTrace();
    }
    if (fullMessage != null && !fullMessage.isEmpty()) {
      if (into.thrown.isEmpty() && fullMessage.contains("\n\tat ")) {
        into.thrown = fullMessage;
      } else {
        into.message = fullMessage;
      }
    }
  }

  /**
   * GcpLayout.json has it at the message's end, too. Looked for is a short begin of its first line:
   * to look for long ones may cost the square of an event's length.
   */
  private void takeOffStackTrace() {
    int end = into.thrown.indexOf('\n') + 1;
    String begin = into.thrown.substring(0, Math.min(end, LONGEST_SOUGHT));
    int trace = end == 0 ? -1 : into.message.indexOf(begin);
    if (trace > 0
        && Character.isWhitespace(into.message.charAt(trace - 1))
        && into.message.regionMatches(trace, into.thrown, 0, end)) {
      into.message = into.message.substring(0, trace - 1);
    }
  }
}
