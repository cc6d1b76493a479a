package org.fedometer.driver.object;

import static org.fedometer.driver.request.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.request.RequestEvent.Outcome.FAILED;

import java.io.IOException;
import org.fedometer.driver.fedora.FedoraMessages;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraResponse;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.request.FlushConfirmation;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Traceparent;
import org.fedometer.driver.request.Worker;

/**
 * Purges incomplete objects, so that they can be ingested again. One per worker, confined to its
 * thread.
 */
final class ObjectPurge {

  private final Worker worker;
  private final FedoraSession session;
  private final ObjectIngest.AttemptRecorder recorder;
  private final boolean triples;
  private final Journal journal;

  ObjectPurge(
      Worker worker, ObjectIngest.AttemptRecorder recorder, boolean triples, Journal journal) {
    this.worker = worker;
    this.session = worker.session();
    this.recorder = recorder;
    this.triples = triples;
    this.journal = journal;
  }

  /**
   * Purges an object of this ingest until Fedora no longer has it, or queries fail as often as the
   * policy allows. Fedora has to flush before it is ingested again, see {@link #flush}.
   */
  void untilGone(long index, String pid, String problem) throws RunStop, IOException {
    worker.query(
        () -> {
          if (session.profile(pid).isPresent()) {
            once(index, pid, problem);
          }
          return null;
        });
  }

  /**
   * Purges an incomplete object of this ingest by one recorded request.
   *
   * @throws IOException if Fedora was not reached, or the outcome is unknown
   */
  void once(long index, String pid, String problem) throws RunStop, IOException {
    String traceparent = Traceparent.random();
    long startNanos = System.nanoTime();
    FedoraResponse response = null;
    IOException failure = null;
    try {
      response = session.purge(pid, traceparent);
    } catch (IOException e) {
      failure = e;
    }
    long durationNanos = System.nanoTime() - startNanos;
    boolean done = response != null && (response.status() == 200 || response.status() == 204);
    recorder.recordPurge(
        new RequestEvent(
            Operation.PURGE,
            index,
            pid,
            traceparent,
            worker.number(),
            1,
            startNanos,
            startNanos,
            durationNanos,
            response == null ? 0 : response.status(),
            0,
            FedoraMessages.cut(
                done
                    ? "Incomplete: " + problem
                    : response == null ? Messages.of(failure) : response.describe()),
            done ? DONE : FAILED));
    if (failure != null) {
      throw failure;
    }
    if (!done) {
      throw new FedoraRefusalException("Could not purge " + pid, response);
    }
  }

  /**
   * Makes Fedora flush. Otherwise a triple that is deleted and added again cancels out, and one
   * that the triplestore had lost stays lost. A failed flush is recorded for the other objects in
   * it.
   *
   * @return null on success or if there is nothing to flush; else the reason
   */
  String flush() throws RunStop {
    if (!triples) {
      return null;
    }
    try {
      return FlushConfirmation.confirm(worker, journal);
    } catch (IOException e) {
      throw RunStop.journalNotWritten(e);
    }
  }
}
