package org.fedometer.experiments.job;

import java.time.Duration;
import org.fedometer.experiments.threads.DaemonThreads;

/**
 * An external request, usually Ctrl-C, to end a job early. During an ingest, requests may finish;
 * otherwise it interrupts.
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

  /** Number of waits so far: a request that cuts one short does not affect the next. */
  private int waits;

  private boolean cutShort;

  /** Allows waits eight seconds. */
  public Interruption() {
    this(GRACE);
  }

  /**
   * @param grace how long a wait may last after a request; not negative
   */
  public Interruption(Duration grace) {
    this.grace = grace;
  }

  public synchronized void conductedBy(Thread thread) {
    conductor = thread;
  }

  /** Requests the end of the job. Thread-safe, idempotent. */
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

  /** Sets an action that follows an interrupt, to end uninterruptible waits. */
  public synchronized void onInterrupt(Runnable other) {
    interruptAction = other;
  }

  /** Returns whether the end was requested, whatever the effect. Thread-safe. */
  public synchronized boolean raised() {
    return raised;
  }

  /** Makes requests call {@code stop} instead of interrupting, until {@link #endGracefulStop}. */
  public synchronized void beginGracefulStop(Runnable stop) {
    gracefulStop = stop;
    if (raised) {
      stop.run();
    }
  }

  /** Makes requests interrupt again. An earlier one is not repeated; see {@link #check}. */
  public synchronized void endGracefulStop() {
    gracefulStop = null;
  }

  /** Ignores requests from now on, since the job is ending; clears the interrupt flag. */
  public synchronized void cleanUp() {
    cleaningUp = true;
    Thread.interrupted();
  }

  /** Work of the conducting thread that mostly waits. */
  public interface Wait<E extends Exception> {
    void run() throws E, InterruptedException;
  }

  /**
   * Waits on the conducting thread, even while the job is ending. A request, now or earlier,
   * interrupts the wait after some seconds. Clears the interrupt flag.
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

  /** Returns whether a request cut the last wait short. */
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
   * @throws InterruptedException if the end was requested
   */
  public synchronized void check() throws InterruptedException {
    if (raised) {
      throw new InterruptedException("asked to end");
    }
  }
}
