package org.fedometer.collector.influx;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One point, for the clients of either API. A second point of the same measurement, tags and time
 * takes the place of the first. Immutable once it is handed on.
 *
 * @param measurement one of a few fixed names
 * @param tags by name; an empty value is as good as none
 * @param fields by name: Long, Double (finite) or String, each name always of one type
 * @param epochNanos since 1970, by the collector's clock
 */
record InfluxPoint(
    String measurement, Map<String, String> tags, Map<String, Object> fields, long epochNanos) {

  /** Longer texts are of no use as the name of a series. */
  private static final int MAX_TEXT_CHARACTERS = 1024;

  private static final char FIRST_CONTROL_PICTURE = '\u2400';
  private static final char PICTURE_OF_DELETE = '\u2421';
  private static final char WIDE_BACKSLASH = '\uFF3C';

  static InfluxPoint of(String measurement, long epochNanos) {
    return new InfluxPoint(measurement, new LinkedHashMap<>(), new LinkedHashMap<>(), epochNanos);
  }

  InfluxPoint tag(String name, String value) {
    if (value != null && !value.isEmpty()) {
      tags.put(plain(name), plain(value));
    }
    return this;
  }

  InfluxPoint field(String name, long value) {
    fields.put(name, value);
    return this;
  }

  InfluxPoint field(String name, double value) {
    fields.put(name, value);
    return this;
  }

  /** None where there is no value. */
  InfluxPoint field(String name, String value) {
    if (value != null && !value.isEmpty()) {
      fields.put(name, plain(value));
    }
    return this;
  }

  /**
   * A text that every version of the line protocol can hold as a tag: there is no way to write a
   * line's end there, nor a backslash before a comma or at the end, whatever a client escapes. What
   * stands for them is a picture of each, so that two stages do not become one.
   */
  private static String plain(String text) {
    int length = Math.min(text.length(), MAX_TEXT_CHARACTERS);
    if (length < text.length() && Character.isHighSurrogate(text.charAt(length - 1))) {
      length--;
    }
    StringBuilder result = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < ' ') {
        result.append((char) (FIRST_CONTROL_PICTURE + c));
      } else if (c == '\u007F') {
        result.append(PICTURE_OF_DELETE);
      } else {
        result.append(c == '\\' ? WIDE_BACKSLASH : c);
      }
    }
    return result.toString();
  }
}
