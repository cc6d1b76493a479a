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
 * The fields of one event, whatever their order; reusable, one thread at a time. Integers are read
 * as such, never by way of a double.
 */
final class MeasuredEvent {
  /** Attributes of a {@code hello}; what else a later agent may say is passed over beyond. */
  private static final int MOST_OTHER_TEXTS = 24;

  private static final int LONGEST_OTHER_TEXT = 1024;
  private static final Map<String, Text> TEXTS = new HashMap<>();
  private static final Map<String, Whole> WHOLES = new HashMap<>();
  private static final Map<String, Flag> FLAGS = new HashMap<>();

  static {
    for (Text text : Text.values()) {
      TEXTS.put(text.field, text);
    }
    for (Whole whole : Whole.values()) {
      WHOLES.put(whole.field, whole);
    }
    for (Flag flag : Flag.values()) {
      FLAGS.put(flag.field, flag);
    }
  }

  private final String[] texts = new String[Text.values().length];
  private final long[] wholes = new long[Whole.values().length];
  private int wholesGiven;
  private int flagsGiven;
  private int flagsSet;
  private boolean valueGiven;
  private double value;
  private final List<StageSums> stages = new ArrayList<>();
  private boolean stagesGiven;
  private final Map<String, String> others = new LinkedHashMap<>();

  enum Text {
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

    Text(String field) {
      this.field = field;
    }
  }

  enum Whole {
    AT_NANOS("atNanos"),
    DURATION_NANOS("durationNanos"),
    EPOCH_NANOS("epochNanos"),
    FRAME("frame"),
    FRAMES_DROPPED("framesDropped"),
    HEAP_AFTER_BYTES("heapAfterBytes"),
    HEAP_BEFORE_BYTES("heapBeforeBytes"),
    INDEX("index"),
    NANOS("nanos"),
    OWN_NANOS("ownNanos"),
    SAMPLES_DROPPED("samplesDropped"),
    SCHEMA("schema"),
    STAGES_SKIPPED("stagesSkipped"),
    START_NANOS("startNanos"),
    THREAD_ID("threadId"),
    THREADS_REFUSED("threadsRefused"),
    TOTAL_NANOS("totalNanos"),
    TRACE("trace"),
    TRACES_DROPPED("tracesDropped");

    private final String field;

    Whole(String field) {
      this.field = field;
    }
  }

  enum Flag {
    FAILED("failed"),
    LAST("last");

    private final String field;

    Flag(String field) {
      this.field = field;
    }
  }

  /** Of one stage, as {@code totals} say it. */
  record StageSums(String stage, long count, long failed, long totalNanos) {}

  /**
   * Takes the place of what was read before.
   *
   * @param parser at the beginning of the object; afterwards at its end
   * @throws IOException it is no object of such fields
   */
  void read(JsonParser parser) throws IOException {
    clear();
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      Text text = TEXTS.get(field);
      if (text != null) {
        texts[text.ordinal()] = textOf(parser, field, token);
        continue;
      }
      Whole whole = WHOLES.get(field);
      if (whole != null) {
        wholes[whole.ordinal()] = wholeOf(parser, field, token);
        wholesGiven |= 1 << whole.ordinal();
        continue;
      }
      readRare(parser, field, token);
    }
  }

  private void clear() {
    Arrays.fill(texts, null);
    wholesGiven = 0;
    flagsGiven = 0;
    flagsSet = 0;
    valueGiven = false;
    stages.clear();
    stagesGiven = false;
    others.clear();
  }

  private void readRare(JsonParser parser, String field, JsonToken token) throws IOException {
    Flag flag = FLAGS.get(field);
    if (flag != null) {
      flagsGiven |= 1 << flag.ordinal();
      flagsSet |= flagOf(field, token) ? 1 << flag.ordinal() : 0;
    } else if (field.equals("value")) {
      value = numberOf(parser, field, token);
      valueGiven = true;
    } else if (field.equals("stages")) {
      readStages(parser, token);
    } else if (token == JsonToken.VALUE_STRING) {
      String other = parser.getText();
      if (others.size() < MOST_OTHER_TEXTS
          && other.length() <= LONGEST_OTHER_TEXT
          && field.length() <= LONGEST_OTHER_TEXT) {
        others.put(field, other);
      }
    } else {
      parser.skipChildren();
    }
  }

  private void readStages(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.START_ARRAY) {
      throw wrong("stages", "an array", token);
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      stages.add(readStage(parser));
    }
    if (parser.currentToken() != JsonToken.END_ARRAY) {
      throw wrong("stages", "an array of objects", parser.currentToken());
    }
    stagesGiven = true;
  }

  private static StageSums readStage(JsonParser parser) throws IOException {
    String stage = null;
    Long count = null;
    Long failed = null;
    Long totalNanos = null;
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      switch (field) {
        case "stage" -> stage = textOf(parser, field, token);
        case "count" -> count = wholeOf(parser, field, token);
        case "failed" -> failed = wholeOf(parser, field, token);
        case "totalNanos" -> totalNanos = wholeOf(parser, field, token);
        default -> parser.skipChildren();
      }
    }
    if (stage == null || count == null || failed == null || totalNanos == null) {
      throw new MalformedEventException(
          "One of the \"stages\" lacks its name, count, failures or time");
    }
    return new StageSums(stage, count, failed, totalNanos);
  }

  private static String textOf(JsonParser parser, String field, JsonToken token)
      throws IOException {
    if (token != JsonToken.VALUE_STRING) {
      throw wrong(field, "a text", token);
    }
    return parser.getText();
  }

  private static long wholeOf(JsonParser parser, String field, JsonToken token) throws IOException {
    if (token != JsonToken.VALUE_NUMBER_INT) {
      throw wrong(field, "an integer", token);
    }
    return parser.getLongValue();
  }

  private static double numberOf(JsonParser parser, String field, JsonToken token)
      throws IOException {
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw wrong(field, "a number", token);
    }
    return parser.getDoubleValue();
  }

  private static boolean flagOf(String field, JsonToken token) throws MalformedEventException {
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw wrong(field, "true or false", token);
    }
    return token == JsonToken.VALUE_TRUE;
  }

  private static MalformedEventException wrong(String field, String what, JsonToken token) {
    return new MalformedEventException(
        "The field \"" + field + "\" of a Fedometer event is " + what + ", not " + token);
  }

  // ---- what was read ----

  String text(Text which) throws MalformedEventException {
    String text = texts[which.ordinal()];
    if (text == null) {
      throw lacks(which.field);
    }
    return text;
  }

  /** Empty where it is missing. */
  String textIfAny(Text which) {
    String text = texts[which.ordinal()];
    return text == null ? "" : text;
  }

  long whole(Whole which) throws MalformedEventException {
    if ((wholesGiven & 1 << which.ordinal()) == 0) {
      throw lacks(which.field);
    }
    return wholes[which.ordinal()];
  }

  /** An integer that is not negative, and below a limit. */
  long whole(Whole which, long limit) throws MalformedEventException {
    long whole = whole(which);
    if (whole < 0 || whole >= limit) {
      throw new MalformedEventException(
          "The field \""
              + which.field
              + "\" of a Fedometer event lies between 0 and "
              + (limit - 1)
              + ", not at "
              + whole);
    }
    return whole;
  }

  boolean flag(Flag which) throws MalformedEventException {
    if ((flagsGiven & 1 << which.ordinal()) == 0) {
      throw lacks(which.field);
    }
    return (flagsSet & 1 << which.ordinal()) != 0;
  }

  double value() throws MalformedEventException {
    if (!valueGiven) {
      throw lacks("value");
    }
    return value;
  }

  /** A view, until the next event is read. */
  List<StageSums> stages() throws MalformedEventException {
    if (!stagesGiven) {
      throw lacks("stages");
    }
    return stages;
  }

  /** Texts that have no other place, by their fields; a view, until the next event is read. */
  Map<String, String> others() {
    return others;
  }

  private static MalformedEventException lacks(String field) {
    return new MalformedEventException("A Fedometer event lacks the field \"" + field + "\"");
  }
}
