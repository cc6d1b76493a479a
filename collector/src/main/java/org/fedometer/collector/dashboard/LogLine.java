package org.fedometer.collector.dashboard;

/**
 * A warning, or something worse, of a log.
 *
 * @param source name of the source
 * @param level such as {@code WARN}
 * @param message bounded
 */
record LogLine(long atEpochMillis, String source, String level, String logger, String message) {
  static final int MOST = 200;

  LogLine {
    source = Texts.line(source, Texts.LONGEST_NAME);
    level = Texts.line(level, Texts.LONGEST_NAME);
    logger = Texts.line(logger, Texts.LONGEST_NAME);
    message = Texts.lines(message, Texts.LONGEST_MESSAGE);
  }
}
