package org.fedometer.cli.terminal;

/** What the command's exit codes mean; docs/cli.md tells users the same. */
public final class ExitCode {
  public static final int DONE = 0;

  /** Done, but something is wrong: failed objects, verification, lost samples. */
  public static final int DONE_WITH_ERRORS = 1;

  public static final int BAD_USAGE = 2;
  public static final int COULD_NOT_START = 3;
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
