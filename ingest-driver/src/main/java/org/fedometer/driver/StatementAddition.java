package org.fedometer.driver;

import static org.fedometer.driver.RequestEvent.Outcome.ABANDONED;
import static org.fedometer.driver.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.RequestEvent.Outcome.RETRIED;

import java.io.IOException;
import java.time.Duration;
import org.fedometer.datasets.AddedStatement;

/**
 * Adds a statement to an object that Fedora holds, with as many attempts as it takes and the policy
 * allows. One per worker, used by that worker's thread only.
 *
 * <p>Fedora adds no statement twice, so that, unlike an ingest, a request whose answer was lost is
 * simply sent again.
 */
final class StatementAddition {

  private static final int CONFLICT = 409;

  private final int worker;
  private final FedoraSession session;
  private final RetryPolicy policy;
  private final OutageGate gate;
  private final StopSignal stop;
  private final SubjectLocks locks;
  private final AttemptRecorder recorder;
  private long settled;
  private long failed;

  StatementAddition(
      int worker,
      FedoraSession session,
      RetryPolicy policy,
      OutageGate gate,
      StopSignal stop,
      SubjectLocks locks,
      AttemptRecorder recorder) {
    this.worker = worker;
    this.session = session;
    this.policy = policy;
    this.gate = gate;
    this.stop = stop;
    this.locks = locks;
    this.recorder = recorder;
  }

  /** How many statements were added or given up so far, as against left open by a stop. */
  long settled() {
    return settled;
  }

  /** How many were given up so far. */
  long failed() {
    return failed;
  }

  /** Where every attempt goes when it is over. */
  @FunctionalInterface
  interface AttemptRecorder {
    void record(RequestEvent event) throws RunStop;
  }

  /** What one attempt came to, and how long to wait before the next. */
  private record Verdict(
      RequestEvent.Outcome outcome, int status, String message, Duration asked, boolean counts) {

    static Verdict retried(int status, String message, Duration asked) {
      return new Verdict(RETRIED, status, message, asked, true);
    }

    /** Fedora was away: the attempt does not count against the policy. */
    static Verdict waited(String message) {
      return new Verdict(RETRIED, 0, message, Duration.ZERO, false);
    }

    Verdict as(RequestEvent.Outcome other, String addition) {
      return new Verdict(other, status, message + addition, asked, counts);
    }

    Verdict counted() {
      return new Verdict(outcome, status, message, asked, true);
    }
  }

  /**
   * Returns when the statement is there or given up; the recorder has heard of every attempt.
   *
   * @param index number of the object that asks for it
   * @throws RunStop if the run is over
   */
  void add(long index, AddedStatement added) throws RunStop {
    int failures = 0;
    boolean refused = false;
    boolean excused = false;
    for (int attempt = 1; ; attempt++) {
      Attempt sent = send(added);
      Verdict verdict;
      try {
        verdict = judge(added, sent, refused);
      } catch (RunStop e) {
        record(index, added, attempt, sent, Verdict.waited(sent.words()).as(ABANDONED, ""));
        throw e;
      }
      refused |= verdict.status() == 401;
      boolean waited = verdict.outcome() == RETRIED && !verdict.counts();
      if (waited && !(sent.failure() instanceof FedoraUnreachableException)) {
        // Once: what ends each Fedora that it is sent to has to be given up.
        verdict = excused ? verdict.counted() : verdict;
        excused = true;
      }
      failures += verdict.counts() ? 1 : 0;
      if (verdict.outcome() == RETRIED && failures >= policy.maxAttempts()) {
        verdict = verdict.as(FAILED, " (given up after " + attempt + " attempts)");
      } else if (verdict.outcome() == RETRIED && stop.raised()) {
        verdict = verdict.as(ABANDONED, "");
      }
      record(index, added, attempt, sent, verdict);
      if (verdict.outcome() == ABANDONED) {
        throw RunStop.asRequested();
      }
      if (verdict.outcome() != RETRIED) {
        return;
      }
      if (verdict.counts()) {
        stop.pause(policy.waitAfter(failures, verdict.asked()));
      }
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
      FedoraAnswer answer,
      Exception failure) {

    String words() {
      return answer == null ? Words.of(failure) : answer.describe();
    }
  }

  private Attempt send(AddedStatement added) throws RunStop {
    String traceparent = Traceparent.random();
    FedoraAnswer answer = null;
    Exception failure = null;
    try (SubjectLocks.Turn ignored = locks.await(added.pid())) {
      if (stop.raised()) {
        throw RunStop.asRequested();
      }
      long startNanos = System.nanoTime();
      try {
        answer = session.addStatement(added, traceparent);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      long durationNanos = System.nanoTime() - startNanos;
      return new Attempt(traceparent, startNanos, durationNanos, answer, failure);
    }
  }

  private void record(long index, AddedStatement added, int attempt, Attempt sent, Verdict verdict)
      throws RunStop {
    if (verdict.outcome() == DONE || verdict.outcome() == FAILED) {
      settled++;
      failed += verdict.outcome() == FAILED ? 1 : 0;
    }
    recorder.record(
        new RequestEvent(
            Operation.ADD_RELATIONSHIP,
            index,
            added.pid(),
            sent.traceparent(),
            worker,
            attempt,
            sent.startNanos(), // Due when the object is there.
            sent.startNanos(),
            sent.durationNanos(),
            sent.answer() == null ? 0 : sent.answer().status(),
            0,
            FedoraMessages.cut(verdict.message()),
            verdict.outcome()));
  }

  private Verdict judge(AddedStatement added, Attempt sent, boolean refused) throws RunStop {
    if (sent.answer() != null) {
      return judgeAnswer(added, sent.answer(), sent.startNanos(), refused);
    }
    Exception failure = sent.failure();
    String words = sent.words();
    if (failure instanceof LoginRefusedException refusal) {
      throw RunStop.loginRefused(refusal);
    }
    if (!(failure instanceof IOException)) {
      throw RunStop.ofDriver(failure);
    }
    boolean wasAway = gate.awaitFedora(session, words, sent.startNanos());
    return wasAway ? Verdict.waited(words) : Verdict.retried(0, words, Duration.ZERO);
  }

  private Verdict judgeAnswer(
      AddedStatement added, FedoraAnswer answer, long startNanos, boolean refused) throws RunStop {
    int status = answer.status();
    if (status == 200) {
      return new Verdict(DONE, status, "", Duration.ZERO, false);
    }
    if (status == CONFLICT) {
      locks.refused(added.pid());
    }
    if (status == 401) {
      // The gate ends the run if the login is refused now.
      gate.awaitFedora(session, answer.describe(), startNanos);
    }
    boolean mayBeAway = status >= 500 || answer.maybeNotFedoras(added.pid());
    if (mayBeAway && gate.awaitFedora(session, answer.describe(), startNanos)) {
      return Verdict.waited(answer.describe());
    }
    boolean worthAnotherAttempt =
        RetryPolicy.worthAnotherAttempt(status) || status == 401 && !refused;
    Verdict retried = Verdict.retried(status, answer.describe(), answer.retryAfter());
    return worthAnotherAttempt ? retried : retried.as(FAILED, "");
  }
}
