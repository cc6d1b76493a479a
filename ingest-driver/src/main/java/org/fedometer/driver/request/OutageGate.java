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
import org.fedometer.driver.fedora.Words;

/**
 * Where workers wait while Fedora is out of reach: one of them asks, the others stand in line, so
 * that a million objects do not fail one by one and a Fedora that comes up is not met by all
 * workers logging in at once.
 */
public final class OutageGate {

  private static final String NO_SEARCH = "It cannot search for objects: its database may be gone";

  private static final Duration FIRST_WAIT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
  private static final Duration BETWEEN_DRIVERS = Duration.ofSeconds(2);

  /** A login takes some milliseconds. */
  private static final Duration HELD_UP = Duration.ofSeconds(1);

  private final FedoraClient client;
  private final Duration limit;
  private final StopSignal stop;
  private final RequestListener listener;
  private final Duration turn;
  private final ReentrantLock line = new ReentrantLock();
  private final List<Past> outages = new CopyOnWriteArrayList<>();

  /** Why Fedora is out of reach at present, or null. */
  private volatile String outage;

  private volatile Runnable onRecovery = () -> {};

  /** Set once, under the line's lock: those that still stand in it need not ask again. */
  private boolean givenUp;

  /** When the latest ingest was sent that Fedora itself has answered; this gate's making counts. */
  private final AtomicLong heardNanos = new AtomicLong(System.nanoTime());

  /** Since when ingests are answered in its place and by nobody else; null if they are not. */
  private final AtomicReference<Long> replacedSinceNanos = new AtomicReference<>();

  /** What Fedora was found to be since whoever is first in the line has asked. */
  private Absence worst = Absence.NONE;

  /**
   * @param shard of drivers of one run each waits for its turn when Fedora is back: where several
   *     log in at once, Fedora refuses every later login: see {@link RunStop#loginRefused}
   */
  public OutageGate(
      FedoraClient client, Duration limit, StopSignal stop, RequestListener listener, Shard shard) {
    this.turn = shard.isPart() ? BETWEEN_DRIVERS.multipliedBy(shard.number() - 1) : null;
    this.client = client;
    this.limit = limit;
    this.stop = stop;
    this.listener = listener;
  }

  /** Outages, oldest first; not one that goes on and is waited for. */
  public List<Outage> outages() {
    return outages.stream().map(Past::outage).toList();
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
  public enum Absence {
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

  private record Past(Outage outage, Absence absence) {}

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
    line.lock();
    try {
      if (stop.raised() || givenUp) {
        throw RunStop.asRequested();
      }
      worst = Absence.NONE;
      String silence = ask(session);
      if (silence != null) {
        awaitInLine(session, silence, reason, noticedNanos);
      }
      return absenceSince(sinceNanos) != Absence.NONE;
    } finally {
      line.unlock();
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
      awaitFedora(session, Words.of(e), sinceNanos);
    }
  }

  /** Fedora itself has answered an ingest, whatever it said. */
  public void heardFedora(long sentNanos) {
    heardNanos.accumulateAndGet(sentNanos, (before, sent) -> sent - before > 0 ? sent : before);
    replacedSinceNanos.set(null);
  }

  /** When the latest ingest was sent that Fedora itself has answered by now. */
  public long heardNanos() {
    return heardNanos.get();
  }

  /**
   * Whether ingests may be answered in Fedora's place, and not one object's alone, though Fedora
   * takes logins and can search: so it does while the files of its webapp are exchanged, until
   * Tomcat sees that. Not for longer than an outage may last.
   *
   * @param doubtedNanos when somebody else first answered the object; what had been sent before may
   *     well have come to Fedora
   * @param heardNanos {@link #heardNanos()} before it was sent this time: meanwhile Fedora may have
   *     come back
   */
  public boolean isReplaced(long doubtedNanos, long heardNanos) {
    long since = replacedSinceNanos.updateAndGet(before -> before == null ? doubtedNanos : before);
    return doubtedNanos - heardNanos >= 0 && System.nanoTime() - since < limit.toNanos();
  }

  /** The worst of all outages that have ended since that time. */
  public Absence absenceSince(long sinceNanos) {
    Absence worst = Absence.NONE;
    for (Past past : outages) {
      if (past.outage().endNanos() - sinceNanos >= 0 && past.absence().compareTo(worst) > 0) {
        worst = past.absence();
      }
    }
    return worst;
  }

  /** Returns when Fedora is back; one that lasts when this gives up is an outage until then. */
  private void awaitInLine(
      FedoraSession session, String firstSilence, String callersReason, long noticedNanos)
      throws RunStop {
    String reason =
        callersReason.contains(firstSilence) ? callersReason : callersReason + ". " + firstSilence;
    long sessionsLostBefore = client.sessionsLost();
    outage = reason;
    listener.onOutage(reason);
    try {
      String silence = firstSilence;
      Duration wait = FIRST_WAIT;
      while (silence != null) {
        long awayNanos = System.nanoTime() - noticedNanos;
        if (awayNanos > limit.toNanos()) {
          givenUp = true;
          throw RunStop.because(
              "Fedora has been out of reach for "
                  + Words.seconds(awayNanos)
                  + " ("
                  + silence
                  + "), longer than the "
                  + Words.seconds(limit.toNanos())
                  + " that are allowed.",
              null);
        }
        stop.pause(wait);
        wait =
            wait.multipliedBy(2).compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait.multipliedBy(2);
        silence = askInTurn(session);
      }
    } catch (RunStop e) {
      Outage unended = new Outage(noticedNanos, System.nanoTime(), reason);
      outages.add(new Past(unended, worst));
      outage = null;
      listener.onUnended(unended);
      throw e;
    }
    client.expireLogins();
    if (client.sessionsLost() > sessionsLostBefore) {
      found(Absence.GONE);
    }
    Outage over = new Outage(noticedNanos, System.nanoTime(), reason);
    outages.add(new Past(over, worst));
    outage = null;
    onRecovery.run();
    listener.onRecovery(over);
  }

  /** The same after an outage, when other drivers may be waiting, too. */
  private String askInTurn(FedoraSession session) throws RunStop {
    if (turn != null) {
      try {
        session.knock();
      } catch (IOException e) {
        found(absence(e));
        return Words.of(e);
      }
      stop.pause(turn);
    }
    return ask(session);
  }

  /** Null if Fedora answers as it should. */
  private String ask(FedoraSession session) throws RunStop {
    long askedNanos = System.nanoTime();
    try {
      session.login();
    } catch (LoginRefusedException e) {
      throw RunStop.loginRefused(e);
    } catch (IOException e) {
      found(absence(e));
      return Words.of(e);
    }
    if (System.nanoTime() - askedNanos > HELD_UP.toNanos()) {
      found(Absence.REPLACED); // Tomcat holds what comes while it loads the webapp anew
    }
    try {
      session.searchForNobody();
      return null;
    } catch (IOException e) {
      Absence absence = e.getCause() instanceof SocketTimeoutException ? Absence.SLOW : absence(e);
      found(absence);
      return absence == Absence.WITHOUT_DATABASE ? NO_SEARCH : Words.of(e);
    }
  }

  private void found(Absence absence) {
    worst = absence.compareTo(worst) > 0 ? absence : worst;
  }

  private static Absence absence(IOException e) {
    if (!(e instanceof FedoraRefusalException refusal)) {
      return Absence.GONE;
    }
    return refusal.status() == 500 ? Absence.WITHOUT_DATABASE : Absence.REPLACED;
  }
}
