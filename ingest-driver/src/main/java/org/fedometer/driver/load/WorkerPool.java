package org.fedometer.driver.load;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.request.CircuitBreaker;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Worker;
import org.fedometer.driver.threads.DaemonThreads;

/**
 * Workers, each on its own thread with its own session. Managed by the driver's thread.
 *
 * <p>After a stop, requests under way may finish within a timeout, then they are cancelled. Workers
 * that still do not end are interrupted and abandoned.
 */
public final class WorkerPool implements AutoCloseable {

  /** Interval between checks of workers and journal. */
  public static final long TICK_NANOS = 500_000_000;

  private final FedoraClient client;
  private final RetryPolicy policy;
  private final CircuitBreaker circuitBreaker;
  private final LoadEnd end;
  private final long stopNanos;
  private final long abandonNanos;
  private final String threadName;

  /** Threads by worker number; guarded by itself. */
  private final Map<Integer, Thread> running = new TreeMap<>();

  private final List<FedoraSession> sessions = new CopyOnWriteArrayList<>();
  private long stoppedNanos;
  private boolean cut;

  /** A worker's task. */
  @FunctionalInterface
  public interface Task {
    void run(Worker worker) throws RunStop;
  }

  /**
   * @param stopTimeout maximum time for requests under way after a stop
   * @param cancelTimeout time between cancelling requests and abandoning workers
   * @param threadName prefix of the worker's number
   */
  public WorkerPool(
      FedoraClient client,
      RetryPolicy policy,
      CircuitBreaker circuitBreaker,
      LoadEnd end,
      Duration stopTimeout,
      Duration cancelTimeout,
      String threadName) {
    this.client = client;
    this.policy = policy;
    this.circuitBreaker = circuitBreaker;
    this.end = end;
    this.stopNanos = stopTimeout.toNanos();
    this.abandonNanos = stopTimeout.plus(cancelTimeout).toNanos();
    this.threadName = threadName;
  }

  /** Returns a logged-in session for a worker that is started later. */
  FedoraSession logIn() throws IOException {
    FedoraSession session = client.newSession();
    sessions.add(session);
    session.login();
    return session;
  }

  /**
   * @param session null for a new one, which logs in with its first request
   */
  void start(int number, FedoraSession session, Task task) {
    Thread thread = DaemonThreads.newThread(threadName + number, () -> work(number, session, task));
    synchronized (running) {
      running.put(number, thread);
    }
    thread.start();
  }

  private void work(int number, FedoraSession loggedIn, Task task) {
    FedoraSession session = loggedIn;
    try {
      if (session == null) {
        session = client.newSession();
        sessions.add(session);
      }
      task.run(new Worker(number, session, policy, circuitBreaker, end.signal()));
    } catch (RunStop e) {
      if (!e.requested()) {
        end.giveUp(e);
      }
    } catch (Throwable e) {
      end.giveUp(RunStop.ofDriver(e));
    } finally {
      if (session != null) {
        session.close();
        sessions.remove(session);
      }
      synchronized (running) {
        running.remove(number);
        running.notifyAll();
      }
      end.wake();
    }
  }

  boolean isRunning(int number) {
    synchronized (running) {
      return running.containsKey(number);
    }
  }

  /** Returns whether any worker's thread has not ended yet. */
  public boolean isAnyRunning() {
    synchronized (running) {
      return !running.isEmpty();
    }
  }

  /**
   * Cancels requests that do not stop in time, then interrupts their workers. Call repeatedly until
   * no worker runs.
   *
   * @return false if running workers were abandoned
   */
  public boolean enforceStop(long nowNanos) {
    stoppedNanos = stoppedNanos == 0 ? nowNanos : stoppedNanos;
    if (nowNanos - stoppedNanos > stopNanos) {
      client.cancelRequests();
      if (cut && nowNanos - stoppedNanos > abandonNanos) {
        synchronized (running) {
          running.values().forEach(Thread::interrupt);
        }
        return false;
      }
      cut = true;
    }
    return true;
  }

  /**
   * Runs a task on workers, and returns when all have ended or are abandoned. An interrupt stops
   * them.
   *
   * @param tick called every {@link #TICK_NANOS} meanwhile
   */
  public void work(int workers, Task task, Runnable tick) {
    for (int number = 0; number < workers; number++) {
      start(number, null, task);
    }
    boolean interrupted = false;
    while (true) {
      try {
        if (awaitEnd()) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
        end.stop();
      }
      tick.run();
      if (end.stopped() && !enforceStop(System.nanoTime())) {
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean awaitEnd() throws InterruptedException {
    long untilNanos = System.nanoTime() + TICK_NANOS;
    synchronized (running) {
      for (long remaining = TICK_NANOS; remaining > 0 && !running.isEmpty(); ) {
        TimeUnit.NANOSECONDS.timedWait(running, remaining);
        remaining = untilNanos - System.nanoTime();
      }
      return running.isEmpty();
    }
  }

  @Override
  public void close() {
    sessions.forEach(FedoraSession::close);
  }
}
