package org.fedometer.experiments.job;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Hears how a job goes on, to show it. Called on the job's threads; must return soon and not throw.
 */
public interface JobListener {
  void started(Step step);

  /**
   * Where a step stands, in words; called often, each call replaces the one before.
   *
   * @param fraction done so far, 0 to 1, or {@link Double#NaN} of one of a step's few parts, of
   *     which that is not known
   */
  void progress(Step step, double fraction, String text);

  /**
   * The same where there is more to say than a line has room for.
   *
   * @param fraction done so far, 0 to 1, or {@link Double#NaN} where that is not known
   * @param line for a log
   * @param panel lines for a terminal, instead
   */
  default void progress(Step step, double fraction, String line, List<String> panel) {
    progress(step, fraction, line);
  }

  /** A step ended well. */
  void finished(Step step, String summary, Duration took);

  /** A browser can follow the run at that address from now on. */
  default void followable(URI page) {}

  /** Something the user should know, whatever step it is. */
  void note(String text);
}
