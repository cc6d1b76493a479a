package org.fedometer.driver.load;

import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/**
 * What ends a load before its last object: somebody has asked for it, there is no point in going
 * on, or it has reached what it was to reach. Used by all threads of an ingest.
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

  /** What all workers wait by. */
  StopSignal signal() {
    return stop;
  }

  /** A worker has ended. */
  void wake() {
    schedule.wake();
  }

  /** Asks the workers to end. */
  public void stop() {
    stop.raise();
    schedule.stop();
  }

  /** Whether it was stopped or given up; not if it has only reached what it was to reach. */
  public boolean stopped() {
    return stop.raised();
  }

  /** The same because something has gone wrong; the first reason is the one that counts. */
  public void giveUp(RunStop reason) {
    gaveUp.compareAndSet(null, reason);
    stop();
  }

  /** Why it was given up, or null. */
  public RunStop gaveUp() {
    return gaveUp.get();
  }

  /**
   * Nothing that is not due by now is sent any more.
   *
   * @param why a sentence
   */
  public void finish(String why) {
    endReason = why;
    schedule.end();
  }

  /** What ended it as it was asked to, in a sentence; or null. */
  public String endReason() {
    return endReason;
  }
}
