package org.fedometer.analysis.logs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Log levels, with the names of all logging libraries, in order. */
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

  /** Returns the name on the command line; log lines have capitals. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns all names of lower levels, in capitals: other names are worth showing. */
  List<String> namesBelow() {
    return Arrays.stream(values())
        .filter(level -> level.compareTo(this) < 0)
        .flatMap(level -> Stream.concat(Stream.of(level.name()), level.otherNames.stream()))
        .toList();
  }

  /**
   * Returns whether a level of any logging library is at least {@link #WARN}; false for unknown
   * names.
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
