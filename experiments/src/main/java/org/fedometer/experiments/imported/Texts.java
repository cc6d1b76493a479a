package org.fedometer.experiments.imported;

/** Truncates messages. Stateless. */
final class Texts {
  private Texts() {}

  /** Strips blanks; marks a truncation. */
  static String cut(String text, int maxCharacters) {
    String line = text.strip();
    return line.codePointCount(0, line.length()) <= maxCharacters
        ? line
        : line.substring(0, line.offsetByCodePoints(0, maxCharacters)) + "...";
  }
}
