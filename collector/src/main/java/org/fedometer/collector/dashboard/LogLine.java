package org.fedometer.collector.dashboard;

/**
 * A log event of level WARN or above.
 *
 * @param source name of the source
 * @param level such as {@code WARN}
 * @param message bounded
 */
record LogLine(long atEpochMillis, String source, String level, String logger, String message) {
  static final int MAX_KEPT = 200;

  LogLine {
    source = Texts.line(source, Texts.MAX_NAME_CHARACTERS);
    level = Texts.line(level, Texts.MAX_NAME_CHARACTERS);
    logger = Texts.line(logger, Texts.MAX_NAME_CHARACTERS);
    message = Texts.lines(message, Texts.MAX_MESSAGE_CHARACTERS);
  }
}
