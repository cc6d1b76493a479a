package org.fedometer.collector.influx;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A point, for the clients of both APIs. It replaces any point of the same measurement, tags and
 * time. Immutable once handed over.
 *
 * @param measurement one of a few fixed names
 * @param tags by name; an empty value counts as none
 * @param fields by name: Long, Double (finite) or String, each name always of one type
 * @param epochNanos since 1970, by the collector's clock
 */
record InfluxPoint(
    String measurement, Map<String, String> tags, Map<String, Object> fields, long epochNanos) {

  /** Longer texts are useless as series names. */
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

  /** Adds a field; ignores null and empty values. */
  InfluxPoint field(String name, String value) {
    if (value != null && !value.isEmpty()) {
      fields.put(name, plain(value));
    }
    return this;
  }

  /**
   * Returns a text that every version of the line protocol can hold as a tag.
   *
   * <p>No escape exists for line ends, or for a backslash before a comma or at the end. Lookalike
   * characters replace them, so that different stages stay distinct.
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
