package org.fedometer.cli.terminal;

/** What the command's exit codes mean; docs/cli.md tells users the same. */
public final class ExitCode {
  /** Done, and all is well. */
  public static final int DONE = 0;

  /** Done, but something is wrong: failed objects, verification, lost samples. */
  public static final int DONE_WITH_ERRORS = 1;

  /** What was asked for does not exist or cannot be had: a command, an option, a value, a run. */
  public static final int BAD_USAGE = 2;

  /** What it takes is not there, or could not be read or written; also for what nobody foresaw. */
  public static final int COULD_NOT_START = 3;

  /**
   * Ended early on request, by Ctrl-C or {@code load stop}: 128 and the number of the signal
   * SIGINT.
   */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
