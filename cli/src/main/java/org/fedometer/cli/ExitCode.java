package org.fedometer.cli;

/** What the command's exit codes mean; docs/cli.md tells users the same. */
final class ExitCode {
  static final int DONE = 0;

  /** Done, but something is wrong: failed objects, verification, lost samples. */
  static final int DONE_WITH_ERRORS = 1;

  static final int BAD_USAGE = 2;
  static final int COULD_NOT_START = 3;
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
