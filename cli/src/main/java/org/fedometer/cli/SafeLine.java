package org.fedometer.cli;

/** What another process said, for one line of the terminal, which it must not steer. */
final class SafeLine {
  private SafeLine() {}

  static String of(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }
}
