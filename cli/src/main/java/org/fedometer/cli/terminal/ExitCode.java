package org.fedometer.cli.terminal;

/** The command's exit codes, documented in docs/cli.md. */
public final class ExitCode {
  public static final int DONE = 0;

  /** Completed with problems: failed objects, verification, lost samples. */
  public static final int DONE_WITH_ERRORS = 1;

  /** Invalid request: unknown command, option, value or run. */
  public static final int BAD_USAGE = 2;

  /** Something required is missing, unreadable or not writable; also unexpected errors. */
  public static final int COULD_NOT_START = 3;

  /** Stopped on request, by Ctrl-C or {@code load stop}: 128 plus SIGINT's number. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
