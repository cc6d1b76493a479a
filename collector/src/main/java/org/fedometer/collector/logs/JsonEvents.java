package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.fedometer.wire.record.LogLevel;

/**
 * Reads the objects of Log4j2's JSON layouts and other loggers (Logback, ECS, pino, bunyan, Python,
 * zap, Serilog ...) by nested or dotted field names.
 *
 * <p>Other fields go to the context, as do unreadable levels and times. An object without any known
 * field is itself the message. One thread.
 */
final class JsonEvents implements LogStream.EventReader {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          // Names are foreign, and interned names stay in memory.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(EventCutter.MAX_DEPTH)
                  .maxStringLength(LogStream.MAX_EVENT_BYTES)
                  .maxNameLength(LogStream.MAX_EVENT_BYTES)
                  .build())
          .build();

  /** Characters of a stack trace that distinguish it from a message. */
  private static final int MAX_SEARCH_CHARACTERS = 200;

  /** Objects whose members are read as dotted names, as ECS allows. */
  private static final Set<String> NESTED =
      Set.of(
          "log",
          "process",
          "process.thread",
          "ecs",
          "service",
          "service.node",
          "event",
          "trace",
          "transaction",
          "span");

  /** Length of the longest known name. */
  private static final int MAX_NAME_CHARS = 24;

  private static final Pattern EXCEPTION =
      Pattern.compile("(?:Traceback |Caused by: |(?:[\\w$]+[.])+[\\w$]*(?:Exception|Error)\\b)");

  private final AgentEvents agentEvents;
  private final JsonCutter cutter;
  private JsonParser parser;
  private LogEvent into;

  /** True if the event has a field known from layouts. */
  private boolean known;

  /** Bits for GELF's version, host and short message. */
  private int gelfFields;

  private String shortMessage;
  private String fullMessage;

  /** Logback's arguments for the message's placeholders. Null for none. */
  private List<String> arguments;

  /** True if the message already contains its arguments. */
  private boolean formatted;

  /** The field "name": the logger in bunyan, pino and Python, otherwise anything. Null for none. */
  private String name;

  /** True if fields show that "name" is the logger. */
  private boolean namesLogger;

  private Known level;
  private StackTrace thrown;
  private long seconds;
  private long nanos;
  private long nanosOfSecond;

  /** How the level is known; later constants take precedence. */
  private enum Known {
    NOT,
    BY_NUMBER,
    BY_NAME
  }

  /**
   * @param own handles events of Fedometer's agent; null for none
   * @param cutter informed about GELF
   */
  JsonEvents(AgentEvents own, JsonCutter cutter) {
    this.agentEvents = own;
    this.cutter = cutter;
  }

  @Override
  public boolean read(byte[] bytes, int from, int to, LogEvent event) throws LogRefusedException {
    into = event;
    known = false;
    gelfFields = 0;
    shortMessage = null;
    fullMessage = null;
    arguments = null;
    formatted = false;
    name = null;
    namesLogger = false;
    level = Known.NOT;
    thrown = null;
    seconds = -1;
    nanos = 0;
    nanosOfSecond = -1;
    try (JsonParser opened = JSON.createParser(bytes, from, to - from)) {
      parser = opened;
      parser.nextToken();
      if (!fields()) {
        return false;
      }
      if (parser.nextToken() != null) {
        throw new LogRefusedException("the JSON is broken: brackets do not match");
      }
    } catch (IOException | RuntimeException e) {
      throw new LogRefusedException("the JSON is broken or not supported", e);
    } finally {
      parser = null;
    }
    finish(bytes, from, to);
    return true;
  }

  /** Reads the fields; returns false for an event of Fedometer's agent. */
  private boolean fields() throws IOException {
    boolean isAgentEvent = false;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      if (agentEvents != null && value == JsonToken.START_OBJECT && name.equals("fedometer")) {
        agentEvents.event(parser);
        isAgentEvent = true;
      } else if (isAgentEvent) {
        parser.skipChildren();
      } else {
        field(name, value);
      }
    }
    return !isAgentEvent;
  }

  private void field(String field, JsonToken value) throws IOException {
    if (value == JsonToken.START_OBJECT && NESTED.contains(field)) {
      for (String member = parser.nextFieldName();
          member != null;
          member = parser.nextFieldName()) {
        field(field + "." + member, parser.nextToken());
      }
    } else if (!isRead(field, field, value) && !isReadOtherwise(field, value)) {
      other(field, value);
    }
  }

  /** Reads a variant of a known name, such as Level, thread-name or _logger_name. */
  private boolean isReadOtherwise(String field, JsonToken value) throws IOException {
    if (field.length() > MAX_NAME_CHARS) {
      return false;
    }
    boolean added = field.length() > 1 && field.startsWith("_");
    StringBuilder plain = new StringBuilder(field.length());
    for (int i = added ? 1 : 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c != '_' && c != '-') {
        plain.append(Character.toLowerCase(c));
      }
    }
    return switch (plain.toString()) {
      case "level", "severity", "message", "timestamp", "time" ->
          // GELF's standard fields have no underscore, and its additional ones may have any
          // meaning.
          !added && isRead(field, plain.toString(), value);
      case "levelname", "loglevel", "severitytext" -> isRead(field, "level.name", value);
      case "logger", "loggername" -> isRead(field, "logger", value);
      case "thread", "threadname" -> isRead(field, "thread", value);
      case "exception", "stacktrace", "throwable" -> isRead(field, "stack_trace", value);
      case "formattedmessage" -> isRead(field, "formattedMessage", value);
      default -> false;
    };
  }

  /**
   * Reads a field that has a column and moves the parser to the value's end.
   *
   * @param field the event's name of it
   * @param as its canonical name
   * @return false if it has no column; the parser has then not moved
   */
  private boolean isRead(String field, String as, JsonToken value) throws IOException {
    switch (as) {
      case "message", "msg", "@m" -> message(field, value);
      case "short_message" -> {
        shortMessage = text(value);
        gelfFields |= 1;
      }
      case "full_message" -> fullMessage = text(value);
      case "formattedMessage" -> {
        into.message = text(value);
        formatted = true;
      }
      case "log", "event", "body", "@mt" -> {
        // Of Docker, structlog, OpenTelemetry, Serilog: the message if it is a string.
        if (value != JsonToken.VALUE_STRING) {
          return false;
        }
        message(field, value);
      }
      case "arguments" -> {
        if (value != JsonToken.START_ARRAY) {
          return false;
        }
        arguments = texts();
        return true;
      }
      case "level", "severity", "log.level", "level.name", "lvl", "@l" -> {
        namesLogger |= as.equals("level.name");
        level(field, value);
      }
      case "level_value", "levelno" -> {
        levelNumber(as, value);
        return true;
      }
      case "loggerName", "logger_name", "log.logger", "logger", "_logger" ->
          into.logger = text(value);
      case "name" -> {
        if (value != JsonToken.VALUE_STRING) {
          return false;
        }
        name = parser.getText();
        return true;
      }
      case "thread", "thread_name", "threadName", "process.thread.name", "_thread" ->
          into.thread = text(value);
      case "instant",
          "@timestamp",
          "timestamp",
          "time",
          "timeMillis",
          "ts",
          "@t",
          "datetime",
          "asctime",
          "eventTime",
          "timeUnixNano" ->
          time(field, value);
      case "timestampSeconds" -> seconds = number(-1);
      case "timestampNanos" -> nanos = number(-1);
      case "nanoseconds" -> nanosOfSecond = number(-1);
      case "thrown", "exception", "_exception", "error", "throwable", "err" -> {
        if (value.isBoolean()) {
          return false;
        }
        thrown(field, value);
      }
      case "error.stack_trace", "stack_trace", "stack", "exc_info", "traceback", "@x" -> {
        if (value.isBoolean()) {
          return false;
        }
        if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
          thrown(field, value);
        } else if (value != JsonToken.VALUE_NULL) {
          exception().text = text(value);
        }
      }
      case "error.type" -> exception().type = text(value);
      case "error.message" -> exception().message = text(value);
      case "contextMap", "mdc", "labels", "logging.googleapis.com/labels", "kvpList" ->
          contextMap(field, value);
      case "endOfBatch",
          "loggerFqcn",
          "threadId",
          "threadPriority",
          "nanoTime",
          "logging.googleapis.com/trace_sampled" ->
          parser.skipChildren();
      case "ecs.version", "@version" -> {
        parser.skipChildren();
        return true;
      }
      default -> {
        return false;
      }
    }
    known = true;
    return true;
  }

  private void other(String field, JsonToken value) throws IOException {
    if (field.equals("version") || field.equals("host")) {
      gelfFields |= field.equals("version") ? 2 : 4;
    }
    // Of bunyan and pino.
    namesLogger |= field.equals("hostname");
    boolean ofGelf =
        field.equals("version")
            && value == JsonToken.VALUE_STRING
            && parser.getText().startsWith("1.");
    if (value != JsonToken.VALUE_NULL && !ofGelf) {
      into.context.copy(
          field.length() > 1 && field.startsWith("_") ? field.substring(1) : field, parser);
    }
  }

  private void message(String field, JsonToken value) throws IOException {
    if (into.message.isEmpty() && !formatted) {
      into.message = text(value);
    } else if (!formatted) {
      into.context.copy(field, parser);
    } else {
      parser.skipChildren();
    }
  }

  private String text(JsonToken value) throws IOException {
    return JsonText.of(parser, value);
  }

  private long number(long otherwise) throws IOException {
    return JsonText.number(parser, otherwise);
  }

  private List<String> texts() throws IOException {
    List<String> texts = new ArrayList<>();
    for (JsonToken value = parser.nextToken();
        value != JsonToken.END_ARRAY;
        value = parser.nextToken()) {
      texts.add(value == JsonToken.VALUE_NULL ? "null" : text(value));
    }
    return texts;
  }

  // ---- level and time ----

  private void level(String field, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_NULL) {
      return;
    }
    if (value == JsonToken.START_OBJECT) {
      levelObject(field);
      return;
    }
    String text = text(value).strip();
    LogLevel named = Levels.ofName(text);
    LogLevel numbered = named == null ? Levels.ofNumber(text) : null;
    boolean better = named == null ? level == Known.NOT : level != Known.BY_NAME;
    if (better && named != null) {
      into.level = named;
      level = Known.BY_NAME;
    } else if (better && numbered != null) {
      into.level = numbered;
      level = Known.BY_NUMBER;
    } else if (!text.isEmpty()) {
      into.context.put(field, text);
    }
  }

  /** Reads a level's name, with its number as a fallback. */
  private void levelObject(String field) throws IOException {
    LogLevel named = null;
    LogLevel numbered = null;
    for (String member = parser.nextFieldName(); member != null; member = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      switch (member) {
        case "name", "levelStr" -> {
          String text = text(value);
          named = Levels.ofName(text);
          if (named == null) {
            into.context.put(field, text);
          }
        }
        case "intLevel" -> numbered = Levels.ofLog4j(number(-1));
        case "levelInt" -> numbered = Levels.ofNumber(text(value));
        default -> parser.skipChildren();
      }
    }
    if (named != null || numbered != null) {
      into.level = named == null ? numbered : named;
      level = named == null ? Known.BY_NUMBER : Known.BY_NAME;
    }
  }

  /** Reads a level's number. A name takes precedence; the number then stays in the context. */
  private void levelNumber(String as, JsonToken value) throws IOException {
    String text = text(value);
    LogLevel numbered = as.equals("levelno") ? Levels.ofPython(text) : Levels.ofNumber(text);
    namesLogger |= as.equals("levelno");
    if (level == Known.NOT && numbered != null) {
      into.level = numbered;
      level = Known.BY_NUMBER;
    }
    into.context.put(as, text);
  }

  /** Reads the first valid time; others stay in the context. */
  private void time(String field, JsonToken value) throws IOException {
    if (value == JsonToken.START_OBJECT) {
      instant(field);
      return;
    }
    boolean readable = value == JsonToken.VALUE_STRING || value.isNumeric();
    long time =
        readable && into.epochNanos == LogEvent.UNKNOWN
            ? Times.of(parser.getText())
            : LogEvent.UNKNOWN;
    if (time != LogEvent.UNKNOWN) {
      into.epochNanos = time;
    } else if (value != JsonToken.VALUE_NULL) {
      into.context.copy(field, parser);
    }
  }

  private void instant(String field) throws IOException {
    long epochSecond = -1;
    long nanoOfSecond = 0;
    for (String member = parser.nextFieldName(); member != null; member = parser.nextFieldName()) {
      parser.nextToken();
      switch (member) {
        case "epochSecond", "seconds" -> epochSecond = number(-1);
        case "nanoOfSecond", "nanos" -> nanoOfSecond = number(-1);
        default -> parser.skipChildren();
      }
    }
    if (Times.of(epochSecond, nanoOfSecond) == LogEvent.UNKNOWN) {
      into.context.put(field, epochSecond + "." + nanoOfSecond);
    } else {
      seconds = epochSecond;
      nanos = nanoOfSecond;
    }
  }

  // ---- context ----

  /** Adds the members of an object, or of a list of key-value objects, to the context. */
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

  /** Adds a pair of Logback, which is an object with one member named by the key. */
  private void pair() throws IOException {
    String key = null;
    String text = "";
    for (String member = parser.nextFieldName(); member != null; member = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      switch (member) {
        case "key" -> key = text(value);
        case "value" -> text = text(value);
        default -> into.context.copy(member, parser);
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

  private void thrown(String field, JsonToken value) throws IOException {
    switch (value) {
      case START_OBJECT -> thrown = StackTraceJson.exception(parser, field + ".", into.context);
      case START_ARRAY -> StackTraceJson.addFrames(parser, exception());
      case VALUE_NULL -> {}
      default -> exception().text = text(value);
    }
  }

  // ---- the whole event ----

  private void finish(byte[] bytes, int from, int to) {
    if (gelfFields == 7) {
      cutter.needsDelimiter();
    }
    if (!known) {
      into.clear();
      into.message = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      into.noteAssumed(true);
      return;
    }
    finishTime();
    finishLogger();
    finishMessage();
    into.noteAssumed(level == Known.NOT);
  }

  private void finishTime() {
    if (seconds >= 0) {
      into.epochNanos = Times.of(seconds, nanos);
    }
    // Logback has milliseconds, and separately the nanoseconds of the second.
    boolean finer =
        nanosOfSecond >= 0
            && into.epochNanos != LogEvent.UNKNOWN
            && into.epochNanos / 1_000_000 % 1_000 == nanosOfSecond / 1_000_000;
    if (finer) {
      into.epochNanos += nanosOfSecond % 1_000_000 - into.epochNanos % 1_000_000;
    }
  }

  private void finishLogger() {
    if (name != null && namesLogger && into.logger.isEmpty()) {
      into.logger = name;
    } else if (name != null) {
      into.context.put("name", name);
    }
  }

  private void finishMessage() {
    if (arguments != null && !formatted) {
      into.message = Placeholders.filled(into.message, arguments);
    }
    if (shortMessage != null) {
      if (!into.message.isEmpty()) {
        into.context.put("message", into.message);
      }
      into.message = shortMessage;
    }
    if (thrown != null) {
      into.thrown = thrown.toString();
      takeOffStackTrace();
    }
    if (fullMessage != null && !fullMessage.isBlank()) {
      takeFullMessage();
    }
  }

  /**
   * Uses the full message as the stack trace, or as the message if it extends the short one;
   * otherwise appends it to the message.
   */
  private void takeFullMessage() {
    String full = fullMessage.strip();
    if (full.equals(into.thrown.strip()) || full.equals(into.message.strip())) {
      return;
    }
    boolean isException = fullMessage.contains("\n\tat ") || EXCEPTION.matcher(full).lookingAt();
    if (into.thrown.isEmpty() && isException) {
      into.thrown = fullMessage;
    } else if (fullMessage.startsWith(into.message)) {
      into.message = fullMessage;
    } else {
      into.message = into.message + '\n' + fullMessage;
    }
  }

  /**
   * Removes a stack trace from the message's end, where GcpLayout.json repeats it. Searches for a
   * short prefix of its first line: a long one could cost the square of the event's length.
   */
  private void takeOffStackTrace() {
    int end = into.thrown.indexOf('\n') + 1;
    String begin = into.thrown.substring(0, Math.min(end, MAX_SEARCH_CHARACTERS));
    int trace = end == 0 ? -1 : into.message.indexOf(begin);
    if (trace > 0
        && Character.isWhitespace(into.message.charAt(trace - 1))
        && into.message.regionMatches(trace, into.thrown, 0, end)) {
      into.message = into.message.substring(0, trace - 1);
    }
  }
}
