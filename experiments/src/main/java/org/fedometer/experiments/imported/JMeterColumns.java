package org.fedometer.experiments.imported;

import java.util.Locale;

/**
 * Positions of the columns of JMeter's results; -1 if missing. Immutable.
 *
 * @param fields number of fields in a record; 0 if unknown
 */
record JMeterColumns(
    byte delimiter,
    int fields,
    int timeStamp,
    int elapsed,
    int label,
    int responseCode,
    int responseMessage,
    int threadName,
    int success,
    int failureMessage,
    int sampleCount) {

  private static final byte[] DELIMITERS = {',', '\t', ';', '|'};

  /** The first of JMeter's columns, the same in all versions. */
  private static final int MIN_DEFAULTS = 8;

  private static final int DEFAULT_SUCCESS = 7;

  /** Digits of a time in milliseconds since 1990. */
  private static final int TIME_DIGITS = 12;

  /** Returns null if the first record names no columns. */
  static JMeterColumns ofHeader(byte[] bytes, int from, int to) {
    Fields fields = new Fields();
    for (byte delimiter : DELIMITERS) {
      JMeterColumns columns = named(fields, bytes, from, to, delimiter);
      if (columns != null) {
        return columns;
      }
    }
    // Any other delimiter follows the first name.
    int at = from;
    while (at < to && (Character.isLetterOrDigit(bytes[at]) || bytes[at] == '_')) {
      at++;
    }
    return at == to || bytes[at] <= ' ' || bytes[at] == '"'
        ? null
        : named(fields, bytes, from, to, bytes[at]);
  }

  private static JMeterColumns named(
      Fields fields, byte[] bytes, int from, int to, byte delimiter) {
    if (!fields.split(bytes, from, to, delimiter)) {
      return null;
    }
    int elapsed = first(fields, "elapsed");
    if (elapsed < 0) {
      elapsed = first(fields, "time"); // JMeter before 2.3
    }
    int timeStamp = first(fields, "timeStamp");
    int label = first(fields, "label");
    if (elapsed < 0 || (timeStamp < 0 && label < 0)) {
      return null;
    }
    return new JMeterColumns(
        delimiter,
        fields.count(),
        timeStamp,
        elapsed,
        label,
        first(fields, "responseCode"),
        first(fields, "responseMessage"),
        first(fields, "threadName"),
        first(fields, "success"),
        first(fields, "failureMessage"),
        first(fields, "SampleCount"));
  }

  private static int first(Fields fields, String name) {
    for (int i = 0; i < fields.count(); i++) {
      if (fields.isIgnoringCase(i, name.toLowerCase(Locale.ROOT))) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the columns of a file without names, in JMeter's default order; null if they do not
   * match.
   */
  static JMeterColumns ofDefaults(byte[] bytes, int from, int to) {
    Fields fields = new Fields();
    for (byte delimiter : DELIMITERS) {
      if (fields.split(bytes, from, to, delimiter)
          && fields.count() >= MIN_DEFAULTS
          && fields.end(0) - fields.start(0) >= TIME_DIGITS
          && Numbers.whole(bytes, fields.start(0), fields.end(0)) >= 0
          && Numbers.whole(bytes, fields.start(1), fields.end(1)) >= 0
          && (fields.isIgnoringCase(DEFAULT_SUCCESS, "true")
              || fields.isIgnoringCase(DEFAULT_SUCCESS, "false"))) {
        return new JMeterColumns(
            delimiter, fields.count(), 0, 1, 2, 3, 4, 5, DEFAULT_SUCCESS, -1, -1);
      }
    }
    return null;
  }
}
