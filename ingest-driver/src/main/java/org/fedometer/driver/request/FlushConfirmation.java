package org.fedometer.driver.request;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.threads.DaemonThreads;

/**
 * Makes Fedora flush its triples at intervals during an ingest, so that after a crash only later
 * objects need checking. Has its own thread and session.
 *
 * <p>Fedora writes at once what it holds in memory (some ten thousand triples, unless its buffers
 * are larger), and answers afterwards: a hiccup once in an interval.
 */
public final class FlushConfirmation implements AutoCloseable {

  private static final Duration FLUSH_TIMEOUT = Duration.ofMinutes(30);

  /** Tomcat expires a session after 30 minutes, and a new one looks like a restart of Fedora. */
  private static final Duration KEEP_ALIVE_INTERVAL = Duration.ofMinutes(10);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private static final long STOP_CHECK_MILLIS = 100;

  private final FedoraSession session;
  private final Journal journal;
  private final Duration interval;
  private final Duration keepAliveInterval;
  private final StopSignal ended = new StopSignal();
  private final Thread thread;

  /**
   * @param session a new one, which logs in with its first request; closed with this
   */
  public FlushConfirmation(FedoraSession session, Journal journal, Duration interval) {
    this(session, journal, interval, KEEP_ALIVE_INTERVAL);
  }

  /**
   * @param keepAliveInterval maximum time between requests, to keep the session alive
   */
  FlushConfirmation(
      FedoraSession session, Journal journal, Duration interval, Duration keepAliveInterval) {
    this.session = session;
    this.journal = journal;
    this.interval = interval;
    this.keepAliveInterval = keepAliveInterval;
    this.thread = DaemonThreads.newThread("fedometer-flush-confirmation", this::work);
    thread.start();
  }

  private void work() {
    try {
      while (!ended.raised()) {
        awaitNext();
        confirmOnce();
      }
    } catch (RunStop e) {
      // Closed.
    }
  }

  private void awaitNext() throws RunStop {
    Duration remaining = interval;
    while (remaining.compareTo(keepAliveInterval) > 0) {
      ended.pause(keepAliveInterval);
      remaining = remaining.minus(keepAliveInterval);
      keepAlive();
    }
    ended.pause(remaining);
  }

  private void keepAlive() {
    try {
      session.login();
    } catch (IOException e) {
      // Workers will notice, or it passes.
    }
  }

  private void confirmOnce() throws RunStop {
    if (!lockUnlessStopped(journal, ended)) {
      return;
    }
    try {
      confirm(session, journal);
    } catch (IOException e) {
      // If the journal could not be written, the next begun object reports it.
    } finally {
      journal.flushLock().unlock();
    }
  }

  /**
   * Acquires the journal's flush lock.
   *
   * @return false, without the lock, if the stop is raised before a flush can begin
   * @throws RunStop after an interrupt
   */
  public static boolean lockUnlessStopped(Journal journal, StopSignal stop) throws RunStop {
    ReentrantLock lock = journal.flushLock();
    try {
      while (!stop.raised()) {
        if (lock.tryLock(STOP_CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
          if (!stop.raised()) {
            return true;
          }
          lock.unlock();
        }
      }
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunStop.asRequested();
    }
  }

  /**
   * Flushes once, recorded; the caller has the flush lock. Objects acknowledged meanwhile are not
   * covered.
   *
   * @return null if confirmed, else the reason
   * @throws IOException if the journal could not be written
   */
  private static String confirm(FedoraSession session, Journal journal) throws IOException {
    journal.flushBegun();
    try {
      new TripleCounter(session, FLUSH_TIMEOUT).flush();
    } catch (IOException e) {
      // Lost with the flush, or not known to be on disk: to be checked at the end.
      journal.flushFailed();
      return Messages.of(e);
    }
    journal.flushConfirmed();
    return null;
  }

  /**
   * Flushes with retries by the policy; waits for Fedora if it is away, and for other flushes.
   * After a stop it still flushes once, since objects purged before must not be ingested unflushed.
   *
   * @return null if confirmed, else the last reason
   * @throws IOException if the journal could not be written
   * @throws RunStop if the run is over, or after an interrupt
   */
  public static String confirm(Worker worker, Journal journal) throws IOException, RunStop {
    BackOff backOff = new BackOff(worker, worker.policy().maxAttempts());
    while (true) {
      long startNanos = System.nanoTime();
      String problem = confirmInTurn(worker.session(), journal);
      if (problem == null || !backOff.mayRetry(problem, startNanos)) {
        return problem;
      }
    }
  }

  private static String confirmInTurn(FedoraSession session, Journal journal)
      throws IOException, RunStop {
    try {
      journal.flushLock().lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunStop.asRequested();
    }
    try {
      return confirm(session, journal);
    } finally {
      journal.flushLock().unlock();
    }
  }

  @Override
  public void close() {
    ended.raise();
    try {
      // After a cancelled flush, all objects in it would need checking.
      thread.join(CLOSE_TIMEOUT.toMillis());
      session.cancel();
      thread.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    session.close();
  }
}
