package org.fedometer.driver;

import org.fedometer.driver.load.Load;

/**
 * A load that can be changed while it runs. Called by any thread. What is asked for is done when a
 * method returns; what is under way goes on.
 */
public interface Controllable {

  IngestProgress progress();

  /**
   * Nothing more is sent until {@link #resume}. Again: does nothing.
   *
   * @throws IllegalStateException one sentence: it has not begun, or is over
   */
  void pause();

  /**
   * It goes on; what was to be sent when is later by the pause. Again: does nothing.
   *
   * @throws IllegalStateException one sentence: it has not begun, or is over
   */
  void resume();

  /** It ends when the requests under way have. */
  void stop();

  /**
   * Makes it another load, at once and for good.
   *
   * @throws IllegalArgumentException one sentence: there is no such load; nothing was changed
   * @throws IllegalStateException one sentence: this load cannot be changed; nothing was
   */
  void change(Change change);

  /**
   * What is to be another one; the rest stays.
   *
   * @param workers concurrent requests, or null
   * @param ratePerSecond how many objects are due in a second, or null
   * @param closedLoop from now on each worker sends its next object when the last is done
   */
  record Change(Integer workers, Double ratePerSecond, boolean closedLoop) {

    public Change {
      if (workers != null) {
        IngestOptions.requireWorkers(workers);
      }
      if (ratePerSecond != null) {
        new Load.ArrivalRate(ratePerSecond);
      }
      if (ratePerSecond != null && closedLoop) {
        throw new IllegalArgumentException("a closed model has no rate; give one of them");
      }
    }
  }
}
