package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;

/** Reads JSON as strings and numbers, and writes it in one line without white space. Stateless. */
final class JsonText {
  private JsonText() {}

  /**
   * Returns the parser's current value as text, which is JSON except for strings; moves the parser
   * to its end.
   */
  static String of(JsonParser parser, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    if (value == JsonToken.VALUE_NULL) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    copy(parser, text);
    return text.toString();
  }

  /** Returns the number, or {@code otherwise} if it is invalid or too large. */
  static long number(JsonParser parser, long otherwise) throws IOException {
    try {
      return parser.getValueAsLong(otherwise);
    } catch (InputCoercionException e) {
      return otherwise;
    }
  }

  /** Skips to the end of an array, from any position outside of its elements. */
  static void skipToEndOfArray(JsonParser parser) throws IOException {
    while (parser.currentToken() != JsonToken.END_ARRAY && parser.currentToken() != null) {
      parser.skipChildren();
      parser.nextToken();
    }
  }

  static void quote(String text, StringBuilder out) {
    out.append('"');
    JsonStringEncoder.getInstance().quoteAsString(text, out);
    out.append('"');
  }

  /**
   * Copies the parser's current value and moves the parser to its end. Numbers keep their notation
   * and are not evaluated. Not recursive.
   */
  static void copy(JsonParser parser, StringBuilder out) throws IOException {
    int depth = 0;
    do {
      JsonToken token = parser.currentToken();
      if (!token.isStructEnd() && needsComma(out)) {
        out.append(',');
      }
      switch (token) {
        case START_OBJECT, START_ARRAY -> {
          out.append(token.asCharArray());
          depth++;
        }
        case END_OBJECT, END_ARRAY -> {
          out.append(token.asCharArray());
          depth--;
        }
        case FIELD_NAME -> {
          quote(parser.currentName(), out);
          out.append(':');
        }
        case VALUE_STRING -> quote(parser.getText(), out);
        default -> out.append(parser.getText());
      }
    } while (depth > 0 && parser.nextToken() != null);
  }

  /**
   * Returns whether a comma is needed. Strings end with a quotation mark, so a bracket is never
   * part of one.
   */
  private static boolean needsComma(StringBuilder out) {
    if (out.length() == 0) {
      return false;
    }
    char last = out.charAt(out.length() - 1);
    return last != '{' && last != '[' && last != ':' && last != ',';
  }
}
