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
 * Where workers wait while Fedora is out of reach: one of them asks, the others stand in line, so
 * that a million objects do not fail one by one and a Fedora that comes up is not met by all
 * workers logging in at once.
 */
public final class CircuitBreaker {

  private static final String SEARCH_FAILED =
      "It cannot search for objects: its database may be gone";

  private static final Duration FIRST_WAIT = Duration.ofMillis(100);
  private static final Duration MAX_WAIT = Duration.ofSeconds(2);
  private static final Duration DRIVER_DELAY = Duration.ofSeconds(2);

  /** A login takes some milliseconds. */
  private static final Duration SLOW_LOGIN = Duration.ofSeconds(1);

  private final FedoraClient client;
  private final Duration limit;
  private final StopSignal stop;
  private final RequestListener listener;
  private final Duration startDelay;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<PastOutage> outages = new CopyOnWriteArrayList<>();

  /** Why Fedora is out of reach at present, or null. */
  private volatile String outage;

  private volatile Runnable onRecovery = () -> {};

  /** Set once, under the line's lock: those that still stand in it need not ask again. */
  private boolean givenUp;

  /** When the latest ingest was sent that Fedora itself has answered; this gate's making counts. */
  private final AtomicLong lastAnsweredNanos = new AtomicLong(System.nanoTime());

  /** Since when ingests are answered in its place and by nobody else; null if they are not. */
  private final AtomicReference<Long> replacedSinceNanos = new AtomicReference<>();

  /** What Fedora was found to be since whoever is first in the line has asked. */
  private OutageKind worstKind = OutageKind.NONE;

  /**
   * @param shard of drivers of one run each waits for its turn when Fedora is back: where several
   *     log in at once, Fedora refuses every later login: see {@link RunStop#loginRefused}
   */
  public CircuitBreaker(
      FedoraClient client, Duration limit, StopSignal stop, RequestListener listener, Shard shard) {
    this.startDelay = shard.isPart() ? DRIVER_DELAY.multipliedBy(shard.number() - 1) : null;
    this.client = client;
    this.limit = limit;
    this.stop = stop;
    this.listener = listener;
  }

  /** Outages, oldest first; not one that goes on and is waited for. */
  public List<Outage> outages() {
    return outages.stream().map(PastOutage::outage).toList();
  }

  /** Why Fedora is out of reach at present, or null. */
  public String outage() {
    return outage;
  }

  /**
   * @param action done on each recovery, before the listener hears of it
   */
  public void onRecovery(Runnable action) {
    onRecovery = action;
  }

  /** What became of Fedora while it was away, the worse the later. */
  public enum OutageKind {
    NONE,
    /** It took the login and did not answer a search in time. */
    SLOW,
    /** It answered, with errors: it was there all the time, but its database may not have been. */
    WITHOUT_DATABASE,
    /** Somebody else answered in its place: its webapp was loaded anew, or a proxy lost it. */
    REPLACED,
    /** It did not answer a login, or did not know its sessions any more: killed, perhaps. */
    GONE
  }

  private record PastOutage(Outage outage, OutageKind kind) {}

  /**
   * Returns when Fedora takes the session's login and can search, at once if it does now. A login
   * alone would not do: without its database, and while the webapp is on its way out, Fedora lets
   * users in still. Without its database it says of every new object that there is none such, and
   * answers 500 to its ingest; the webapp on its way out answers 404 for all objects.
   *
   * @param reason what the caller's request failed with
   * @param sinceNanos when that request began
   * @return whether Fedora was away since then: some worker's question went unanswered
   * @throws RunStop if Fedora stays away for too long, refuses the login, or a stop was asked for
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
   * Logs the session in, and waits for Fedora where it is away.
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

  /** Fedora itself has answered an ingest, whatever it said. */
  public void recordResponse(long sentNanos) {
    lastAnsweredNanos.accumulateAndGet(
        sentNanos, (before, sent) -> sent - before > 0 ? sent : before);
    replacedSinceNanos.set(null);
  }

  /** When the latest ingest was sent that Fedora itself has answered by now. */
  public long lastAnsweredNanos() {
    return lastAnsweredNanos.get();
  }

  /**
   * Whether ingests may be answered in Fedora's place, and not one object's alone, though Fedora
   * takes logins and can search: so it does while the files of its webapp are exchanged, until
   * Tomcat sees that. Not for longer than an outage may last.
   *
   * @param ambiguousSinceNanos when somebody else first answered the object; what had been sent
   *     before may well have come to Fedora
   * @param lastAnsweredNanos {@link #lastAnsweredNanos()} before it was sent this time: meanwhile
   *     Fedora may have come back
   */
  public boolean isReplaced(long ambiguousSinceNanos, long lastAnsweredNanos) {
    long since =
        replacedSinceNanos.updateAndGet(before -> before == null ? ambiguousSinceNanos : before);
    return ambiguousSinceNanos - lastAnsweredNanos >= 0
        && System.nanoTime() - since < limit.toNanos();
  }

  /** The worst of all outages that have ended since that time. */
  public OutageKind worstSince(long sinceNanos) {
    OutageKind worst = OutageKind.NONE;
    for (PastOutage past : outages) {
      if (past.outage().endNanos() - sinceNanos >= 0 && past.kind().compareTo(worst) > 0) {
        worst = past.kind();
      }
    }
    return worst;
  }

  /** Returns when Fedora is back; one that lasts when this gives up is an outage until then. */
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
                  + "), longer than the "
                  + Messages.seconds(limit.toNanos())
                  + " that are allowed.",
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

  /** The same after an outage, when other drivers may be waiting, too. */
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

  /** Null if Fedora answers as it should. */
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
      recordKind(OutageKind.REPLACED); // Tomcat holds what comes while it loads the webapp anew
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
