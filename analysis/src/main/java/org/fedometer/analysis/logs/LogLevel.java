package org.fedometer.analysis.logs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Levels of log lines, of all logging libraries, in order. */
public enum LogLevel {
  TRACE("FINEST", "ALL"),
  DEBUG("FINER", "FINE"),
  INFO("CONFIG", "NOTICE"),
  WARN("WARNING"),
  ERROR("SEVERE"),
  FATAL("CRITICAL", "OFF");

  private final List<String> otherNames;

  LogLevel(String... otherNames) {
    this.otherNames = List.of(otherNames);
  }

  /** As on the command line; lines of logs have capitals. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All names of levels below this one, in capitals: what is not among them is worth showing. */
  List<String> namesBelow() {
    return Arrays.stream(values())
        .filter(level -> level.compareTo(this) < 0)
        .flatMap(level -> Stream.concat(Stream.of(level.name()), level.otherNames.stream()))
        .toList();
  }

  /**
   * Whether a level of any logging library is as grave as {@link #WARN}; what no library calls a
   * level is not.
   *
   * @param name in letters of either case
   */
  public static boolean isWarningOrAbove(String name) {
    String capitals = name.toUpperCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(level -> level.compareTo(WARN) >= 0)
        .anyMatch(level -> level.name().equals(capitals) || level.otherNames.contains(capitals));
  }
}
