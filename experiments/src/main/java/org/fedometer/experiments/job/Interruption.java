package org.fedometer.experiments.job;

/**
 * A request from outside, usually Ctrl-C, that a job end early. What the job does at the moment
 * decides how it is told: an ingest is asked to let its requests finish, anything else is
 * interrupted.
 */
public final class Interruption {
  private Thread conductor;
  private Runnable gentleStop;
  private Runnable cut = () -> {};
  private boolean raised;
  private boolean cleaningUp;

  /** Names the thread that conducts the job. */
  public synchronized void conductedBy(Thread thread) {
    conductor = thread;
  }

  /** Asks the job to end; called by any thread, more than once does no harm. */
  public synchronized void raise() {
    raised = true;
    if (cleaningUp) {
      return;
    }
    if (gentleStop != null) {
      gentleStop.run();
    } else if (conductor != null) {
      conductor.interrupt();
      cut.run();
    }
  }

  /** From here on {@code other} follows an interrupt, to end waiting that no interrupt ends. */
  public synchronized void cutsBy(Runnable other) {
    cut = other;
  }

  /** Whether the job was asked to end, whatever came of that; called by any thread. */
  public synchronized boolean raised() {
    return raised;
  }

  /** From here until {@link #gentleEnd}, a request calls {@code stop} instead of interrupting. */
  public synchronized void gentleFrom(Runnable stop) {
    gentleStop = stop;
    if (raised) {
      stop.run();
    }
  }

  /**
   * From here on a request interrupts again. One that came before is not repeated: {@link #check}
   * tells of it.
   */
  public synchronized void gentleEnd() {
    gentleStop = null;
  }

  /** From here on the job is ending anyway and is left alone; its interrupt flag is cleared. */
  public synchronized void cleanUp() {
    cleaningUp = true;
    Thread.interrupted();
  }

  /**
   * @throws InterruptedException if the job was asked to end
   */
  public synchronized void check() throws InterruptedException {
    if (raised) {
      throw new InterruptedException("asked to end");
    }
  }
}
