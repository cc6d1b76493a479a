package org.fedometer.driver;

import static org.fedometer.driver.RequestEvent.Outcome.ABANDONED;
import static org.fedometer.driver.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.RequestEvent.Outcome.FOUND_COMPLETE;
import static org.fedometer.driver.RequestEvent.Outcome.RETRIED;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Does what is asked of Fedora besides an ingest, with as many attempts as it takes and the policy
 * allows. One per worker, used by that worker's thread only.
 *
 * <p>What a lost answer means depends on the operation. A read is asked again; so is a
 * modification, which says what the content shall be. After a purge or an addition Fedora is asked
 * first whether the object is gone or the datastream there, since a second purge would fail and a
 * second addition make a second version. A flush that fails is not repeated: Fedora has lost its
 * triples then, and the next flush would hide it.
 */
final class ObjectOperations {

  /** Fedora has forgotten the list; it may be begun anew. */
  private static final String TOKEN_UNKNOWN = "badResumptionToken";

  private static final int CONFLICT = 409;
  private static final int GONE = 404;

  private final int worker;
  private final FedoraSession session;
  private final RetryPolicy policy;
  private final OutageGate gate;
  private final StopSignal stop;
  private final SubjectLocks locks;
  private final StatementAddition.AttemptRecorder recorder;

  ObjectOperations(
      int worker,
      FedoraSession session,
      RetryPolicy policy,
      OutageGate gate,
      StopSignal stop,
      SubjectLocks locks,
      StatementAddition.AttemptRecorder recorder) {
    this.worker = worker;
    this.session = session;
    this.policy = policy;
    this.gate = gate;
    this.stop = stop;
    this.locks = locks;
    this.recorder = recorder;
  }

  /**
   * What a request came to in the end.
   *
   * @param done whether Fedora did it; otherwise it was given up
   * @param serviceNanos how long Fedora took for the attempt that it answered so; 0 where it was
   *     given up, or found to be done though the answer was lost
   * @param said what a page or an OAI answer said; null where there is none
   */
  record Result(boolean done, long serviceNanos, OperationAnswer.Said said) {}

  /** What one attempt came to, and how long to wait before the next. */
  private record Verdict(
      RequestEvent.Outcome outcome,
      String message,
      Duration asked,
      boolean counts,
      OperationAnswer.Said said) {

    static Verdict of(RequestEvent.Outcome outcome, String message) {
      return new Verdict(outcome, message, Duration.ZERO, true, null);
    }

    /** Fedora was away: the attempt does not count against the policy. */
    static Verdict waited(String message) {
      return new Verdict(RETRIED, message, Duration.ZERO, false, null);
    }

    Verdict as(RequestEvent.Outcome other, String addition) {
      return new Verdict(other, message + addition, asked, counts, said);
    }

    Verdict counted() {
      return new Verdict(outcome, message, asked, true, said);
    }
  }

  /**
   * A request that is over.
   *
   * @param answer or null if there was none
   * @param failure what was thrown then
   */
  private record Attempt(
      String traceparent,
      long startNanos,
      long durationNanos,
      OperationAnswer answer,
      Exception failure) {

    String words() {
      return answer == null ? Words.of(failure) : answer.answer().describe();
    }

    int status() {
      return answer == null ? 0 : answer.answer().status();
    }
  }

  /** What is known of the attempts so far. */
  private static final class Progress {
    private int failures;
    private boolean refused;

    /** Whether an attempt that was sent and failed in an outage was not counted. */
    private boolean excused;

    /** Whether an earlier attempt may have done what is asked. */
    private boolean mayBeDone;
  }

  /**
   * Returns when it is done or given up; the recorder has heard of every attempt.
   *
   * @param index number of the object that it is about, or of the step
   * @param pid of that object, or empty
   * @param due when the first attempt should be sent
   * @throws RunStop if the run is over; the last attempt recorded is then not final
   */
  Result perform(OperationRequest request, long index, String pid, Due due) throws RunStop {
    return perform(request, request, index, pid, due);
  }

  /**
   * The same, where what is asked first cannot be asked again: a page of a list, whose token is
   * good for once.
   *
   * @param again what further attempts ask for
   */
  Result perform(OperationRequest first, OperationRequest again, long index, String pid, Due due)
      throws RunStop {
    Progress progress = new Progress();
    for (int number = 1; ; number++) {
      OperationRequest request = number == 1 ? first : again;
      Attempt attempt = send(request, pid);
      Verdict verdict;
      try {
        verdict = judge(request, pid, attempt, progress);
      } catch (RunStop e) {
        record(request, index, pid, due, number, attempt, Verdict.of(ABANDONED, attempt.words()));
        throw e;
      }
      if (!verdict.counts() && !(attempt.failure() instanceof FedoraUnreachableException)) {
        // Once: what ends each Fedora that it is sent to has to be given up.
        verdict = progress.excused ? verdict.counted() : verdict;
        progress.excused = true;
      }
      progress.failures += verdict.counts() && verdict.outcome() == RETRIED ? 1 : 0;
      if (verdict.outcome() == RETRIED && progress.failures >= policy.maxAttempts()) {
        verdict = verdict.as(FAILED, " (given up after " + number + " attempts)");
      } else if (verdict.outcome() == RETRIED && stop.raised()) {
        verdict = verdict.as(ABANDONED, "");
      }
      record(request, index, pid, due, number, attempt, verdict);
      switch (verdict.outcome()) {
        case ABANDONED -> throw RunStop.asRequested();
        case RETRIED -> {
          if (verdict.counts()) {
            stop.pause(policy.waitAfter(progress.failures, verdict.asked()));
          }
        }
        default -> {
          return new Result(
              verdict.outcome() != FAILED,
              verdict.outcome() == DONE ? attempt.durationNanos() : 0,
              verdict.said());
        }
      }
    }
  }

  private Attempt send(OperationRequest request, String pid) throws RunStop {
    String traceparent = Traceparent.random();
    OperationAnswer answer = null;
    Exception failure = null;
    try (SubjectLocks.Turn ignored = turn(request, pid)) {
      if (stop.raised()) {
        throw RunStop.asRequested();
      }
      long startNanos = System.nanoTime();
      try {
        answer = session.ask(request, traceparent);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      long durationNanos = System.nanoTime() - startNanos;
      return new Attempt(traceparent, startNanos, durationNanos, answer, failure);
    }
  }

  /** Only what changes an object can be refused for another change under way. */
  private SubjectLocks.Turn turn(OperationRequest request, String pid) throws RunStop {
    return request.method().equals("GET") ? () -> {} : locks.await(pid);
  }

  private void record(
      OperationRequest request,
      long index,
      String pid,
      Due due,
      int number,
      Attempt attempt,
      Verdict verdict)
      throws RunStop {
    long sentBytes = request.content() == null ? 0 : request.content().sizeBytes();
    recorder.record(
        new RequestEvent(
            request.operation(),
            index,
            pid,
            attempt.traceparent(),
            worker,
            number,
            due.intendedStartNanos(attempt.startNanos()),
            attempt.startNanos(),
            attempt.durationNanos(),
            attempt.status(),
            attempt.answer() == null || sentBytes > 0 ? sentBytes : attempt.answer().bytes(),
            FedoraMessages.cut(verdict.message()),
            verdict.outcome()));
  }

  private Verdict judge(OperationRequest request, String pid, Attempt attempt, Progress progress)
      throws RunStop {
    if (attempt.answer() != null) {
      return judgeAnswer(request, pid, attempt, progress);
    }
    Exception failure = attempt.failure();
    String words = attempt.words();
    if (failure instanceof LoginRefusedException refusal) {
      throw RunStop.loginRefused(refusal);
    }
    if (failure instanceof IllegalArgumentException) {
      return Verdict.of(FAILED, words);
    }
    if (!(failure instanceof IOException)) {
      throw RunStop.ofDriver(failure);
    }
    boolean sent = !(failure instanceof FedoraUnreachableException);
    progress.mayBeDone |= sent;
    boolean wasAway = gate.awaitFedora(session, words, attempt.startNanos());
    String lost = sent ? "No answer: " + words : words;
    if (sent && request.operation() == Operation.FLUSH_TRIPLES) {
      return Verdict.of(FAILED, lost + ". Whether the triples were written is not known.");
    }
    Verdict again = wasAway ? Verdict.waited(lost) : Verdict.of(RETRIED, lost);
    return sent ? unlessDone(request, pid, again) : again;
  }

  private Verdict judgeAnswer(
      OperationRequest request, String pid, Attempt attempt, Progress progress) throws RunStop {
    FedoraAnswer answer = attempt.answer().answer();
    int status = answer.status();
    if (status >= 200 && status <= 299) {
      return judgeSuccess(request, attempt.answer());
    }
    // A list that meets an object which was purged meanwhile may answer 500, once.
    boolean error = status >= 500 && !(request.page() && progress.failures == 0);
    boolean mayBeAway = error || answer.maybeNotFedoras(pid);
    if (mayBeAway && gate.awaitFedora(session, answer.describe(), attempt.startNanos())) {
      progress.mayBeDone = true; // neither an error nor a proxy says what became of the request
      Verdict waited = Verdict.waited(answer.describe());
      return request.operation() == Operation.FLUSH_TRIPLES
          ? waited.as(FAILED, ". Whether the triples were written is not known.")
          : unlessDone(request, pid, waited);
    }
    if (status == GONE && request.operation() == Operation.PURGE && progress.mayBeDone) {
      return Verdict.of(
          FOUND_COMPLETE, answer.describe() + ". An attempt before has purged the object.");
    }
    if (status == CONFLICT) {
      locks.refused(pid);
    }
    Verdict again = new Verdict(RETRIED, answer.describe(), answer.retryAfter(), true, null);
    if (status == 401) {
      // The gate ends the run if the login is refused now.
      gate.awaitFedora(session, answer.describe(), attempt.startNanos());
      boolean refusedBefore = progress.refused;
      progress.refused = true; // once, the session may just have run out
      return refusedBefore ? again.as(FAILED, "") : again;
    }
    // A search that meets one answers 404.
    boolean worthAnother =
        RetryPolicy.worthAnotherAttempt(status) || status == GONE && request.page();
    if (!worthAnother || request.operation() == Operation.FLUSH_TRIPLES) {
      return again.as(FAILED, "");
    }
    progress.mayBeDone = true; // an error does not say what Fedora did before it
    return unlessDone(request, pid, again);
  }

  /** OAI-PMH has errors in answers of status 200. */
  private static Verdict judgeSuccess(OperationRequest request, OperationAnswer answer) {
    if (!request.page() && !request.isOai()) {
      return Verdict.of(DONE, "");
    }
    try {
      OperationAnswer.Said said = answer.said();
      return said.error().isEmpty()
          ? new Verdict(DONE, "", Duration.ZERO, true, said)
          : new Verdict(
              said.error().startsWith(TOKEN_UNKNOWN) ? RETRIED : FAILED,
              "OAI-PMH error " + said.error(),
              Duration.ZERO,
              true,
              said);
    } catch (IOException e) {
      return Verdict.of(FAILED, Words.of(e));
    }
  }

  /** Asks Fedora whether it has done what the attempt asked for, where it must not do it twice. */
  private Verdict unlessDone(OperationRequest request, String pid, Verdict otherwise)
      throws RunStop {
    while (true) {
      long askedNanos = System.nanoTime();
      try {
        if (request.operation() == Operation.PURGE && session.profile(pid).isEmpty()) {
          return Verdict.of(FOUND_COMPLETE, otherwise.message() + ". The object is gone.");
        }
        if (request.operation() == Operation.ADD_DATASTREAM && isThere(request, pid)) {
          return Verdict.of(FOUND_COMPLETE, otherwise.message() + ". The datastream is there.");
        }
        return otherwise;
      } catch (LoginRefusedException e) {
        throw RunStop.loginRefused(e);
      } catch (IOException e) {
        if (!gate.awaitFedora(session, Words.of(e), askedNanos)) {
          return otherwise.as(
              otherwise.outcome(), ". Nor could Fedora be asked what it has done: " + Words.of(e));
        }
      }
    }
  }

  private boolean isThere(OperationRequest request, String pid) throws IOException {
    byte[] wanted;
    try (InputStream in = request.content().open()) {
      wanted = in.readAllBytes();
    }
    Optional<byte[]> found =
        session.content(pid, request.content().id(), in -> in.readNBytes(wanted.length + 1));
    return found.isPresent() && Arrays.equals(found.get(), wanted);
  }
}
