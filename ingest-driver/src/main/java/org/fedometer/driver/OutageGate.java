package org.fedometer.driver;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where workers wait while Fedora is out of reach: one of them asks, the others stand in line, so
 * that a million objects do not fail one by one and a Fedora that comes up is not met by all
 * workers logging in at once.
 */
final class OutageGate {

  /** Said of a login that was accepted at first and is refused later. */
  static final String LOGIN_TRAP =
      " It accepted the same login before. Fedora falls into this state for good when several first"
          + " logins after its start come at once (from another client, perhaps): touch"
          + " server/config/fedora-users.xml in its home, or restart it.";

  private static final Duration FIRST_WAIT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
  private static final Duration BETWEEN_DRIVERS = Duration.ofSeconds(2);

  private final FedoraClient client;
  private final Duration limit;
  private final StopSignal stop;
  private final RequestListener listener;
  private final Duration turn;
  private final ReentrantLock line = new ReentrantLock();
  private final List<Outage> outages = new CopyOnWriteArrayList<>();

  /** Set once, under the line's lock: those that still stand in it need not ask again. */
  private boolean givenUp;

  /**
   * @param shard of drivers of one run each waits for its turn when Fedora is back: where several
   *     log in at once, Fedora falls into {@link #LOGIN_TRAP}
   */
  OutageGate(
      FedoraClient client, Duration limit, StopSignal stop, RequestListener listener, Shard shard) {
    this.turn = shard.isPart() ? BETWEEN_DRIVERS.multipliedBy(shard.number() - 1) : null;
    this.client = client;
    this.limit = limit;
    this.stop = stop;
    this.listener = listener;
  }

  /** Outages, oldest first; not one that goes on and is waited for. */
  List<Outage> outages() {
    return List.copyOf(outages);
  }

  /**
   * Returns when Fedora accepts the session's login, at once if it does now.
   *
   * @param reason what the caller's request failed with
   * @param sinceNanos when that request began
   * @return whether Fedora was away since then: some worker's question went unanswered
   * @throws RunStop if Fedora stays away for too long, refuses the login, or a stop was asked for
   */
  boolean awaitFedora(FedoraSession session, String reason, long sinceNanos) throws RunStop {
    return await(session, reason, sinceNanos, FedoraSession::login);
  }

  /**
   * The same where somebody may have answered in Fedora's place: returns when Fedora can search, at
   * once if it can now. A webapp that is on its way out may let users in still when it has no
   * objects any more.
   */
  boolean awaitObjects(FedoraSession session, String reason, long sinceNanos) throws RunStop {
    return await(session, reason, sinceNanos, OutageGate::search);
  }

  /**
   * The same where Fedora has answered with an error of its own: returns when it has a database, at
   * once if it has one now. Without, it lets users in, says of every new object that there is none
   * such, and answers 500 to its ingest. Worse, it keeps that object's lock for good: a further
   * attempt before Fedora is started again is never answered.
   */
  boolean awaitDatabase(FedoraSession session, String reason, long sinceNanos) throws RunStop {
    return await(
        session,
        reason + ". It cannot search for objects: its database may be gone",
        sinceNanos,
        OutageGate::search);
  }

  private static void search(FedoraSession session) throws IOException {
    session.login();
    try {
      session.searchForNobody();
    } catch (FedoraRefusalException e) {
      // Else it is there, and a policy forbids the search.
      if (e.status() >= 500 || e.status() == 404) {
        throw e;
      }
    }
  }

  /** What a Fedora that is there has an answer to. */
  private interface Question {
    void ask(FedoraSession session) throws IOException;
  }

  private boolean await(FedoraSession session, String reason, long sinceNanos, Question question)
      throws RunStop {
    long noticedNanos = System.nanoTime();
    line.lock();
    try {
      if (stop.raised() || givenUp) {
        throw RunStop.asRequested();
      }
      String silence = ask(session, question);
      if (silence == null) {
        return !outages.isEmpty() && outages.get(outages.size() - 1).endNanos() - sinceNanos >= 0;
      }
      listener.onOutage(reason);
      awaitInLine(session, silence, reason, noticedNanos, question);
      client.expireLogins();
      Outage outage = new Outage(noticedNanos, System.nanoTime(), reason);
      outages.add(outage);
      listener.onRecovery(outage);
      return true;
    } finally {
      line.unlock();
    }
  }

  /**
   * Returns when Fedora is back; what lasts still when this is given up is an outage until then.
   */
  private void awaitInLine(
      FedoraSession session,
      String firstSilence,
      String reason,
      long noticedNanos,
      Question question)
      throws RunStop {
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
        silence = askInTurn(session, question);
      }
    } catch (RunStop e) {
      Outage unended = new Outage(noticedNanos, System.nanoTime(), reason);
      outages.add(unended);
      listener.onUnended(unended);
      throw e;
    }
  }

  /** The same after an outage, when other drivers may be waiting, too. */
  private String askInTurn(FedoraSession session, Question question) throws RunStop {
    if (turn != null) {
      try {
        session.knock();
      } catch (IOException e) {
        return Words.of(e);
      }
      stop.pause(turn);
    }
    return ask(session, question);
  }

  /** Null if Fedora answers as it should. */
  private String ask(FedoraSession session, Question question) throws RunStop {
    try {
      question.ask(session);
      return null;
    } catch (LoginRefusedException e) {
      throw RunStop.because(e.getMessage() + LOGIN_TRAP, e);
    } catch (IOException e) {
      return Words.of(e);
    }
  }
}
