package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Reads exceptions from JSON objects, by field names. Stateless. */
final class StackTraceJson {
  private StackTraceJson() {}

  /**
   * Reads the parser's current object and moves the parser to its end. Recursion is as deep as the
   * JSON, see {@link EventCutter#MAX_DEPTH}.
   *
   * @param prefix of names of other members, such as a code
   * @param others receives these, except those of causes
   */
  static StackTrace exception(JsonParser parser, String prefix, ContextJson others)
      throws IOException {
    return exception(parser, name -> others.copy(prefix + name, parser));
  }

  /** Handles another member of an exception; the parser moves from the value's start to its end. */
  private interface Member {
    void read(String name) throws IOException;
  }

  private static StackTrace exception(JsonParser parser, Member others) throws IOException {
    StackTrace exception = new StackTrace();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      switch (name) {
        case "name", "class", "className", "type", "exception_class" ->
            exception.type = JsonText.of(parser, value);
        case "message", "exception_message" -> exception.message = JsonText.of(parser, value);
        case "extendedStackTrace",
            "stackTrace",
            "stacktrace",
            "stack_trace",
            "stack",
            "stepArray" -> {
          if (value == JsonToken.START_ARRAY) {
            addFrames(parser, exception);
          } else {
            exception.text = JsonText.of(parser, value);
          }
        }
        case "commonElementCount", "commonFramesCount" ->
            exception.commonFrames = (int) JsonText.number(parser, 0);
        case "cause" -> {
          if (value == JsonToken.START_OBJECT) {
            exception.cause = exception(parser, any -> parser.skipChildren());
          } else {
            parser.skipChildren();
          }
        }
        case "suppressed" -> {
          while (value == JsonToken.START_ARRAY && parser.nextToken() == JsonToken.START_OBJECT) {
            exception.suppressed.add(exception(parser, any -> parser.skipChildren()));
          }
          skipToEndOfArrayOf(parser, value);
        }
        case "localizedMessage" -> parser.skipChildren();
        default -> others.read(name);
      }
    }
    return exception;
  }

  private static void skipToEndOfArrayOf(JsonParser parser, JsonToken value) throws IOException {
    if (value == JsonToken.START_ARRAY) {
      JsonText.skipToEndOfArray(parser);
    } else {
      parser.skipChildren();
    }
  }

  /**
   * Reads the parser's current array, of frames or of lines of text, and moves the parser to its
   * end.
   */
  static void addFrames(JsonParser parser, StackTrace exception) throws IOException {
    JsonToken element = parser.nextToken();
    StringBuilder lines = new StringBuilder(exception.text);
    for (; element == JsonToken.VALUE_STRING; element = parser.nextToken()) {
      lines.append(lines.isEmpty() ? "" : "\n").append(parser.getText());
    }
    exception.text = lines.toString();
    for (; element == JsonToken.START_OBJECT; element = parser.nextToken()) {
      StackTrace.Frame frame = new StackTrace.Frame();
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        JsonToken value = parser.nextToken();
        switch (name) {
          case "class", "className" -> frame.type = JsonText.of(parser, value);
          case "method", "methodName" -> frame.method = JsonText.of(parser, value);
          case "file", "fileName" -> frame.file = JsonText.of(parser, value);
          case "line", "lineNumber" -> frame.line = JsonText.of(parser, value);
          case "location" -> frame.location = JsonText.of(parser, value);
          case "version" -> frame.version = JsonText.of(parser, value);
          case "exact" -> frame.exact = value != JsonToken.VALUE_FALSE;
          default -> parser.skipChildren();
        }
      }
      exception.add(frame);
    }
    JsonText.skipToEndOfArray(parser);
  }
}
