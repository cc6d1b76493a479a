package org.fedometer.experiments;

import java.time.Duration;

/**
 * Hears how a job goes on, to show it. Called on the job's threads; must return soon and not throw.
 */
public interface JobListener {
  /** A step begins. */
  void started(Step step);

  /**
   * Where a step stands, in words; called often, each call replaces the one before.
   *
   * @param fraction done so far, 0 to 1, or a negative number where that is not known
   */
  void progress(Step step, double fraction, String text);

  /** A step ended well. */
  void finished(Step step, String summary, Duration took);

  /** Something the user should know, whatever step it is. */
  void note(String text);
}
