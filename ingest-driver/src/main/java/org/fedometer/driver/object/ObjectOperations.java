package org.fedometer.driver.object;

import static org.fedometer.driver.request.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.request.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.request.RequestEvent.Outcome.FOUND_COMPLETE;
import static org.fedometer.driver.request.RequestEvent.Outcome.RETRIED;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import org.fedometer.driver.fedora.FedoraResponse;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.OperationRequest;
import org.fedometer.driver.fedora.OperationResponse;
import org.fedometer.driver.request.Attempts;
import org.fedometer.driver.request.BackOff;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.SubjectLocks;
import org.fedometer.driver.request.Verdict;
import org.fedometer.driver.request.Worker;
import org.fedometer.wire.record.RequestEncoder;

/**
 * Performs operations other than ingests, with retries by the policy. One per worker, confined to
 * its thread.
 *
 * <p>After a lost response, a read is repeated, and so is a modification, which sets the content.
 * After a purge or an addition, Fedora is queried first: a second purge would fail, and a second
 * addition make a second version. A failed flush is not repeated: Fedora has then lost its triples,
 * and the next flush would hide it.
 */
public final class ObjectOperations {

  /** Fedora has expired the list; it may be restarted. */
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
   * Final outcome of a request.
   *
   * @param done true on success, false on failure
   * @param serviceNanos duration of the successful attempt; 0 on failure or if its response was
   *     lost
   * @param listInfo data of a page or an OAI response; null if none
   */
  public record Result(boolean done, long serviceNanos, OperationResponse.ListInfo listInfo) {}

  /**
   * Performs a request. Returns on success or failure; every attempt has been recorded.
   *
   * @param index number of its object, or of the step
   * @param pid of that object, or empty
   * @throws RunStop if the run is over; the last attempt recorded is then not final
   */
  public Result perform(
      OperationRequest request, long index, String pid, IntendedStart intendedStart)
      throws RunStop {
    return perform(request, request, index, pid, intendedStart);
  }

  /**
   * Same, for a first request that cannot be repeated, such as a page with a single-use token.
   *
   * @param retryRequest request of further attempts, of the same operation
   */
  public Result perform(
      OperationRequest first,
      OperationRequest retryRequest,
      long index,
      String pid,
      IntendedStart intendedStart)
      throws RunStop {
    OperationAttempts operation = new OperationAttempts(first, retryRequest, pid);
    boolean done = attempts.perform(first.operation(), index, pid, intendedStart, operation);
    return new Result(done, operation.serviceNanos, operation.listInfo);
  }

  private final class OperationAttempts implements Attempts.Request {

    private final OperationRequest retryRequest;
    private final String pid;

    private OperationRequest request;

    /** Response to the latest attempt, or null. */
    private OperationResponse response;

    /** List data of that response, or null. */
    private OperationResponse.ListInfo listInfo;

    private long serviceNanos;

    /** True if an earlier attempt may have succeeded. */
    private boolean mayBeDone;

    OperationAttempts(OperationRequest first, OperationRequest retryRequest, String pid) {
      this.request = first;
      this.retryRequest = retryRequest;
      this.pid = pid;
    }

    @Override
    public boolean changes() {
      return !request.method().equals("GET");
    }

    @Override
    public FedoraResponse send(String traceparent) throws IOException {
      response = null;
      listInfo = null;
      response = session.send(request, traceparent);
      return response.response();
    }

    @Override
    public Verdict judge(Attempts.Response attemptResponse) throws RunStop {
      if (RequestEncoder.succeeded(attemptResponse.status())) {
        return accepted(attemptResponse.status());
      }
      // A list that meets a concurrently purged object may answer 500, once.
      boolean error =
          attemptResponse.status() >= 500 && !(request.page() && attemptResponse.failures() == 0);
      return attemptResponse.settle(
          error || attemptResponse.mayBeFromProxy(),
          () -> isRetryable(attemptResponse),
          this::settle);
    }

    /** Judges a success; OAI-PMH errors have status 200, too. */
    private Verdict accepted(int status) {
      if (response.html() && request.operation() != Operation.GET_DATASTREAM) {
        return Verdict.of(
            FAILED,
            "Fedora answered "
                + status
                + ", but with an HTML page: it may come from a login page or a proxy.");
      }
      if (!request.page() && !request.isOai()) {
        return Verdict.of(DONE, "");
      }
      try {
        listInfo = response.listInfo();
      } catch (IOException e) {
        return Verdict.of(FAILED, Messages.of(e));
      }
      return listInfo.error().isEmpty()
          ? Verdict.of(DONE, "")
          : Verdict.of(
              listInfo.error().startsWith(TOKEN_UNKNOWN) ? RETRIED : FAILED,
              "OAI-PMH error " + listInfo.error());
    }

    private boolean isRetryable(Attempts.Response attemptResponse) {
      if (attemptResponse.wasAway() || isPurgedBefore(attemptResponse)) {
        return true;
      }
      // A search that meets a purged object answers 404.
      return request.operation() != Operation.FLUSH_TRIPLES
          && (RetryPolicy.isRetryable(attemptResponse.status())
              || attemptResponse.status() == GONE && request.page());
    }

    private boolean isPurgedBefore(Attempts.Response attemptResponse) {
      return attemptResponse.status() == GONE
          && request.operation() == Operation.PURGE
          && mayBeDone;
    }

    private Verdict settle(Attempts.Response attemptResponse) throws RunStop {
      if (!attemptResponse.wasAway() && isPurgedBefore(attemptResponse)) {
        return Verdict.of(
            FOUND_COMPLETE,
            attemptResponse.message() + ". An earlier attempt has purged the object.");
      }
      if (request.operation() == Operation.FLUSH_TRIPLES) {
        return Verdict.of(
            FAILED,
            attemptResponse.message() + ". It is unknown whether the triples were written.");
      }
      mayBeDone = true; // neither an error nor a proxy shows the outcome
      try {
        return new BackOff(worker, 1).run(() -> retryUnlessDone(attemptResponse));
      } catch (IOException e) {
        return attemptResponse
            .retry()
            .as(RETRIED, ". Fedora could not be queried for the outcome: " + Messages.of(e));
      }
    }

    /** Queries whether Fedora has performed a request that must not be repeated. */
    private Verdict retryUnlessDone(Attempts.Response attemptResponse) throws IOException {
      if (request.operation() == Operation.PURGE && session.profile(pid).isEmpty()) {
        return Verdict.of(FOUND_COMPLETE, attemptResponse.message() + ". The object is gone.");
      }
      if (request.operation() == Operation.ADD_DATASTREAM && isDatastreamStored()) {
        return Verdict.of(FOUND_COMPLETE, attemptResponse.message() + ". The datastream is there.");
      }
      return attemptResponse.retry();
    }

    private boolean isDatastreamStored() throws IOException {
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
      return response == null || sentBytes > 0 ? sentBytes : response.bytes();
    }

    @Override
    public void record(RequestEvent event) throws RunStop {
      serviceNanos = event.outcome() == DONE ? event.durationNanos() : 0;
      request = retryRequest;
      recorder.record(event);
    }
  }
}
