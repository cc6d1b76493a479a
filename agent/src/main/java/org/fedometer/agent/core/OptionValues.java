package org.fedometer.agent.core;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.client.AgentOption;

/**
 * Values of options by name, parsed on access. Each method rejects an invalid one by an {@link
 * IllegalArgumentException} with one sentence for the user. One thread at a time.
 */
final class OptionValues {

  private static final long MIB = 1024 * 1024;
  private static final long MAX_TOKEN_BYTES = 4096;
  private static final double MIN_INTERVAL_SECONDS = 0.1;
  private static final double MAX_INTERVAL_SECONDS = 3600;

  private static final List<String> LEVELS =
      Arrays.asList("trace", "debug", "info", "warn", "error", "off");
  private static final int[] LEVEL_NUMBERS = {
    FedoraLog.TRACE, FedoraLog.DEBUG, FedoraLog.INFO, FedoraLog.WARN, FedoraLog.ERROR, FedoraLog.OFF
  };

  private final Map<String, String> values;

  OptionValues(Map<String, String> values) {
    this.values = values;
  }

  boolean isGiven(String key) {
    return values.containsKey(key);
  }

  /** Returns the given value, else the default. */
  String text(String key) {
    return values.getOrDefault(key, AgentOption.defaultOf(key));
  }

  Path pathOrNull(String key) {
    String text = values.get(key);
    try {
      return text == null ? null : Paths.get(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("option '" + key + "' is not a path: " + text);
    }
  }

  boolean isLog4j2() {
    String text = text(AgentOption.TRANSPORT);
    if (text.equals(AgentOption.TO_COLLECTOR) || text.equals(AgentOption.TO_LOG4J2)) {
      return text.equals(AgentOption.TO_LOG4J2);
    }
    throw new IllegalArgumentException(
        "option '" + AgentOption.TRANSPORT + "' must be fedometer or log4j2, not '" + text + "'");
  }

  boolean isOn(String key) {
    String text = text(key);
    switch (text) {
      case "on":
      case "true":
        return true;
      case "off":
      case "false":
        return false;
      default:
        throw new IllegalArgumentException(
            "option '" + key + "' must be on or off, not '" + text + "'");
    }
  }

  /** Returns the level as {@link FedoraLog} numbers it. */
  int logLevel(String key) {
    String text = text(key);
    int level = LEVELS.indexOf(text.toLowerCase(Locale.ROOT));
    if (level < 0) {
      throw new IllegalArgumentException(
          "option '"
              + key
              + "' must be trace, debug, info, warn, error or off, not '"
              + text
              + "'");
    }
    return LEVEL_NUMBERS[level];
  }

  /** Converts seconds, which may have a fraction. */
  long millis(String key) {
    String text = text(key);
    try {
      double seconds = Double.parseDouble(text);
      if (seconds >= MIN_INTERVAL_SECONDS && seconds <= MAX_INTERVAL_SECONDS) {
        return Math.round(seconds * 1000);
      }
    } catch (NumberFormatException notANumber) {
      // Thrown below.
    }
    throw new IllegalArgumentException(
        "option '" + key + "' needs 0.1 to 3600 seconds, not '" + text + "'");
  }

  /** Returns bytes; accepts k, m or g for powers of 1,024. */
  long size(String key, long min, long max) {
    String text = text(key);
    String digits = text.toLowerCase(Locale.ROOT);
    long unit = 1;
    int suffix = digits.isEmpty() ? -1 : "kmg".indexOf(digits.charAt(digits.length() - 1));
    if (suffix >= 0) {
      unit = 1L << 10 * (suffix + 1);
      digits = digits.substring(0, digits.length() - 1);
    }
    try {
      long bytes = Math.multiplyExact(Long.parseLong(digits), unit);
      if (bytes >= min && bytes <= max) {
        return bytes;
      }
    } catch (NumberFormatException | ArithmeticException notASize) {
      // Thrown below.
    }
    throw new IllegalArgumentException(
        "option '"
            + key
            + "' needs a size of at least "
            + min / MIB
            + "m"
            + (max == Long.MAX_VALUE ? "" : " and at most " + max / MIB + "m")
            + ", for example 32m, not '"
            + text
            + "'");
  }

  long number(String key, long min, long max) {
    return number(key, text(key), min, max);
  }

  static long number(String key, String text, long min, long max) {
    try {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Thrown below.
    }
    throw new IllegalArgumentException(
        "option '" + key + "' needs a number from " + min + " to " + max + ", not '" + text + "'");
  }

  static String tokenIn(Path file) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new IllegalArgumentException("the token file " + file + " is not a regular file");
      }
      if (Files.size(file) > MAX_TOKEN_BYTES) {
        throw new IllegalArgumentException(
            "the token file " + file + " has more than " + MAX_TOKEN_BYTES + " bytes");
      }
      String token = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).trim();
      if (token.isEmpty()) {
        throw new IllegalArgumentException("the token file " + file + " is empty");
      }
      return token;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the token file cannot be read by the user that Fedora runs as: " + FailureText.of(e));
    }
  }
}
