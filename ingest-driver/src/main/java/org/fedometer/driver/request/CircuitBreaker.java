package org.fedometer.driver.request;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;

/**
 * Holds workers while Fedora is out of reach. One of them probes, the others queue. Thus a million
 * objects do not fail one by one, and a restarted Fedora does not get all logins at once.
 */
public final class CircuitBreaker {

  private static final String SEARCH_FAILED =
      "Fedora cannot search for objects: its database may be gone";

  private static final Duration FIRST_WAIT = Duration.ofMillis(100);
  private static final Duration MAX_WAIT = Duration.ofSeconds(2);
  private static final Duration DRIVER_DELAY = Duration.ofSeconds(2);

  /** A login normally lasts some milliseconds. */
  private static final Duration SLOW_LOGIN = Duration.ofSeconds(1);

  private final FedoraClient client;
  private final Duration limit;
  private final StopSignal stop;
  private final RequestListener listener;
  private final Duration startDelay;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<PastOutage> outages = new CopyOnWriteArrayList<>();

  /** Reason of the current outage, or null. */
  private volatile String outage;

  private volatile Runnable onRecovery = () -> {};

  /** Set once, under the lock: queued workers need not probe again. */
  private boolean givenUp;

  /** When the latest ingest was sent that Fedora itself answered; initially the creation time. */
  private final AtomicLong lastAnsweredNanos = new AtomicLong(System.nanoTime());

  /** Since when only other servers have answered ingests; null if Fedora answers. */
  private final AtomicReference<Long> replacedSinceNanos = new AtomicReference<>();

  /** Worst state of Fedora since the first worker in the queue began to probe. */
  private OutageKind worstKind = OutageKind.NONE;

  /**
   * @param shard drivers of one run wait for their turns when Fedora is back: after concurrent
   *     logins, Fedora refuses every later one, see {@link RunStop#loginRefused}
   */
  public CircuitBreaker(
      FedoraClient client, Duration limit, StopSignal stop, RequestListener listener, Shard shard) {
    this.startDelay = shard.isPart() ? DRIVER_DELAY.multipliedBy(shard.number() - 1) : null;
    this.client = client;
    this.limit = limit;
    this.stop = stop;
    this.listener = listener;
  }

  /** Returns the ended outages, oldest first. */
  public List<Outage> outages() {
    return outages.stream().map(PastOutage::outage).toList();
  }

  /** Returns the reason of the current outage, or null. */
  public String outage() {
    return outage;
  }

  /**
   * @param action runs on each recovery, before the listener
   */
  public void onRecovery(Runnable action) {
    onRecovery = action;
  }

  /** State of Fedora during an outage, from best to worst. */
  public enum OutageKind {
    NONE,
    /** It accepted the login and did not answer a search in time. */
    SLOW,
    /** It answered with errors: it was running, perhaps without its database. */
    WITHOUT_DATABASE,
    /** Another server answered: its webapp was reloaded, or a proxy lost it. */
    REPLACED,
    /** It did not answer a login, or lost its sessions: killed, perhaps. */
    GONE
  }

  private record PastOutage(Outage outage, OutageKind kind) {}

  /**
   * Waits until Fedora accepts the session's login and can search; returns at once if it can now. A
   * login alone is not enough: Fedora accepts it without its database and while the webapp shuts
   * down. Without its database, it reports every new object as missing and answers 500 to its
   * ingest; a webapp that shuts down answers 404 for all objects.
   *
   * @param reason failure of the caller's request
   * @param sinceNanos when that request began
   * @return true if Fedora was away since then: some worker's probe failed
   * @throws RunStop if Fedora stays away for too long, refuses the login, or a stop was requested
   */
  public boolean awaitFedora(FedoraSession session, String reason, long sinceNanos) throws RunStop {
    long noticedNanos = System.nanoTime();
    lock.lock();
    try {
      if (stop.raised() || givenUp) {
        throw RunStop.asRequested();
      }
      worstKind = OutageKind.NONE;
      String failure = probe(session);
      if (failure != null) {
        awaitRecovery(session, failure, reason, noticedNanos);
      }
      return worstSince(sinceNanos) != OutageKind.NONE;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Logs the session in, and waits for Fedora if it is away.
   *
   * @throws RunStop as {@link #awaitFedora}
   */
  public void login(FedoraSession session) throws RunStop {
    long sinceNanos = System.nanoTime();
    try {
      session.login();
    } catch (LoginRefusedException e) {
      throw RunStop.loginRefused(e);
    } catch (IOException e) {
      awaitFedora(session, Messages.of(e), sinceNanos);
    }
  }

  /** Records that Fedora itself answered an ingest, whatever the response. */
  public void recordResponse(long sentNanos) {
    lastAnsweredNanos.accumulateAndGet(
        sentNanos, (before, sent) -> sent - before > 0 ? sent : before);
    replacedSinceNanos.set(null);
  }

  /** Returns when the latest ingest was sent that Fedora itself has answered by now. */
  public long lastAnsweredNanos() {
    return lastAnsweredNanos.get();
  }

  /**
   * Returns whether another server may be answering all ingests although Fedora accepts logins and
   * searches. This happens while its webapp's files are exchanged, until Tomcat notices. False
   * after the time limit of an outage.
   *
   * @param ambiguousSinceNanos when another server first answered for the object; earlier requests
   *     may have reached Fedora
   * @param lastAnsweredNanos {@link #lastAnsweredNanos()} before the latest attempt: Fedora may be
   *     back since
   */
  public boolean isReplaced(long ambiguousSinceNanos, long lastAnsweredNanos) {
    long since =
        replacedSinceNanos.updateAndGet(before -> before == null ? ambiguousSinceNanos : before);
    return ambiguousSinceNanos - lastAnsweredNanos >= 0
        && System.nanoTime() - since < limit.toNanos();
  }

  /** Returns the worst kind of all outages that ended since that time. */
  public OutageKind worstSince(long sinceNanos) {
    OutageKind worst = OutageKind.NONE;
    for (PastOutage past : outages) {
      if (past.outage().endNanos() - sinceNanos >= 0 && past.kind().compareTo(worst) > 0) {
        worst = past.kind();
      }
    }
    return worst;
  }

  /** Waits for Fedora; an outage that lasts on failure is recorded until then. */
  private void awaitRecovery(
      FedoraSession session, String firstFailure, String callersReason, long noticedNanos)
      throws RunStop {
    String reason =
        callersReason.contains(firstFailure) ? callersReason : callersReason + ". " + firstFailure;
    long sessionsLostBefore = client.sessionsLost();
    outage = reason;
    listener.onOutage(reason);
    try {
      String failure = firstFailure;
      Duration wait = FIRST_WAIT;
      while (failure != null) {
        long awayNanos = System.nanoTime() - noticedNanos;
        if (awayNanos > limit.toNanos()) {
          givenUp = true;
          throw RunStop.because(
              "Fedora has been out of reach for "
                  + Messages.seconds(awayNanos)
                  + " ("
                  + failure
                  + "), longer than the maximum of "
                  + Messages.seconds(limit.toNanos())
                  + ".",
              null);
        }
        stop.pause(wait);
        wait = wait.multipliedBy(2).compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait.multipliedBy(2);
        failure = probeAfterDelay(session);
      }
    } catch (RunStop e) {
      Outage unended = new Outage(noticedNanos, System.nanoTime(), reason);
      outages.add(new PastOutage(unended, worstKind));
      outage = null;
      listener.onOutageAtEnd(unended);
      throw e;
    }
    client.expireLogins();
    if (client.sessionsLost() > sessionsLostBefore) {
      recordKind(OutageKind.GONE);
    }
    Outage over = new Outage(noticedNanos, System.nanoTime(), reason);
    outages.add(new PastOutage(over, worstKind));
    outage = null;
    onRecovery.run();
    listener.onRecovery(over);
  }

  /** Probes after an outage, when other drivers may be waiting, too. */
  private String probeAfterDelay(FedoraSession session) throws RunStop {
    if (startDelay != null) {
      try {
        session.ping();
      } catch (IOException e) {
        recordKind(kindOf(e));
        return Messages.of(e);
      }
      stop.pause(startDelay);
    }
    return probe(session);
  }

  /** Returns null if Fedora works, else the failure. */
  private String probe(FedoraSession session) throws RunStop {
    long sentNanos = System.nanoTime();
    try {
      session.login();
    } catch (LoginRefusedException e) {
      throw RunStop.loginRefused(e);
    } catch (IOException e) {
      recordKind(kindOf(e));
      return Messages.of(e);
    }
    if (System.nanoTime() - sentNanos > SLOW_LOGIN.toNanos()) {
      recordKind(OutageKind.REPLACED); // Tomcat holds requests while it reloads the webapp
    }
    try {
      session.probeSearch();
      return null;
    } catch (IOException e) {
      OutageKind kind =
          e.getCause() instanceof SocketTimeoutException ? OutageKind.SLOW : kindOf(e);
      recordKind(kind);
      return kind == OutageKind.WITHOUT_DATABASE ? SEARCH_FAILED : Messages.of(e);
    }
  }

  private void recordKind(OutageKind kind) {
    worstKind = kind.compareTo(worstKind) > 0 ? kind : worstKind;
  }

  private static OutageKind kindOf(IOException e) {
    if (!(e instanceof FedoraRefusalException refusal)) {
      return OutageKind.GONE;
    }
    return refusal.status() == 500 ? OutageKind.WITHOUT_DATABASE : OutageKind.REPLACED;
  }
}
