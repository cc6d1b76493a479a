package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Reads exceptions that layouts write as JSON objects, by the names of their fields. Stateless. */
final class StackTraceJson {
  private StackTraceJson() {}

  /**
   * Reads the object at whose beginning a parser stands; it stands at its end afterwards. Recursion
   * is as deep as the JSON, see {@link EventCutter#MAX_DEPTH}.
   */
  static StackTrace exception(JsonParser parser) throws IOException {
    StackTrace exception = new StackTrace();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      switch (name) {
        case "name", "class", "className", "type", "exception_class" ->
            exception.type = JsonText.of(parser, value);
        case "message", "exception_message" -> exception.message = JsonText.of(parser, value);
        case "extendedStackTrace", "stackTrace", "stacktrace", "stack_trace" -> {
          if (value == JsonToken.START_ARRAY) {
            addFrames(parser, exception);
          } else {
            exception.text = JsonText.of(parser, value);
          }
        }
        case "commonElementCount" -> exception.commonFrames = (int) JsonText.number(parser, 0);
        case "cause" -> {
          if (value == JsonToken.START_OBJECT) {
            exception.cause = exception(parser);
          } else {
            parser.skipChildren();
          }
        }
        case "suppressed" -> {
          while (value == JsonToken.START_ARRAY && parser.nextToken() == JsonToken.START_OBJECT) {
            exception.suppressed.add(exception(parser));
          }
          skipToEndOfArrayOf(parser, value);
        }
        default -> parser.skipChildren();
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

  /** Reads the array at whose beginning a parser stands; it stands at its end afterwards. */
  static void addFrames(JsonParser parser, StackTrace exception) throws IOException {
    while (parser.nextToken() == JsonToken.START_OBJECT) {
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
