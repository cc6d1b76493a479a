package org.fedometer.driver;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.load.LoadEnd;
import org.fedometer.driver.load.LoadSteps;
import org.fedometer.driver.load.RecentLatency;
import org.fedometer.driver.object.ObjectIngest;
import org.fedometer.driver.request.FailureStreak;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RunStop;
import org.fedometer.wire.Counted;

/**
 * What becomes of the attempts of an ingest: each is counted, handed to the sink and told to the
 * listener before the run goes on; many that fail in a row end it. Called by all workers.
 */
final class AttemptRecords implements ObjectIngest.AttemptRecorder {

  private final IngestTally tally;
  private final RequestSink sink;
  private final RequestListener listener;
  private final LoadSteps steps;
  private final RecentLatency recentLatency;
  private final long maxErrors;
  private final LoadEnd end;
  private final BooleanSupplier loadOver;
  private final FailureStreak failureStreak = new FailureStreak("objects");
  private final FailureStreak additionStreak = new FailureStreak("statements to be added");
  private final Map<Operation, FailureStreak> operationStreaks = new EnumMap<>(Operation.class);

  /**
   * @param steps of the load, or null
   * @param loadOver whether what comes now is not part of the load any more
   */
  AttemptRecords(
      IngestTally tally,
      RequestSink sink,
      RequestListener listener,
      LoadSteps steps,
      RecentLatency recentLatency,
      long maxErrors,
      LoadEnd end,
      BooleanSupplier loadOver) {
    this.tally = tally;
    this.sink = sink;
    this.listener = listener;
    this.steps = steps;
    this.recentLatency = recentLatency;
    this.maxErrors = maxErrors;
    this.end = end;
    this.loadOver = loadOver;
    for (Operation operation : Operation.values()) {
      operationStreaks.put(
          operation, new FailureStreak("requests of the kind " + operation.wireName()));
    }
  }

  @Override
  public void record(RequestEvent event, RepositoryObject object) throws RunStop {
    tally.add(event, object);
    if (event.outcome() == RequestEvent.Outcome.DONE) {
      send(event); // says nothing of the object yet
      return;
    }
    ship(event, failureStreak);
    if (event.outcome() == RequestEvent.Outcome.FAILED && tally.count(Count.FAILED) > maxErrors) {
      end.giveUp(
          RunStop.because(
              "More than the "
                  + Counted.of(maxErrors, "object")
                  + " that may fail have failed, the latest "
                  + event.pid()
                  + ": "
                  + event.message(),
              null));
    }
  }

  @Override
  public void recordFound(RepositoryObject object) {
    tally.addFound(object);
  }

  @Override
  public void recordPurge(RequestEvent event) throws RunStop {
    tally.addPurge(event);
    send(event);
  }

  void recordAddition(RequestEvent event) throws RunStop {
    tally.addAddition(event);
    ship(event, additionStreak);
  }

  void recordOperation(RequestEvent event) throws RunStop {
    tally.addOperation(event);
    ship(event, operationStreaks.get(event.operation()));
  }

  private void ship(RequestEvent event, FailureStreak streak) throws RunStop {
    if (event.outcome() == RequestEvent.Outcome.INGESTED) {
      recentLatency.record(event.durationNanos());
    }
    if (steps != null && !loadOver.getAsBoolean()) {
      steps.record(event);
    }
    send(event);
    if (isLast(event.outcome())) {
      // No worker is to begin another object between the verdict and the stop.
      synchronized (streak) {
        String reason = streak.judge(event);
        if (reason != null && (steps == null || !steps.endsByFailures())) {
          end.giveUp(RunStop.because(reason, null));
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
