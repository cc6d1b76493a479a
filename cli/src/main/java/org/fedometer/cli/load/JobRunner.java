package org.fedometer.cli.load;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;

/**
 * Conducts a job for its command, on the command's thread: Ctrl-C lets the job end well, the line
 * of progress is ended before anything else is printed, and an interruption is an exit code.
 * Stateless.
 */
final class JobRunner {
  private JobRunner() {}

  /** Says what came of a job; gives the exit code. Ctrl-C waits for it, too. */
  @FunctionalInterface
  interface OutcomeHandler<T> {
    int show(T outcome) throws Exception;
  }

  /**
   * @param interrupt asks it to stop, from a thread of the JVM's end
   * @return the exit code
   */
  static <T> int run(
      Callable<T> job, Runnable interrupt, ConsoleProgress progress, OutcomeHandler<T> handler)
      throws Exception {
    try (CtrlC ignored = CtrlC.register(interrupt)) {
      T outcome = job.call();
      progress.endLine();
      return handler.show(outcome);
    } catch (InterruptedException e) {
      return ExitCode.INTERRUPTED;
    } finally {
      progress.endLine();
    }
  }
}
