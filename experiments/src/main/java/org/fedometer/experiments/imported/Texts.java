package org.fedometer.experiments.imported;

/** Messages of a bounded length. Stateless. */
final class Texts {
  private Texts() {}

  /** Without blanks around it; a cut is marked. */
  static String cut(String text, int maxCharacters) {
    String line = text.strip();
    return line.codePointCount(0, line.length()) <= maxCharacters
        ? line
        : line.substring(0, line.offsetByCodePoints(0, maxCharacters)) + "...";
  }
}
