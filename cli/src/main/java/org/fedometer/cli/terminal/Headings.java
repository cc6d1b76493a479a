package org.fedometer.cli.terminal;

/** Headings of two lists in commands' help. */
public final class Headings {
  /** Exit codes of a command with meanings of its own. */
  public static final String EXIT_CODES = "%nExit codes:%n";

  public static final String EXAMPLES = "%nExamples:%n";

  private Headings() {}
}
