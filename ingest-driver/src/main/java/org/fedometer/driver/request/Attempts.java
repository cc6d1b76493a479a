package org.fedometer.driver.request;

import static org.fedometer.driver.request.RequestEvent.Outcome.ABANDONED;
import static org.fedometer.driver.request.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.request.RequestEvent.Outcome.RETRIED;
import static org.fedometer.driver.request.Verdict.Weight.COUNTS;
import static org.fedometer.driver.request.Verdict.Weight.EXCUSED_ONCE;
import static org.fedometer.driver.request.Verdict.Weight.NONE;

import java.io.IOException;
import java.time.Duration;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.FedoraAnswer;
import org.fedometer.driver.fedora.FedoraMessages;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.FedoraUnreachableException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.Words;

/**
 * Sends a request until it is done or given up: an ingest, an upload, a datastream, a statement, an
 * operation of a mix. One per worker, used by that worker's thread only.
 *
 * <p>So that nothing that was acknowledged is lost, and nothing is done twice, these rules hold for
 * all of them; what differs between them is in their {@link Request}.
 *
 * <ul>
 *   <li><b>Every attempt is judged and on record</b> before anything else is sent for it.
 *   <li><b>No connection:</b> nothing was sent, so nothing can have happened. Fedora is waited for;
 *       if it was away, the attempt counts for nothing.
 *   <li><b>The answer is lost</b>, or is an error that may say anything: there is no knowing what
 *       Fedora did. It is waited for, where it may be away, and then {@linkplain Request#settle
 *       asked}, unless doing it twice does no harm. Not before that may anything be sent again.
 *   <li><b>Answered in Fedora's place</b>, by Tomcat while the webapp is gone or by a proxy: the
 *       same, for an answer that is not Fedora's says nothing.
 *   <li><b>401:</b> the session may have run out, so that it is sent once more. Refused again
 *       though the login is accepted, it is given up; if the login is refused, the run is over.
 *   <li><b>The dataset fails</b>, or the request cannot be made: given up at once.
 *   <li><b>What counts:</b> so many attempts as the policy allows may fail. One that failed because
 *       Fedora went away does not count, {@linkplain Verdict.Weight#EXCUSED_ONCE once}.
 *   <li><b>Waits</b> between attempts grow with the failures; after an outage there need be none,
 *       for Fedora was waited for.
 *   <li><b>A stop,</b> or an interrupt, ends all waits. What is under way is judged still; what
 *       would be sent again is {@code ABANDONED}: open, for whoever resumes.
 * </ul>
 */
public final class Attempts {

  private final int worker;
  private final FedoraSession session;
  private final RetryPolicy policy;
  private final OutageGate gate;
  private final StopSignal stop;

  /**
   * @param worker number of the worker, from zero, for the record
   * @param gate the same for all workers
   */
  public Attempts(
      int worker, FedoraSession session, RetryPolicy policy, OutageGate gate, StopSignal stop) {
    this.worker = worker;
    this.session = session;
    this.policy = policy;
    this.gate = gate;
    this.stop = stop;
  }

  /** One request, sent as often as need be. Keeps what it learns from one attempt to the next. */
  public interface Request {

    /** Of the object that it is about, or empty. */
    String pid();

    /** Makes ready for an attempt; false if that was given up, and with it the request. */
    default boolean prepare() throws RunStop {
      return true;
    }

    /** Waits until it may be sent; what is returned is closed when the answer is there. */
    default SubjectLocks.Turn turn() throws RunStop {
      return () -> {};
    }

    /** Whether a stop keeps its first attempt from being sent, too, as it does all further ones. */
    default boolean heedsStop() {
      return false;
    }

    /**
     * Sends it once.
     *
     * @throws FedoraUnreachableException if nothing was sent
     * @throws ContentFailureException if the dataset could not produce what was to be sent
     * @throws IOException if there is no knowing what Fedora did
     */
    FedoraAnswer send(String traceparent) throws IOException;

    /** What is known, besides the answer, of the attempt that has just failed. */
    default String note() {
      return "";
    }

    /** Hears each answer before it is judged. */
    default void heard(FedoraAnswer answer, long sentNanos) {}

    /** Whether Fedora says by this status that it has done it. */
    boolean isSuccess(int status);

    /** Judges an answer of such a status. */
    Verdict accepted(FedoraAnswer answer) throws RunStop;

    /**
     * Whether Fedora may be away, by an answer that is no success.
     *
     * @param failures attempts that failed and counted, before this one
     */
    default boolean mayBeAway(FedoraAnswer answer, int failures) {
      return answer.status() >= 500 || answer.maybeNotFedoras(pid());
    }

    /**
     * Decides whether another attempt may go better; asked once for each answer that is no success.
     *
     * @param wasAway whether Fedora was away since it was sent
     */
    default boolean isWorthAnother(FedoraAnswer answer, boolean wasAway) {
      return wasAway || RetryPolicy.worthAnotherAttempt(answer.status());
    }

    /** Judges an attempt that does not say what Fedora did, if need be by asking it. */
    Verdict settle(Doubt doubt) throws RunStop;

    /** It was not sent for want of a connection. */
    default void unsent(boolean wasAway) {}

    /** It has failed as often as it may. */
    default void givenUp() {}

    /**
     * For how many failures to wait before the next attempt; 0 for not at all.
     *
     * @param failures attempts that failed and counted
     * @param counted whether the latest did
     */
    default int waits(int failures, boolean counted) {
      return counted ? failures : 0;
    }

    /** Content that Fedora takes in by the latest attempt; of a read, what came. */
    long bytes();

    /** Puts an attempt on record when it is judged. */
    void record(RequestEvent event) throws RunStop;
  }

  /**
   * An attempt that does not say what Fedora did.
   *
   * @param answer an error, or null if there was none
   * @param words what is known of it
   * @param wasAway whether Fedora is known to have been away since
   */
  public record Doubt(FedoraAnswer answer, String words, long startNanos, boolean wasAway) {

    /** The wait before the next attempt that the answer asks for; zero if there is none. */
    public Duration asked() {
      return answer == null ? Duration.ZERO : answer.retryAfter();
    }

    public Verdict sentAgain() {
      return Verdict.retried(words, asked(), wasAway ? EXCUSED_ONCE : COUNTS);
    }
  }

  private static final class Progress {
    private int failures;
    private boolean excused;

    /** Whether an earlier attempt was answered 401. */
    private boolean refused;

    /** Whether an attempt that is to be sent again counts. */
    boolean count(Verdict verdict) {
      boolean counts = verdict.weight() == COUNTS || verdict.weight() == EXCUSED_ONCE && excused;
      excused |= verdict.weight() == EXCUSED_ONCE;
      failures += counts ? 1 : 0;
      return counts;
    }
  }

  /**
   * @param answer or null if there was none
   * @param failure what was thrown then
   */
  private record Attempt(
      String traceparent,
      long startNanos,
      long durationNanos,
      FedoraAnswer answer,
      Exception failure) {

    String words() {
      return answer == null ? Words.of(failure) : answer.describe();
    }
  }

  /**
   * Returns when it is done or given up; the request has recorded every attempt.
   *
   * @param index number of the object that it is about, or {@link RequestEvent#NO_OBJECT}
   * @param due when the first attempt should be sent: a further one is late by what it took to get
   *     there, since nobody asked for it before
   * @return whether it is done, as against given up
   * @throws RunStop if the run is over; the last attempt recorded is then not final
   */
  public boolean perform(Operation operation, long index, Due due, Request request) throws RunStop {
    Progress progress = new Progress();
    for (int number = 1; ; number++) {
      if (!request.prepare()) {
        return false;
      }
      Attempt attempt = send(request, number);
      Verdict verdict;
      RunStop over = null;
      try {
        verdict = judge(request, attempt, progress);
      } catch (RunStop e) {
        over = e;
        verdict = Verdict.of(ABANDONED, attempt.words());
      }
      boolean counted = verdict.outcome() == RETRIED && progress.count(verdict);
      if (verdict.outcome() == RETRIED && progress.failures >= policy.maxAttempts()) {
        request.givenUp();
        verdict = verdict.as(FAILED, number > 1 ? " (given up after " + number + " attempts)" : "");
      } else if (verdict.outcome() == RETRIED && stop.raised()) {
        over = RunStop.asRequested();
        verdict = verdict.as(ABANDONED, "");
      }
      request.record(event(operation, index, due, number, request, attempt, verdict));
      if (over != null) {
        throw over;
      }
      if (verdict.outcome() != RETRIED) {
        return verdict.outcome() != FAILED;
      }
      int waits = request.waits(progress.failures, counted);
      if (waits > 0) {
        stop.pause(policy.waitAfter(waits, verdict.asked()));
      }
    }
  }

  private Attempt send(Request request, int number) throws RunStop {
    String traceparent = Traceparent.random();
    FedoraAnswer answer = null;
    Exception failure = null;
    try (SubjectLocks.Turn ignored = request.turn()) {
      if (stop.raised() && (number > 1 || request.heedsStop())) {
        throw RunStop.asRequested();
      }
      long startNanos = System.nanoTime();
      try {
        answer = request.send(traceparent);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      long durationNanos = System.nanoTime() - startNanos;
      return new Attempt(traceparent, startNanos, durationNanos, answer, failure);
    }
  }

  private RequestEvent event(
      Operation operation,
      long index,
      Due due,
      int number,
      Request request,
      Attempt attempt,
      Verdict verdict) {
    return new RequestEvent(
        operation,
        index,
        request.pid(),
        attempt.traceparent(),
        worker,
        number,
        due.intendedStartNanos(attempt.startNanos()),
        attempt.startNanos(),
        attempt.durationNanos(),
        attempt.answer() == null ? 0 : attempt.answer().status(),
        request.bytes(),
        FedoraMessages.cut(verdict.message()),
        verdict.outcome());
  }

  private Verdict judge(Request request, Attempt attempt, Progress progress) throws RunStop {
    return attempt.answer() == null
        ? judgeFailure(request, attempt)
        : judgeAnswer(request, attempt.answer(), attempt.startNanos(), progress);
  }

  private Verdict judgeAnswer(
      Request request, FedoraAnswer answer, long startNanos, Progress progress) throws RunStop {
    request.heard(answer, startNanos);
    if (request.isSuccess(answer.status())) {
      return request.accepted(answer);
    }
    String words = answer.describe() + request.note();
    if (answer.status() == 401) {
      // The gate ends the run if the login is refused now.
      gate.awaitFedora(session, words, startNanos);
      if (progress.refused) {
        return Verdict.of(
            FAILED, words + ". The login is accepted all the same: a policy may forbid this.");
      }
      progress.refused = true; // once, the session may just have run out
      return Verdict.of(RETRIED, words);
    }
    boolean wasAway =
        request.mayBeAway(answer, progress.failures)
            && gate.awaitFedora(session, words, startNanos);
    return request.isWorthAnother(answer, wasAway)
        ? request.settle(new Doubt(answer, words, startNanos, wasAway))
        : Verdict.of(FAILED, words);
  }

  private Verdict judgeFailure(Request request, Attempt attempt) throws RunStop {
    Exception failure = attempt.failure();
    String words = attempt.words();
    if (failure instanceof LoginRefusedException refusal) {
      throw RunStop.loginRefused(refusal);
    }
    if (failure instanceof ContentFailureException || failure instanceof IllegalArgumentException) {
      return Verdict.of(FAILED, words);
    }
    if (!(failure instanceof IOException)) {
      throw RunStop.ofDriver(failure);
    }
    if (failure instanceof FedoraUnreachableException) {
      boolean wasAway = gate.awaitFedora(session, words, attempt.startNanos());
      request.unsent(wasAway);
      return Verdict.retried(words, Duration.ZERO, wasAway ? NONE : COUNTS);
    }
    String lost = "No answer: " + words + request.note();
    boolean wasAway = gate.awaitFedora(session, lost, attempt.startNanos());
    return request.settle(new Doubt(null, lost, attempt.startNanos(), wasAway));
  }
}
