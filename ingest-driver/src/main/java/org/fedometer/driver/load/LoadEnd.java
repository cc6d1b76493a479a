package org.fedometer.driver.load;

import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/**
 * Reason why a load ends before its last object: a stop request, a failure, or a reached goal.
 * Thread-safe.
 */
public final class LoadEnd {

  private final StopSignal stop;
  private final Schedule schedule;
  private final AtomicReference<RunStop> gaveUp = new AtomicReference<>();
  private volatile String endReason;

  public LoadEnd(StopSignal stop, Schedule schedule) {
    this.stop = stop;
    this.schedule = schedule;
  }

  /** Returns the signal that interrupts all waits of workers. */
  StopSignal signal() {
    return stop;
  }

  /** Wakes the conducting thread after a worker has ended. */
  void wake() {
    schedule.wake();
  }

  /** Requests the workers to end. */
  public void stop() {
    stop.raise();
    schedule.stop();
  }

  /** Returns whether the load was stopped or failed; false if it only reached its goal. */
  public boolean stopped() {
    return stop.raised();
  }

  /** Stops the load after a failure; the first reason counts. */
  public void giveUp(RunStop reason) {
    gaveUp.compareAndSet(null, reason);
    stop();
  }

  /** Returns the failure, or null. */
  public RunStop gaveUp() {
    return gaveUp.get();
  }

  /**
   * Ends the load normally: only objects that are already due are still sent.
   *
   * @param why a sentence
   */
  public void finish(String why) {
    endReason = why;
    schedule.end();
  }

  /** Returns the reason of a normal end, a sentence; or null. */
  public String endReason() {
    return endReason;
  }
}
