package org.fedometer.driver;

import org.fedometer.driver.load.Load;

/**
 * A load that can be changed while it runs. Thread-safe. A change is in effect when its method
 * returns; requests under way continue.
 */
public interface Controllable {

  IngestProgress progress();

  /**
   * Stops sending until {@link #resume}. Does nothing if already paused.
   *
   * @throws IllegalStateException with a one-sentence message, if the load has not begun or is over
   */
  void pause();

  /**
   * Resumes sending, with later intended starts shifted by the pause. Does nothing if not paused.
   *
   * @throws IllegalStateException with a one-sentence message, if the load has not begun or is over
   */
  void resume();

  /** Ends the load as soon as the requests under way have ended. */
  void stop();

  /**
   * Applies a change at once and permanently.
   *
   * @throws IllegalArgumentException with a one-sentence message, if the load is invalid; nothing
   *     was changed
   * @throws IllegalStateException with a one-sentence message, if this load cannot be changed;
   *     nothing was changed
   */
  void change(Change change);

  /**
   * A change of a load; null fields stay as they are.
   *
   * @param workers concurrent requests, or null
   * @param ratePerSecond objects due per second, or null
   * @param closedLoop true to send each worker's next object as soon as its last one is done
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
        throw new IllegalArgumentException(
            "a closed model has no arrival rate; choose one of the two");
      }
    }
  }
}
