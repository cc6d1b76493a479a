package org.fedometer.experiments;

import java.util.Locale;

/** Figures in the words that a terminal line has room for. */
final class Words {
  private Words() {}

  /** {@code 45 s}, {@code 12 min 5 s}, {@code 3 h 20 min}, {@code 2 d 5 h}. */
  static String duration(long seconds) {
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

  /** {@code 1.5 GB}, {@code 720 MB}. */
  static String bytes(long bytes) {
    return bytes >= 1_000_000_000L
        ? String.format(Locale.ROOT, "%.1f GB", bytes / 1e9)
        : String.format(Locale.ROOT, "%.0f MB", bytes / 1e6);
  }
}
