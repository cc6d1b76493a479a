package org.fedometer.experiments.job;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Listener for a job's progress, for display. Called on the job's threads; must return soon and not
 * throw.
 */
public interface JobListener {
  void started(Step step);

  /**
   * Reports a step's progress; called often, each call replaces the one before.
   *
   * @param fraction done so far, 0 to 1, or {@link Double#NaN} if unknown for one of a step's few
   *     parts
   */
  void progress(Step step, double fraction, String text);

  /**
   * Reports progress with more than a line of text.
   *
   * @param fraction done so far, 0 to 1, or {@link Double#NaN} if unknown
   * @param line text for a log
   * @param panel lines for a terminal, instead
   */
  default void progress(Step step, double fraction, String line, List<String> panel) {
    progress(step, fraction, line);
  }

  /** Reports a step's success. */
  void finished(Step step, String summary, Duration took);

  /** Reports the address of the run's live page. */
  default void followable(URI page) {}

  /** Reports a remark for the user, in any step. */
  void note(String text);
}
