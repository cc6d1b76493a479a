package org.fedometer.driver.request;

import static org.fedometer.driver.request.RequestEvent.Outcome.ABANDONED;
import static org.fedometer.driver.request.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.request.RequestEvent.Outcome.RETRIED;
import static org.fedometer.driver.request.Verdict.Weight.COUNTS;
import static org.fedometer.driver.request.Verdict.Weight.EXCUSED_ONCE;
import static org.fedometer.driver.request.Verdict.Weight.NONE;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.FedoraMessages;
import org.fedometer.driver.fedora.FedoraResponse;
import org.fedometer.driver.fedora.FedoraUnreachableException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.Operation;

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
 *       Fedora did. It is waited for, where it may be away, and then {@linkplain Settling asked},
 *       unless doing it twice does no harm. Not before that may anything be sent again.
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

  private final Worker worker;

  /** Null where no other worker changes what this one's requests are about. */
  private final SubjectLocks locks;

  /** For requests about objects that are the worker's own: begun, they are seen through. */
  public Attempts(Worker worker) {
    this(worker, null);
  }

  /**
   * For requests about objects that others change, too; none is begun after a stop.
   *
   * @param locks the same for all workers
   */
  public Attempts(Worker worker, SubjectLocks locks) {
    this.worker = worker;
    this.locks = locks;
  }

  /** One request, sent as often as need be. Keeps what it learns from one attempt to the next. */
  public interface Request {

    /** Makes ready for an attempt; false if that was given up, and with it the request. */
    default boolean prepare() throws RunStop {
      return true;
    }

    /** Whether it changes an object: then it waits where Fedora refuses two changes at once. */
    default boolean changes() {
      return true;
    }

    /**
     * Sends it once.
     *
     * @throws FedoraUnreachableException if nothing was sent
     * @throws ContentFailureException if the dataset could not produce what was to be sent
     * @throws IOException if there is no knowing what Fedora did
     */
    FedoraResponse send(String traceparent) throws IOException;

    /**
     * Judges what came of it; {@link Response#settle} where Fedora does not say that it is done.
     */
    Verdict judge(Response response) throws RunStop;

    /** It has failed as often as it may. */
    default void givenUp() {}

    /**
     * For how many failures to wait before the next attempt; 0 for not at all.
     *
     * @param failures attempts that failed and counted
     * @param counted whether the latest did
     */
    default int backOffSteps(int failures, boolean counted) {
      return counted ? failures : 0;
    }

    /** Content that Fedora takes in by the latest attempt; of a read, what came. */
    long bytes();

    /** Puts an attempt on record when it is judged. */
    void record(RequestEvent event) throws RunStop;
  }

  /** Judges an attempt that does not say what Fedora did, if need be by asking it. */
  @FunctionalInterface
  public interface Settling {
    Verdict settle(Response response) throws RunStop;
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

  /** What came of one attempt, for its request to judge. */
  public final class Response {

    private final String pid;
    private final String traceparent;
    private final long startNanos;
    private final long durationNanos;
    private final FedoraResponse response;
    private final Exception failure;
    private final Progress progress;
    private String note = "";
    private String message;
    private boolean wasAway;

    private Response(
        String pid,
        String traceparent,
        long startNanos,
        long durationNanos,
        FedoraResponse response,
        Exception failure,
        Progress progress) {
      this.pid = pid;
      this.traceparent = traceparent;
      this.startNanos = startNanos;
      this.durationNanos = durationNanos;
      this.response = response;
      this.failure = failure;
      this.progress = progress;
      this.message = baseMessage();
    }

    /** What Fedora said, or null if no answer came. */
    public FedoraResponse fedoraResponse() {
      return response;
    }

    /** HTTP status, or 0 if no answer came. */
    public int status() {
      return response == null ? 0 : response.status();
    }

    public long startNanos() {
      return startNanos;
    }

    /** Whether nothing was sent, for want of a connection. */
    public boolean unsent() {
      return failure instanceof FedoraUnreachableException;
    }

    /** Whether somebody else may have given it in Fedora's place. */
    public boolean mayBeFromProxy() {
      return response != null && response.mayBeFromProxy(pid);
    }

    /** Attempts that failed and counted, before this one. */
    public int failures() {
      return progress.failures;
    }

    /** What is known of it, once it is to be settled. */
    public String message() {
      return message;
    }

    /** Whether Fedora is known to have been away since it was sent. */
    public boolean wasAway() {
      return wasAway;
    }

    /** Adds what is known of it besides. */
    public Response withNote(String text) {
      note = text;
      return this;
    }

    public Verdict retry() {
      return retried("", wasAway ? EXCUSED_ONCE : COUNTS);
    }

    /** To be sent again, after the wait that the answer asks for. */
    public Verdict retried(String addition, Verdict.Weight weight) {
      return Verdict.retried(
          message + addition, response == null ? Duration.ZERO : response.retryAfter(), weight);
    }

    /** Judges what is no success by the rules that hold for all. */
    public Verdict settle(Settling settling) throws RunStop {
      return settle(
          status() >= 500 || mayBeFromProxy(),
          () -> wasAway || RetryPolicy.isRetryable(status()),
          settling);
    }

    /**
     * The same by other rules.
     *
     * @param mayBeAway whether Fedora may be away, by an answer that is no success
     * @param worthAnother whether another attempt may go better; asked once for each such answer
     */
    public Verdict settle(boolean mayBeAway, BooleanSupplier worthAnother, Settling settling)
        throws RunStop {
      if (unsent()) {
        awaitFedora();
        return Verdict.retried(message, Duration.ZERO, wasAway ? NONE : COUNTS);
      }
      message = (response == null ? "No answer: " : "") + message + note;
      if (response == null) {
        awaitFedora();
        return settling.settle(this);
      }
      if (status() == 401) {
        // The gate ends the run if the login is refused now.
        awaitFedora();
        if (progress.refused) {
          return Verdict.of(
              FAILED, message + ". The login is accepted all the same: a policy may forbid this.");
        }
        progress.refused = true; // once, the session may just have run out
        return Verdict.of(RETRIED, message);
      }
      if (mayBeAway) {
        awaitFedora();
      }
      return worthAnother.getAsBoolean() ? settling.settle(this) : Verdict.of(FAILED, message);
    }

    private void awaitFedora() throws RunStop {
      wasAway = worker.awaitFedora(message, startNanos);
    }

    private String baseMessage() {
      return response == null ? Messages.of(failure) : response.describe();
    }
  }

  /**
   * Returns when it is done or given up; the request has recorded every attempt.
   *
   * @param index number of the object that it is about, or {@link RequestEvent#NO_OBJECT}
   * @param pid of that object, or empty
   * @param intendedStart when the first attempt should be sent: a further one is late by what it
   *     took to get there, since nobody asked for it before
   * @return whether it is done, as against given up
   * @throws RunStop if the run is over; the last attempt recorded is then not final
   */
  public boolean perform(
      Operation operation, long index, String pid, IntendedStart intendedStart, Request request)
      throws RunStop {
    Progress progress = new Progress();
    for (int number = 1; ; number++) {
      if (!request.prepare()) {
        return false;
      }
      Response response = send(request, pid, number, progress);
      Verdict verdict;
      RunStop over = null;
      try {
        verdict = judge(request, response);
      } catch (RunStop e) {
        over = e;
        verdict = Verdict.of(ABANDONED, response.baseMessage());
      }
      boolean counted = verdict.outcome() == RETRIED && progress.count(verdict);
      if (verdict.outcome() == RETRIED && progress.failures >= worker.policy().maxAttempts()) {
        request.givenUp();
        verdict = verdict.as(FAILED, number > 1 ? " (given up after " + number + " attempts)" : "");
      } else if (verdict.outcome() == RETRIED && worker.stop().raised()) {
        over = RunStop.asRequested();
        verdict = verdict.as(ABANDONED, "");
      }
      request.record(
          new RequestEvent(
              operation,
              index,
              pid,
              response.traceparent,
              worker.number(),
              number,
              intendedStart.intendedStartNanos(response.startNanos),
              response.startNanos,
              response.durationNanos,
              response.status(),
              request.bytes(),
              FedoraMessages.cut(verdict.message()),
              verdict.outcome()));
      if (over != null) {
        throw over;
      }
      if (verdict.outcome() != RETRIED) {
        return verdict.outcome() != FAILED;
      }
      int backOffSteps = request.backOffSteps(progress.failures, counted);
      if (backOffSteps > 0) {
        worker.stop().pause(worker.policy().waitAfter(backOffSteps, verdict.retryAfter()));
      }
    }
  }

  private Response send(Request request, String pid, int number, Progress progress) throws RunStop {
    String traceparent = Traceparent.random();
    FedoraResponse response = null;
    Exception failure = null;
    try (SubjectLocks.Turn ignored =
        locks != null && request.changes() ? locks.acquire(pid) : () -> {}) {
      if (worker.stop().raised() && (number > 1 || locks != null)) {
        throw RunStop.asRequested();
      }
      long startNanos = System.nanoTime();
      try {
        response = request.send(traceparent);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      long durationNanos = System.nanoTime() - startNanos;
      return new Response(pid, traceparent, startNanos, durationNanos, response, failure, progress);
    }
  }

  private Verdict judge(Request request, Response response) throws RunStop {
    if (response.response != null) {
      if (locks != null) {
        locks.recordResponse(response.pid, response.response);
      }
      return request.judge(response);
    }
    if (response.failure instanceof LoginRefusedException refusal) {
      throw RunStop.loginRefused(refusal);
    }
    if (response.failure instanceof ContentFailureException
        || response.failure instanceof IllegalArgumentException) {
      return Verdict.of(FAILED, response.baseMessage());
    }
    if (!(response.failure instanceof IOException)) {
      throw RunStop.ofDriver(response.failure);
    }
    return request.judge(response);
  }
}
