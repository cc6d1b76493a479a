package org.fedometer.driver.object;

import static org.fedometer.driver.request.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.request.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.request.RequestEvent.Outcome.FOUND_COMPLETE;
import static org.fedometer.driver.request.RequestEvent.Outcome.RETRIED;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import org.fedometer.driver.fedora.FedoraAnswer;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.OperationAnswer;
import org.fedometer.driver.fedora.OperationRequest;
import org.fedometer.driver.fedora.Words;
import org.fedometer.driver.request.Attempts;
import org.fedometer.driver.request.Due;
import org.fedometer.driver.request.Patience;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.SubjectLocks;
import org.fedometer.driver.request.Verdict;
import org.fedometer.driver.request.Worker;
import org.fedometer.wire.record.RequestEncoder;

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
public final class ObjectOperations {

  /** Fedora has forgotten the list; it may be begun anew. */
  private static final String TOKEN_UNKNOWN = "badResumptionToken";

  private static final int GONE = 404;

  private final Worker worker;
  private final FedoraSession session;
  private final StatementAddition.AttemptRecorder recorder;
  private final Attempts attempts;

  /**
   * @param locks the same for all workers
   */
  public ObjectOperations(
      Worker worker, SubjectLocks locks, StatementAddition.AttemptRecorder recorder) {
    this.worker = worker;
    this.session = worker.session();
    this.recorder = recorder;
    this.attempts = new Attempts(worker, locks);
  }

  /**
   * What a request came to in the end.
   *
   * @param done whether Fedora did it; otherwise it was given up
   * @param serviceNanos how long Fedora took for the attempt that it answered so; 0 where it was
   *     given up, or found to be done though the answer was lost
   * @param said what a page or an OAI answer said; null where there is none
   */
  public record Result(boolean done, long serviceNanos, OperationAnswer.Said said) {}

  /**
   * Returns when it is done or given up; the recorder has heard of every attempt.
   *
   * @param index number of the object that it is about, or of the step
   * @param pid of that object, or empty
   * @throws RunStop if the run is over; the last attempt recorded is then not final
   */
  public Result perform(OperationRequest request, long index, String pid, Due due) throws RunStop {
    return perform(request, request, index, pid, due);
  }

  /**
   * The same, where what is asked first cannot be asked again: a page of a list, whose token is
   * good for once.
   *
   * @param again what further attempts ask for, by the same operation
   */
  public Result perform(
      OperationRequest first, OperationRequest again, long index, String pid, Due due)
      throws RunStop {
    Asked asked = new Asked(first, again, pid);
    boolean done = attempts.perform(first.operation(), index, pid, due, asked);
    return new Result(done, asked.serviceNanos, asked.said);
  }

  private final class Asked implements Attempts.Request {

    private final OperationRequest again;
    private final String pid;

    private OperationRequest request;

    /** What came back for the latest attempt, or null. */
    private OperationAnswer answered;

    /** What it said, or null. */
    private OperationAnswer.Said said;

    private long serviceNanos;

    /** Whether an earlier attempt may have done what is asked. */
    private boolean mayBeDone;

    Asked(OperationRequest first, OperationRequest again, String pid) {
      this.request = first;
      this.again = again;
      this.pid = pid;
    }

    @Override
    public boolean changes() {
      return !request.method().equals("GET");
    }

    @Override
    public FedoraAnswer send(String traceparent) throws IOException {
      answered = null;
      said = null;
      answered = session.ask(request, traceparent);
      return answered.answer();
    }

    @Override
    public Verdict judge(Attempts.Answer answer) throws RunStop {
      if (RequestEncoder.succeeded(answer.status())) {
        return accepted(answer.status());
      }
      // A list that meets an object which was purged meanwhile may answer 500, once.
      boolean error = answer.status() >= 500 && !(request.page() && answer.failures() == 0);
      return answer.settle(
          error || answer.maybeNotFedoras(), () -> isWorthAnother(answer), this::settle);
    }

    /** OAI-PMH has errors in answers of status 200. */
    private Verdict accepted(int status) {
      if (answered.html() && request.operation() != Operation.GET_DATASTREAM) {
        return Verdict.of(
            FAILED,
            "Fedora answered "
                + status
                + ", but with a page of HTML: what answers there may be a login page or a proxy.");
      }
      if (!request.page() && !request.isOai()) {
        return Verdict.of(DONE, "");
      }
      try {
        said = answered.said();
      } catch (IOException e) {
        return Verdict.of(FAILED, Words.of(e));
      }
      return said.error().isEmpty()
          ? Verdict.of(DONE, "")
          : Verdict.of(
              said.error().startsWith(TOKEN_UNKNOWN) ? RETRIED : FAILED,
              "OAI-PMH error " + said.error());
    }

    private boolean isWorthAnother(Attempts.Answer answer) {
      if (answer.wasAway() || isPurgedBefore(answer)) {
        return true;
      }
      // A search that meets a purged object answers 404.
      return request.operation() != Operation.FLUSH_TRIPLES
          && (RetryPolicy.worthAnotherAttempt(answer.status())
              || answer.status() == GONE && request.page());
    }

    private boolean isPurgedBefore(Attempts.Answer answer) {
      return answer.status() == GONE && request.operation() == Operation.PURGE && mayBeDone;
    }

    private Verdict settle(Attempts.Answer doubt) throws RunStop {
      if (!doubt.wasAway() && isPurgedBefore(doubt)) {
        return Verdict.of(
            FOUND_COMPLETE, doubt.words() + ". An attempt before has purged the object.");
      }
      if (request.operation() == Operation.FLUSH_TRIPLES) {
        return Verdict.of(
            FAILED, doubt.words() + ". Whether the triples were written is not known.");
      }
      mayBeDone = true; // neither an error nor a proxy says what became of the request
      try {
        return new Patience(worker, 1).ask(() -> unlessDone(doubt));
      } catch (IOException e) {
        return doubt
            .sentAgain()
            .as(RETRIED, ". Nor could Fedora be asked what it has done: " + Words.of(e));
      }
    }

    /** Asks Fedora whether it has done it, where it must not do it twice. */
    private Verdict unlessDone(Attempts.Answer doubt) throws IOException {
      if (request.operation() == Operation.PURGE && session.profile(pid).isEmpty()) {
        return Verdict.of(FOUND_COMPLETE, doubt.words() + ". The object is gone.");
      }
      if (request.operation() == Operation.ADD_DATASTREAM && isThere()) {
        return Verdict.of(FOUND_COMPLETE, doubt.words() + ". The datastream is there.");
      }
      return doubt.sentAgain();
    }

    private boolean isThere() throws IOException {
      byte[] wanted;
      try (InputStream in = request.content().open()) {
        wanted = in.readAllBytes();
      }
      Optional<byte[]> found =
          session.content(pid, request.content().id(), in -> in.readNBytes(wanted.length + 1));
      return found.isPresent() && Arrays.equals(found.get(), wanted);
    }

    @Override
    public long bytes() {
      long sentBytes = request.content() == null ? 0 : request.content().sizeBytes();
      return answered == null || sentBytes > 0 ? sentBytes : answered.bytes();
    }

    @Override
    public void record(RequestEvent event) throws RunStop {
      serviceNanos = event.outcome() == DONE ? event.durationNanos() : 0;
      request = again;
      recorder.record(event);
    }
  }
}
