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
import org.fedometer.driver.request.OutageGate;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Worker;
import org.fedometer.driver.threads.OwnThreads;

/**
 * Workers, each on a thread of its own and with its own session. Started and looked after by the
 * driver's thread.
 *
 * <p>After a stop, requests under way may finish within a time; then they are cut, and those that
 * do not end by that either are interrupted and left behind.
 */
public final class WorkerPool implements AutoCloseable {

  /** From one look at workers and journal to the next. */
  public static final long TICK_NANOS = 500_000_000;

  private final FedoraClient client;
  private final RetryPolicy policy;
  private final OutageGate gate;
  private final LoadEnd end;
  private final long stopNanos;
  private final long lastNanos;
  private final String threadName;

  /** Threads by the workers' numbers; guards itself. */
  private final Map<Integer, Thread> atWork = new TreeMap<>();

  private final List<FedoraSession> sessions = new CopyOnWriteArrayList<>();
  private long stoppedNanos;
  private boolean cut;

  /** What a worker does until it ends. */
  @FunctionalInterface
  public interface Task {
    void run(Worker worker) throws RunStop;
  }

  /**
   * @param stopPatience how long requests under way may take after a stop
   * @param lastPatience from when they are cut until those that have not ended are left behind
   * @param threadName of each, before the worker's number
   */
  public WorkerPool(
      FedoraClient client,
      RetryPolicy policy,
      OutageGate gate,
      LoadEnd end,
      Duration stopPatience,
      Duration lastPatience,
      String threadName) {
    this.client = client;
    this.policy = policy;
    this.gate = gate;
    this.end = end;
    this.stopNanos = stopPatience.toNanos();
    this.lastNanos = stopPatience.plus(lastPatience).toNanos();
    this.threadName = threadName;
  }

  /** A session that is logged in, for a worker that is started later. */
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
    Thread thread = OwnThreads.daemon(threadName + number, () -> work(number, session, task));
    synchronized (atWork) {
      atWork.put(number, thread);
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
      task.run(new Worker(number, session, policy, gate, end.signal()));
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
      synchronized (atWork) {
        atWork.remove(number);
        atWork.notifyAll();
      }
      end.wake();
    }
  }

  boolean isAtWork(int number) {
    synchronized (atWork) {
      return atWork.containsKey(number);
    }
  }

  /** Whether the thread of any has not ended yet, waiting ones included. */
  public boolean anyAtWork() {
    synchronized (atWork) {
      return !atWork.isEmpty();
    }
  }

  /**
   * Cuts off the requests of those that do not stop in time, then interrupts them; called again and
   * again until none is at work.
   *
   * @return false if those that are still at work were left behind
   */
  public boolean enforceStop(long nowNanos) {
    stoppedNanos = stoppedNanos == 0 ? nowNanos : stoppedNanos;
    if (nowNanos - stoppedNanos > stopNanos) {
      client.cancelRequests();
      if (cut && nowNanos - stoppedNanos > lastNanos) {
        synchronized (atWork) {
          atWork.values().forEach(Thread::interrupt);
        }
        return false;
      }
      cut = true;
    }
    return true;
  }

  /**
   * Has so many workers do the same, and returns when all have ended or are left behind. An
   * interrupt stops them.
   *
   * @param tick called every {@link #TICK_NANOS} while they are at work
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
    synchronized (atWork) {
      for (long left = TICK_NANOS; left > 0 && !atWork.isEmpty(); ) {
        TimeUnit.NANOSECONDS.timedWait(atWork, left);
        left = untilNanos - System.nanoTime();
      }
      return atWork.isEmpty();
    }
  }

  @Override
  public void close() {
    sessions.forEach(FedoraSession::close);
  }
}
