package org.fedometer.collector.logs;

import java.util.Locale;
import org.fedometer.wire.record.LogLevel;

/** What others call their levels. Stateless. */
final class Levels {
  private static final LogLevel[] OF_SYSLOG = {
    LogLevel.FATAL, LogLevel.FATAL, LogLevel.FATAL, LogLevel.ERROR,
    LogLevel.WARN, LogLevel.INFO, LogLevel.INFO, LogLevel.DEBUG
  };

  /** So far into a line a level is looked for. */
  private static final int LEVEL_WITHIN = 100;

  /** A number that is none: that of INFO. */
  static final long UNKNOWN = 400;

  private Levels() {}

  /** By the name that Log4j2, java.util.logging, syslog or a cloud gives it; null if unknown. */
  static LogLevel ofName(String name) {
    LogLevel level = ofUpperCase(name);
    return level == null ? ofUpperCase(name.toUpperCase(Locale.ROOT)) : level;
  }

  private static LogLevel ofUpperCase(String name) {
    return switch (name) {
      case "INFO", "INFORMATION", "INFORMATIONAL", "NOTICE", "DEFAULT" -> LogLevel.INFO;
      case "DEBUG", "FINE", "CONFIG" -> LogLevel.DEBUG;
      case "WARN", "WARNING" -> LogLevel.WARN;
      case "ERROR", "ERR", "SEVERE" -> LogLevel.ERROR;
      case "TRACE", "FINER", "FINEST", "ALL" -> LogLevel.TRACE;
      case "FATAL", "CRITICAL", "CRIT", "ALERT", "EMERGENCY", "EMERG", "PANIC", "OFF" ->
          LogLevel.FATAL;
      default -> null;
    };
  }

  /**
   * @param severity as in syslog: 0 to 7, the least is the gravest
   */
  static LogLevel ofSyslog(int severity) {
    return OF_SYSLOG[severity & 7];
  }

  /** By a number: syslog's severity up to 7, else Log4j2's intLevel, 100 (FATAL) to 600 (TRACE). */
  static LogLevel ofNumber(long number) {
    if (number < 8) {
      return ofSyslog((int) Math.max(0, number));
    }
    if (number < 150) {
      return LogLevel.FATAL;
    }
    if (number < 250) {
      return LogLevel.ERROR;
    }
    if (number < 350) {
      return LogLevel.WARN;
    }
    if (number < 450) {
      return LogLevel.INFO;
    }
    return number < 550 ? LogLevel.DEBUG : LogLevel.TRACE;
  }

  /** The first word near the line's beginning that is a level in capitals; INFO if none is. */
  static LogLevel inLine(String line) {
    int end = Math.min(line.length(), LEVEL_WITHIN);
    int word = -1;
    for (int i = 0; i <= end; i++) {
      boolean capital = i < line.length() && line.charAt(i) >= 'A' && line.charAt(i) <= 'Z';
      if (capital && word < 0) {
        word = i > 0 && isOfWord(line.charAt(i - 1)) ? -1 : i;
      } else if (!capital && word >= 0) {
        boolean ends = i >= line.length() || !isOfWord(line.charAt(i));
        LogLevel level =
            ends && isOfLogs(line, word, i) ? ofUpperCase(line.substring(word, i)) : null;
        if (level != null) {
          return level;
        }
        word = -1;
      }
    }
    return LogLevel.INFO;
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  /** Not every name is one in the midst of a sentence. */
  private static boolean isOfLogs(String line, int from, int to) {
    return switch (line.substring(from, to)) {
      case "TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "SEVERE", "FATAL" -> true;
      default -> false;
    };
  }
}
