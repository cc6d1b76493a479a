package org.fedometer.experiments.job;

import java.time.Duration;

/** Formats durations briefly, for a terminal line. */
public final class DurationFormat {
  private DurationFormat() {}

  /** Formats like {@code 45 s}, {@code 12 min 5 s}, {@code 3 h 20 min}, {@code 2 d 5 h}. */
  public static String format(long seconds) {
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3600) {
      return seconds / 60 + " min " + seconds % 60 + " s";
    }
    if (seconds < 86_400) {
      return seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
    }
    return seconds / 86_400 + " d " + seconds % 86_400 / 3600 + " h";
  }

  /**
   * Formats in the largest unit, rounded: {@code 50 s}, {@code 12 min}, {@code hour}, {@code 5 h}.
   */
  public static String approximate(long seconds) {
    if (seconds < 90) {
      return seconds + " s";
    }
    if (seconds < 3570) {
      return (seconds + 30) / 60 + " min";
    }
    long hours = (seconds + 1800) / 3600;
    return hours == 1 ? "hour" : hours + " h";
  }

  /**
   * Formats in the largest unit without a fraction, as options accept it: {@code 3d}, {@code 200s}.
   */
  public static String optionValue(Duration time) {
    long seconds = time.toSeconds();
    return seconds % 86_400 == 0
        ? seconds / 86_400 + "d"
        : seconds % 3600 == 0
            ? seconds / 3600 + "h"
            : seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
