package org.fedometer.experiments.job;

import java.time.Duration;
import org.fedometer.experiments.threads.DaemonThreads;

/**
 * A request from outside, usually Ctrl-C, that a job end early. What the job does at the moment
 * decides how it is told: an ingest is asked to let its requests finish, anything else is
 * interrupted.
 */
public final class Interruption {

  private static final Duration GRACE = Duration.ofSeconds(8);

  private final Duration grace;
  private Thread conductor;
  private Runnable gracefulStop;
  private Runnable interruptAction = () -> {};
  private boolean raised;
  private boolean cleaningUp;
  private boolean waiting;

  /** Waits so far: a request that cuts one of them short leaves the next one alone. */
  private int waits;

  private boolean cutShort;

  /** With eight seconds for a wait. */
  public Interruption() {
    this(GRACE);
  }

  /** A wait for others may go on so long after a request; not negative. */
  public Interruption(Duration grace) {
    this.grace = grace;
  }

  public synchronized void conductedBy(Thread thread) {
    conductor = thread;
  }

  /** Asks the job to end; called by any thread, more than once does no harm. */
  public synchronized void raise() {
    raised = true;
    if (waiting) {
      interruptWait();
    }
    if (cleaningUp) {
      return;
    }
    if (gracefulStop != null) {
      gracefulStop.run();
    } else if (conductor != null) {
      conductor.interrupt();
      interruptAction.run();
    }
  }

  /** From here on {@code other} follows an interrupt, to end waiting that no interrupt ends. */
  public synchronized void onInterrupt(Runnable other) {
    interruptAction = other;
  }

  /** Whether the job was asked to end, whatever came of that; called by any thread. */
  public synchronized boolean raised() {
    return raised;
  }

  /**
   * From here until {@link #endGracefulStop}, a request calls {@code stop} instead of interrupting.
   */
  public synchronized void beginGracefulStop(Runnable stop) {
    gracefulStop = stop;
    if (raised) {
      stop.run();
    }
  }

  /**
   * From here on a request interrupts again. One that came before is not repeated: {@link #check}
   * tells of it.
   */
  public synchronized void endGracefulStop() {
    gracefulStop = null;
  }

  /** From here on the job is ending anyway and is left alone; its interrupt flag is cleared. */
  public synchronized void cleanUp() {
    cleaningUp = true;
    Thread.interrupted();
  }

  /** Work of the conductor that mostly waits for others. */
  public interface Wait<E extends Exception> {
    void run() throws E, InterruptedException;
  }

  /**
   * Waits for others, on the conductor's thread, also when the job is ending: a request lets this
   * go on for some seconds, then interrupts it. So does one that came before. The interrupt flag is
   * cleared when this returns.
   */
  public <E extends Exception> void waitFor(Wait<E> wait) throws E, InterruptedException {
    synchronized (this) {
      waiting = true;
      waits++;
      cutShort = false;
      if (raised) {
        interruptWait();
      }
    }
    try {
      wait.run();
    } finally {
      synchronized (this) {
        waiting = false;
        notifyAll();
        if (cutShort) {
          Thread.interrupted();
        }
      }
    }
  }

  /** Whether the last wait was cut short by a request. */
  public synchronized boolean cutShort() {
    return cutShort;
  }

  private void interruptWait() {
    long deadlineNanos = System.nanoTime() + grace.toNanos();
    int waitNumber = waits;
    DaemonThreads.newThread("fedometer-end-of-wait", () -> interruptAt(deadlineNanos, waitNumber))
        .start();
  }

  private synchronized void interruptAt(long deadlineNanos, int waitNumber) {
    try {
      while (waiting && waits == waitNumber) {
        long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
        if (leftMillis <= 0) {
          cutShort = true;
          conductor.interrupt();
          return;
        }
        wait(leftMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
