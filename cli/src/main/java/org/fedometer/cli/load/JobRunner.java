package org.fedometer.cli.load;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;

/**
 * Conducts a job on the command's thread. On Ctrl-C the job finishes cleanly, the progress line is
 * ended before other output, and an interruption becomes an exit code. Stateless.
 */
final class JobRunner {
  private JobRunner() {}

  /** Prints a job's outcome and returns the exit code. Ctrl-C waits for it, too. */
  @FunctionalInterface
  interface OutcomeHandler<T> {
    int show(T outcome) throws Exception;
  }

  /**
   * @param interrupt requests a stop, on a thread of the JVM's shutdown
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
