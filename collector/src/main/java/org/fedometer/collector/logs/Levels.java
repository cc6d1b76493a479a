package org.fedometer.collector.logs;

import java.util.Locale;
import java.util.regex.Pattern;
import org.fedometer.wire.record.LogLevel;

/** Maps other loggers' levels. Stateless. */
final class Levels {
  private static final LogLevel[] OF_SYSLOG = {
    LogLevel.FATAL, LogLevel.FATAL, LogLevel.FATAL, LogLevel.ERROR,
    LogLevel.WARN, LogLevel.INFO, LogLevel.INFO, LogLevel.DEBUG
  };

  private static final LogLevel[] TENS = {
    LogLevel.TRACE,
    LogLevel.TRACE,
    LogLevel.DEBUG,
    LogLevel.INFO,
    LogLevel.WARN,
    LogLevel.ERROR,
    LogLevel.FATAL
  };
  private static final LogLevel[] OF_LOG4J = {
    LogLevel.FATAL,
    LogLevel.FATAL,
    LogLevel.ERROR,
    LogLevel.WARN,
    LogLevel.INFO,
    LogLevel.DEBUG,
    LogLevel.TRACE
  };
  private static final LogLevel[] OF_JUL = {
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    LogLevel.DEBUG,
    LogLevel.INFO,
    LogLevel.WARN,
    LogLevel.ERROR
  };
  private static final LogLevel[] OF_LOGBACK = {
    LogLevel.TRACE, LogLevel.DEBUG, LogLevel.INFO, LogLevel.WARN, LogLevel.ERROR, LogLevel.FATAL
  };
  private static final LogLevel[] OF_PYTHON = {
    LogLevel.TRACE, LogLevel.DEBUG, LogLevel.INFO, LogLevel.WARN, LogLevel.ERROR, LogLevel.FATAL
  };

  /** Integers, also with a fraction of zeros. */
  private static final Pattern INTEGER = Pattern.compile("[0-9]{1,10}(?:[.]0+)?");

  /** Length of the longest level name. */
  private static final int MAX_NAME_CHARS = 24;

  /** Limit of the search for a level in a line. */
  private static final int MAX_LEVEL_OFFSET = 100;

  private Levels() {}

  /**
   * Returns the level of a name in Log4j2, java.util.logging, syslog, a cloud or another logger, in
   * either case; null if unknown.
   */
  static LogLevel ofName(String name) {
    LogLevel level = ofUpperCase(name);
    if (level != null || name.length() > MAX_NAME_CHARS) {
      return level;
    }
    String upperCase = name.strip().toUpperCase(Locale.ROOT);
    int last = upperCase.length() - 1;
    // OpenTelemetry has INFO2, PostgreSQL DEBUG5.
    boolean numbered = last > 3 && upperCase.charAt(last) >= '1' && upperCase.charAt(last) <= '5';
    return ofUpperCase(numbered ? upperCase.substring(0, last) : upperCase);
  }

  private static LogLevel ofUpperCase(String name) {
    return switch (name) {
      case "INFO", "INFORMATION", "INFORMATIONAL", "NOTICE", "DEFAULT", "INF", "I", "SUCCESS" ->
          LogLevel.INFO;
      case "DEBUG", "FINE", "CONFIG", "DBG", "D" -> LogLevel.DEBUG;
      case "WARN", "WARNING", "WRN", "W" -> LogLevel.WARN;
      case "ERROR", "ERR", "SEVERE", "E" -> LogLevel.ERROR;
      case "TRACE", "FINER", "FINEST", "ALL", "TRC", "T", "VERBOSE", "VRB", "SILLY" ->
          LogLevel.TRACE;
      case "FATAL",
          "CRITICAL",
          "CRIT",
          "ALERT",
          "EMERGENCY",
          "EMERG",
          "PANIC",
          "DPANIC",
          "FTL",
          "F",
          "OFF" ->
          LogLevel.FATAL;
      default -> null;
    };
  }

  /** Returns the level of a syslog severity, 0 (most severe) to 7. */
  static LogLevel ofSyslog(int severity) {
    return OF_SYSLOG[severity & 7];
  }

  /**
   * Returns the level of a number, of whichever scale contains it; null if none does.
   *
   * <p>Scales: syslog's severity (0 to 7), pino and bunyan (10 to 60), Log4j2's intLevel (100 to
   * 650), java.util.logging (700 to 1,000), Logback and Log4j 1 (5,000 to 50,000).
   */
  static LogLevel ofNumber(String digits) {
    long number = number(digits);
    if (number < 0) {
      return null;
    }
    if (number < 8) {
      return ofSyslog((int) number);
    }
    if (number < 100) {
      return ofTens(number, 10, TENS);
    }
    if (number <= 650) {
      return ofLog4j(number);
    }
    if (number <= 1_000) {
      return number < 700 ? null : number < 800 ? LogLevel.DEBUG : ofTens(number, 100, OF_JUL);
    }
    if (number < 5_000 || number > 50_000) {
      return null;
    }
    return number < 10_000 ? LogLevel.TRACE : ofTens(number, 10_000, OF_LOGBACK);
  }

  /**
   * Returns the nearest level of Log4j2's intLevel, 100 (FATAL) to 600 (TRACE); null if negative.
   */
  static LogLevel ofLog4j(long number) {
    return number < 0 ? null : ofTens(number, 100, OF_LOG4J);
  }

  /**
   * Returns the level of a number of Python's logging, 10 (DEBUG) to 50 (CRITICAL); null if
   * invalid.
   */
  static LogLevel ofPython(String digits) {
    long number = number(digits);
    return number < 0 || number > 100 ? null : ofTens(number, 10, OF_PYTHON);
  }

  /** Returns the nearest of equidistant levels. */
  private static LogLevel ofTens(long number, int apart, LogLevel[] levels) {
    return levels[(int) Math.min(levels.length - 1, (number + apart / 2) / apart)];
  }

  /** Returns negative if invalid or too large. */
  private static long number(String digits) {
    if (!INTEGER.matcher(digits).matches()) {
      return -1;
    }
    int point = digits.indexOf('.');
    return Long.parseLong(point < 0 ? digits : digits.substring(0, point));
  }

  /** Returns the first level in capitals near the line's start; INFO without one. */
  static LogLevel inLine(String line) {
    int end = Math.min(line.length(), MAX_LEVEL_OFFSET);
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

  /** Returns whether the word is a level within a sentence, which not every level name is. */
  private static boolean isOfLogs(String line, int from, int to) {
    return switch (line.substring(from, to)) {
      case "TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "SEVERE", "FATAL" -> true;
      default -> false;
    };
  }
}
