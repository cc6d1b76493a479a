package org.fedometer.collector.measured;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fields of one event in any order; reusable, one thread at a time. Integers are never parsed as
 * doubles.
 */
final class MeasuredEvent {
  /** Limit of attributes of a {@code hello}; further ones of later agents are skipped. */
  private static final int MAX_OTHER_TEXTS = 24;

  private static final int MAX_OTHER_TEXT_CHARACTERS = 1024;
  private static final Map<String, TextField> TEXTS = new HashMap<>();
  private static final Map<String, IntegerField> INTEGERS = new HashMap<>();
  private static final Map<String, FlagField> FLAGS = new HashMap<>();

  static {
    for (TextField text : TextField.values()) {
      TEXTS.put(text.field, text);
    }
    for (IntegerField integer : IntegerField.values()) {
      INTEGERS.put(integer.field, integer);
    }
    for (FlagField flag : FlagField.values()) {
      FLAGS.put(flag.field, flag);
    }
  }

  private final String[] texts = new String[TextField.values().length];
  private final long[] integers = new long[IntegerField.values().length];
  private int integersPresent;
  private int flagsPresent;
  private int flagsSet;
  private boolean valuePresent;
  private double value;
  private final List<StageSums> stages = new ArrayList<>();
  private boolean stagesPresent;
  private final Map<String, String> others = new LinkedHashMap<>();

  enum TextField {
    ACTION("action"),
    CAUSE("cause"),
    COLLECTOR("collector"),
    EVENT("event"),
    EXCEPTION("exception"),
    KIND("kind"),
    LEVEL("level"),
    LOGGER("logger"),
    MESSAGE("message"),
    METRIC("metric"),
    NAME("name"),
    OPERATION("operation"),
    PID("pid"),
    ROOT_STAGE("rootStage"),
    RUN("run"),
    RUN_NAME("runName"),
    SOURCE("source"),
    STAGE("stage"),
    THREAD("thread"),
    TRACEPARENT("traceparent"),
    UNIT("unit");

    private final String field;

    TextField(String field) {
      this.field = field;
    }
  }

  enum IntegerField {
    AT_NANOS("atNanos"),
    DURATION_NANOS("durationNanos"),
    EPOCH_NANOS("epochNanos"),
    FRAME("frame"),
    FRAMES_DROPPED("framesDropped"),
    HEAP_AFTER_BYTES("heapAfterBytes"),
    HEAP_BEFORE_BYTES("heapBeforeBytes"),
    INDEX("index"),
    NANOS("nanos"),
    SELF_NANOS("selfNanos"),
    SAMPLES_DROPPED("samplesDropped"),
    SCHEMA("schema"),
    STAGES_SKIPPED("stagesSkipped"),
    START_NANOS("startNanos"),
    THREAD_ID("threadId"),
    THREADS_REFUSED("threadsRefused"),
    TRACE("trace"),
    TRACES_DROPPED("tracesDropped");

    private final String field;

    IntegerField(String field) {
      this.field = field;
    }
  }

  enum FlagField {
    FAILED("failed"),
    LAST("last");

    private final String field;

    FlagField(String field) {
      this.field = field;
    }
  }

  /** Sums of one stage in {@code totals}. */
  record StageSums(String stage, long count, long failed, long durationNanos) {}

  /**
   * Reads an event, replacing the previous one.
   *
   * @param parser at the object's start; afterwards at its end
   * @throws IOException if it is no object of such fields
   */
  void read(JsonParser parser) throws IOException {
    clear();
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      TextField text = TEXTS.get(field);
      if (text != null) {
        texts[text.ordinal()] = textOf(parser, field, token);
        continue;
      }
      IntegerField integer = INTEGERS.get(field);
      if (integer != null) {
        integers[integer.ordinal()] = integerOf(parser, field, token);
        integersPresent |= 1 << integer.ordinal();
        continue;
      }
      readRare(parser, field, token);
    }
  }

  private void clear() {
    Arrays.fill(texts, null);
    integersPresent = 0;
    flagsPresent = 0;
    flagsSet = 0;
    valuePresent = false;
    stages.clear();
    stagesPresent = false;
    others.clear();
  }

  private void readRare(JsonParser parser, String field, JsonToken token) throws IOException {
    FlagField flag = FLAGS.get(field);
    if (flag != null) {
      flagsPresent |= 1 << flag.ordinal();
      flagsSet |= flagOf(field, token) ? 1 << flag.ordinal() : 0;
    } else if (field.equals("value")) {
      value = numberOf(parser, field, token);
      valuePresent = true;
    } else if (field.equals("stages")) {
      readStages(parser, token);
    } else if (token == JsonToken.VALUE_STRING) {
      String other = parser.getText();
      if (others.size() < MAX_OTHER_TEXTS
          && other.length() <= MAX_OTHER_TEXT_CHARACTERS
          && field.length() <= MAX_OTHER_TEXT_CHARACTERS) {
        others.put(field, other);
      }
    } else {
      parser.skipChildren();
    }
  }

  private void readStages(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.START_ARRAY) {
      throw malformed("stages", "an array", token);
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      stages.add(readStage(parser));
    }
    if (parser.currentToken() != JsonToken.END_ARRAY) {
      throw malformed("stages", "an array of objects", parser.currentToken());
    }
    stagesPresent = true;
  }

  private static StageSums readStage(JsonParser parser) throws IOException {
    String stage = null;
    Long count = null;
    Long failed = null;
    Long durationNanos = null;
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      switch (field) {
        case "stage" -> stage = textOf(parser, field, token);
        case "count" -> count = integerOf(parser, field, token);
        case "failed" -> failed = integerOf(parser, field, token);
        case "durationNanos" -> durationNanos = integerOf(parser, field, token);
        default -> parser.skipChildren();
      }
    }
    if (stage == null || count == null || failed == null || durationNanos == null) {
      throw new MalformedEventException(
          "One of the \"stages\" lacks its name, count, failures or time");
    }
    return new StageSums(stage, count, failed, durationNanos);
  }

  private static String textOf(JsonParser parser, String field, JsonToken token)
      throws IOException {
    if (token != JsonToken.VALUE_STRING) {
      throw malformed(field, "a text", token);
    }
    return parser.getText();
  }

  private static long integerOf(JsonParser parser, String field, JsonToken token)
      throws IOException {
    if (token != JsonToken.VALUE_NUMBER_INT) {
      throw malformed(field, "an integer", token);
    }
    return parser.getLongValue();
  }

  private static double numberOf(JsonParser parser, String field, JsonToken token)
      throws IOException {
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw malformed(field, "a number", token);
    }
    return parser.getDoubleValue();
  }

  private static boolean flagOf(String field, JsonToken token) throws MalformedEventException {
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw malformed(field, "true or false", token);
    }
    return token == JsonToken.VALUE_TRUE;
  }

  private static MalformedEventException malformed(String field, String expected, JsonToken token) {
    return new MalformedEventException(
        "The field \"" + field + "\" of a Fedometer event must be " + expected + ", not " + token);
  }

  // ---- values ----

  String text(TextField which) throws MalformedEventException {
    String text = texts[which.ordinal()];
    if (text == null) {
      throw missing(which.field);
    }
    return text;
  }

  /** Returns empty if missing. */
  String textOrEmpty(TextField which) {
    String text = texts[which.ordinal()];
    return text == null ? "" : text;
  }

  long integer(IntegerField which) throws MalformedEventException {
    if ((integersPresent & 1 << which.ordinal()) == 0) {
      throw missing(which.field);
    }
    return integers[which.ordinal()];
  }

  /** Returns an integer, at least 0 and below {@code limit}. */
  long integer(IntegerField which, long limit) throws MalformedEventException {
    long integer = integer(which);
    if (integer < 0 || integer >= limit) {
      throw new MalformedEventException(
          "The field \""
              + which.field
              + "\" of a Fedometer event must be between 0 and "
              + (limit - 1)
              + ", not "
              + integer);
    }
    return integer;
  }

  boolean flag(FlagField which) throws MalformedEventException {
    if ((flagsPresent & 1 << which.ordinal()) == 0) {
      throw missing(which.field);
    }
    return (flagsSet & 1 << which.ordinal()) != 0;
  }

  double value() throws MalformedEventException {
    if (!valuePresent) {
      throw missing("value");
    }
    return value;
  }

  /** Returns a view, valid until the next event is read. */
  List<StageSums> stages() throws MalformedEventException {
    if (!stagesPresent) {
      throw missing("stages");
    }
    return stages;
  }

  /**
   * Returns texts without a field of their own, by name; a view, valid until the next event is
   * read.
   */
  Map<String, String> others() {
    return others;
  }

  private static MalformedEventException missing(String field) {
    return new MalformedEventException("A Fedometer event lacks the field \"" + field + "\"");
  }
}
