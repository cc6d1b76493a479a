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
 * Sends a request until it succeeds or fails: an ingest, an upload, a datastream, a statement, an
 * operation of a mix. One per worker, confined to its thread.
 *
 * <p>These common rules ensure that no acknowledged object is lost and nothing is done twice.
 * {@link Request} has the differences.
 *
 * <ul>
 *   <li><b>Every attempt is judged and recorded</b> before the next request is sent.
 *   <li><b>No connection:</b> nothing was sent. Fedora is awaited; if it was away, the attempt does
 *       not count.
 *   <li><b>The response is lost</b>, or an inconclusive error: the outcome is unknown. Fedora is
 *       awaited if it may be away, then {@linkplain Settling queried}, unless repeating is
 *       harmless. Nothing may be sent again before.
 *   <li><b>Another server answers</b>, such as Tomcat without the webapp, or a proxy: the same,
 *       since the response is not Fedora's.
 *   <li><b>401:</b> the session may have expired, so that it is sent once more. It fails if refused
 *       again although the login is accepted; if the login is refused, the run is over.
 *   <li><b>The dataset fails</b>, or the request cannot be made: it fails at once.
 *   <li><b>Counting:</b> the policy limits the failed attempts. One that failed because Fedora went
 *       away does not count, {@linkplain Verdict.Weight#EXCUSED_ONCE once}.
 *   <li><b>Waits</b> between attempts grow with the failures; after an outage none is needed, since
 *       Fedora was awaited.
 *   <li><b>A stop,</b> or an interrupt, ends all waits. The request under way is still judged; a
 *       retry becomes {@code ABANDONED}: open, for a resume.
 * </ul>
 */
public final class Attempts {

  private final Worker worker;

  /** Null if no other worker changes this one's objects. */
  private final SubjectLocks locks;

  /** Creates attempts for objects of this worker alone; a begun request is completed. */
  public Attempts(Worker worker) {
    this(worker, null);
  }

  /**
   * Creates attempts for objects that other workers change, too; none begins after a stop.
   *
   * @param locks the same for all workers
   */
  public Attempts(Worker worker, SubjectLocks locks) {
    this.worker = worker;
    this.locks = locks;
  }

  /** One request and its state across attempts. */
  public interface Request {

    /** Prepares an attempt; false if that, and with it the request, failed. */
    default boolean prepare() throws RunStop {
      return true;
    }

    /** Returns whether it changes an object, and so waits if Fedora rejects concurrent changes. */
    default boolean changes() {
      return true;
    }

    /**
     * Sends it once.
     *
     * @throws FedoraUnreachableException if nothing was sent
     * @throws ContentFailureException if the dataset could not produce the content
     * @throws IOException if the outcome is unknown
     */
    FedoraResponse send(String traceparent) throws IOException;

    /** Judges a response; calls {@link Response#settle} unless Fedora confirms success. */
    Verdict judge(Response response) throws RunStop;

    /** Called after the last allowed failure. */
    default void givenUp() {}

    /**
     * Returns the number of failures that determines the wait before the next attempt; 0 for none.
     *
     * @param failures counted failed attempts
     * @param counted true if the latest one counted
     */
    default int backOffSteps(int failures, boolean counted) {
      return counted ? failures : 0;
    }

    /**
     * Returns content bytes of the latest attempt, received by Fedora or, for a read, sent by it.
     */
    long bytes();

    /** Records a judged attempt. */
    void record(RequestEvent event) throws RunStop;
  }

  /** Judges an inconclusive attempt, if necessary by querying Fedora. */
  @FunctionalInterface
  public interface Settling {
    Verdict settle(Response response) throws RunStop;
  }

  private static final class Progress {
    private int failures;
    private boolean excused;

    /** True if an earlier attempt was answered 401. */
    private boolean refused;

    /** Counts an attempt to be repeated; returns whether it counts. */
    boolean count(Verdict verdict) {
      boolean counts = verdict.weight() == COUNTS || verdict.weight() == EXCUSED_ONCE && excused;
      excused |= verdict.weight() == EXCUSED_ONCE;
      failures += counts ? 1 : 0;
      return counts;
    }
  }

  /** Outcome of one attempt, for its request to judge. */
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

    /** Returns Fedora's response, or null if none came. */
    public FedoraResponse fedoraResponse() {
      return response;
    }

    /** Returns the HTTP status, or 0 if no response came. */
    public int status() {
      return response == null ? 0 : response.status();
    }

    public long startNanos() {
      return startNanos;
    }

    /** Returns whether nothing was sent, for lack of a connection. */
    public boolean unsent() {
      return failure instanceof FedoraUnreachableException;
    }

    /** Returns whether another server may have answered. */
    public boolean mayBeFromProxy() {
      return response != null && response.mayBeFromProxy(pid);
    }

    /** Returns the counted failed attempts before this one. */
    public int failures() {
      return progress.failures;
    }

    /** Returns a description, complete once it is to be settled. */
    public String message() {
      return message;
    }

    /** Returns whether Fedora is known to have been away since sending. */
    public boolean wasAway() {
      return wasAway;
    }

    /** Appends a note to the message. */
    public Response withNote(String text) {
      note = text;
      return this;
    }

    public Verdict retry() {
      return retried("", wasAway ? EXCUSED_ONCE : COUNTS);
    }

    /** Returns a retry, after the delay that the response requests. */
    public Verdict retried(String addition, Verdict.Weight weight) {
      return Verdict.retried(
          message + addition, response == null ? Duration.ZERO : response.retryAfter(), weight);
    }

    /** Judges an attempt without success by the common rules. */
    public Verdict settle(Settling settling) throws RunStop {
      return settle(
          status() >= 500 || mayBeFromProxy(),
          () -> wasAway || RetryPolicy.isRetryable(status()),
          settling);
    }

    /**
     * Settles an attempt by other rules.
     *
     * @param mayBeAway true if Fedora may be away, given an unsuccessful response
     * @param worthAnother true if another attempt may succeed; called once per such response
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
        // The circuit breaker ends the run if the login is refused now.
        awaitFedora();
        if (progress.refused) {
          return Verdict.of(
              FAILED,
              message + ". The login itself is accepted: a policy may forbid this request.");
        }
        progress.refused = true; // once, as the session may just have expired
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
   * Performs a request. Returns on success or failure; the request has recorded every attempt.
   *
   * @param index number of its object, or {@link RequestEvent#NO_OBJECT}
   * @param pid of that object, or empty
   * @param intendedStart intended start of the first attempt; later attempts keep it, and are late
   *     by the time of the earlier ones
   * @return true on success, false on failure
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
