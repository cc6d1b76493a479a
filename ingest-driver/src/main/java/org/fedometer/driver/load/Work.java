package org.fedometer.driver.load;

import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RunStop;

/**
 * A worker's processing of the numbers that the driver hands out. One per worker, confined to its
 * thread.
 */
public interface Work {

  /**
   * Prepares a number's step, so that only the request remains when it is due.
   *
   * @return null if the load ends before its precondition holds: nothing was sent or counted
   * @throws RunStop if the run is over; the step is then counted as abandoned
   */
  Step prepare(long index) throws RunStop;

  /** The step of one number, either performed once or released. */
  interface Step {

    /**
     * Sends the step's requests, and returns when it has succeeded or failed.
     *
     * @throws RunStop if the run is over; an open step is then counted as abandoned
     */
    void perform(IntendedStart intendedStart) throws RunStop;

    /** Releases the step's resources, without waiting, if the load ends before it is due. */
    void release();

    /** Counts a released step that cannot be returned as begun and not sent. */
    void abandon();
  }
}
