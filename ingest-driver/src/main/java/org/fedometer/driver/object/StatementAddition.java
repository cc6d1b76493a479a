package org.fedometer.driver.object;

import static org.fedometer.driver.request.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.request.RequestEvent.Outcome.FAILED;

import java.io.IOException;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.driver.fedora.FedoraResponse;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.Attempts;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.SubjectLocks;
import org.fedometer.driver.request.Verdict;
import org.fedometer.driver.request.Worker;

/**
 * Adds a statement to an existing object, with retries by the policy. One per worker, confined to
 * its thread.
 *
 * <p>Fedora adds no statement twice. Unlike an ingest, a request whose response was lost is
 * therefore simply repeated.
 */
public final class StatementAddition {

  private final FedoraSession session;
  private final AttemptRecorder recorder;
  private final Attempts attempts;
  private long settled;
  private long failed;

  /**
   * @param locks the same for all workers
   */
  public StatementAddition(Worker worker, SubjectLocks locks, AttemptRecorder recorder) {
    this.session = worker.session();
    this.recorder = recorder;
    this.attempts = new Attempts(worker, locks);
  }

  /**
   * Returns the number of statements that were added or failed so far, without those left open by a
   * stop.
   */
  public long settled() {
    return settled;
  }

  public long failed() {
    return failed;
  }

  @FunctionalInterface
  public interface AttemptRecorder {
    void record(RequestEvent event) throws RunStop;
  }

  /**
   * Adds a statement. Returns on success or failure; every attempt has been recorded.
   *
   * @param index number of the object that requires it
   * @throws RunStop if the run is over
   */
  public void add(long index, AddedStatement added) throws RunStop {
    // Due when the object exists.
    attempts.perform(
        Operation.ADD_RELATIONSHIP,
        index,
        added.pid(),
        IntendedStart.whenSent(),
        new Addition(added));
  }

  private final class Addition implements Attempts.Request {

    private final AddedStatement added;

    Addition(AddedStatement added) {
      this.added = added;
    }

    @Override
    public FedoraResponse send(String traceparent) throws IOException {
      return session.addStatement(added, traceparent);
    }

    @Override
    public Verdict judge(Attempts.Response response) throws RunStop {
      return response.status() == 200
          ? Verdict.of(DONE, "")
          : response.settle(Attempts.Response::retry);
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void record(RequestEvent event) throws RunStop {
      if (event.outcome() == DONE || event.outcome() == FAILED) {
        settled++;
        failed += event.outcome() == FAILED ? 1 : 0;
      }
      recorder.record(event);
    }
  }
}
