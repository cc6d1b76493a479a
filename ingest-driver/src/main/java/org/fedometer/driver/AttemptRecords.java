package org.fedometer.driver;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.object.ObjectIngest;
import org.fedometer.driver.request.FailureStreak;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RunStop;
import org.fedometer.wire.Counted;

/**
 * Counts each attempt of an ingest, passes it to the sink and the listener, and ends the run after
 * too many failures. Thread-safe.
 */
final class AttemptRecords implements ObjectIngest.AttemptRecorder {

  private final LoadState state;
  private final Pacer pacer;
  private final RequestSink sink;
  private final RequestListener listener;
  private final long maxErrors;
  private final FailureStreak failureStreak = new FailureStreak("objects");
  private final Map<Operation, FailureStreak> operationStreaks = new EnumMap<>(Operation.class);

  AttemptRecords(
      LoadState state, Pacer pacer, RequestSink sink, RequestListener listener, long maxErrors) {
    this.state = state;
    this.pacer = pacer;
    this.sink = sink;
    this.listener = listener;
    this.maxErrors = maxErrors;
    for (Operation operation : Operation.values()) {
      operationStreaks.put(
          operation, new FailureStreak("requests of the kind " + operation.wireName()));
    }
    operationStreaks.put(Operation.ADD_RELATIONSHIP, new FailureStreak("additions of statements"));
  }

  @Override
  public void record(RequestEvent event, RepositoryObject object) throws RunStop {
    state.tally.add(event, object);
    if (event.outcome() == RequestEvent.Outcome.DONE) {
      send(event); // settles nothing yet
      return;
    }
    ship(event, failureStreak);
    if (event.outcome() == RequestEvent.Outcome.FAILED
        && state.tally.count(Count.FAILED) > maxErrors) {
      pacer.end.giveUp(
          RunStop.because(
              "More than "
                  + Counted.of(maxErrors, "object")
                  + " failed (--max-errors), the latest "
                  + event.pid()
                  + ": "
                  + event.message(),
              null));
    }
  }

  @Override
  public void recordFound(RepositoryObject object) {
    state.tally.addFound(object);
  }

  @Override
  public void recordPurge(RequestEvent event) throws RunStop {
    state.tally.addPurge(event);
    send(event);
  }

  void recordOperation(RequestEvent event) throws RunStop {
    state.tally.addOperation(event);
    ship(event, operationStreaks.get(event.operation()));
  }

  private void ship(RequestEvent event, FailureStreak streak) throws RunStop {
    if (event.outcome() == RequestEvent.Outcome.INGESTED) {
      state.recentLatency.record(event.durationNanos());
    }
    if (pacer.steps != null && !state.ended()) {
      pacer.steps.record(event);
    }
    send(event);
    if (isLast(event.outcome())) {
      // No worker may begin another object between verdict and stop.
      synchronized (streak) {
        String reason = streak.judge(event);
        if (reason != null && (pacer.steps == null || !pacer.steps.endsByFailures())) {
          pacer.end.giveUp(RunStop.because(reason, null));
        }
      }
    }
  }

  private static boolean isLast(RequestEvent.Outcome outcome) {
    return outcome != RequestEvent.Outcome.RETRIED && outcome != RequestEvent.Outcome.ABANDONED;
  }

  private void send(RequestEvent event) throws RunStop {
    try {
      sink.record(event);
    } catch (IOException e) {
      throw RunStop.notRecorded(e);
    }
    listener.onRequest(event);
  }
}
