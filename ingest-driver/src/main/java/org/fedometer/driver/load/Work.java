package org.fedometer.driver.load;

import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RunStop;

/**
 * What a worker does with the numbers that the driver hands out, one after the other. One per
 * worker, used by that worker's thread only.
 */
public interface Work {

  /**
   * Makes ready what the number stands for, so that nothing but the request is left for the time
   * when it is due.
   *
   * @return null if the load ends before what it has to wait for: nothing of it was sent or counted
   * @throws RunStop if the run is over; what was prepared is then counted as abandoned
   */
  Step prepare(long index) throws RunStop;

  /** What one number stands for. Either performed, once, or released. */
  interface Step {

    /**
     * Sends what is to be sent and returns when it is done or given up.
     *
     * @throws RunStop if the run is over; what was not settled is then counted as abandoned
     */
    void perform(IntendedStart intendedStart) throws RunStop;

    /**
     * The load is over before it was due: what it holds is let go, and nobody waits for it any
     * more. Called at once.
     */
    void release();

    /** Counts as begun and not sent what was released and cannot be handed back. */
    void abandon();
  }
}
