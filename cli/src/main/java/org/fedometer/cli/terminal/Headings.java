package org.fedometer.cli.terminal;

/** What stands above two lists in every command's help. */
public final class Headings {
  /** Of the exit codes of a command that uses them in a way of its own. */
  public static final String EXIT_CODES = "%nExit codes:%n";

  public static final String EXAMPLES = "%nExamples:%n";

  private Headings() {}
}
