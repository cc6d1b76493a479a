package org.fedometer.driver.request;

import java.io.IOException;
import java.time.Duration;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.threads.DaemonThreads;

/**
 * Has Fedora flush its triples now and then while an ingest goes on, so that after a crash only
 * what came since has to be looked at. On a thread of its own, with a session of its own.
 *
 * <p>Fedora writes in one go what it holds in memory (at most some ten thousand triples, unless its
 * buffers are set larger) and answers when that is done: a hiccup once in an interval.
 */
public final class FlushConfirmation implements AutoCloseable {

  private static final Duration FLUSH_TIMEOUT = Duration.ofMinutes(30);

  /** Tomcat forgets a session after 30 minutes, and a new one looks like a restart of Fedora. */
  private static final Duration KEEP_ALIVE_INTERVAL = Duration.ofMinutes(10);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

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
   * @param keepAliveInterval between two requests at most: the session is kept alive meanwhile
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

  private void confirmOnce() {
    try {
      confirm(session, journal);
    } catch (IOException e) {
      // The journal could not be written, which the next object that is begun will tell.
    }
  }

  /**
   * One flush, on record, and one at a time: what is acknowledged during one is not in it.
   *
   * @return null if it was confirmed, else why it was not
   * @throws IOException if the journal could not be written
   */
  static String confirm(FedoraSession session, Journal journal) throws IOException {
    synchronized (journal) {
      journal.flushBegun();
      try {
        new TripleCounter(session, FLUSH_TIMEOUT).flush();
      } catch (IOException e) {
        // Lost with the flush, or only not known to be on disk: to be looked at in the end.
        journal.flushFailed();
        return Messages.of(e);
      }
      journal.flushConfirmed();
      return null;
    }
  }

  /**
   * The same as often as the policy allows; where Fedora is away it is waited for.
   *
   * @return null if it was confirmed, else why it was not the last time
   * @throws IOException if the journal could not be written
   * @throws RunStop if the run is over
   */
  public static String confirm(Worker worker, Journal journal) throws IOException, RunStop {
    BackOff backOff = new BackOff(worker, worker.policy().maxAttempts());
    while (true) {
      long startNanos = System.nanoTime();
      String problem = confirm(worker.session(), journal);
      if (problem == null || !backOff.mayRetry(problem, startNanos)) {
        return problem;
      }
    }
  }

  @Override
  public void close() {
    ended.raise();
    try {
      // A flush that is cut short says nothing, and all that was in it would have to be looked at.
      thread.join(CLOSE_TIMEOUT.toMillis());
      session.cancel();
      thread.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    session.close();
  }
}
