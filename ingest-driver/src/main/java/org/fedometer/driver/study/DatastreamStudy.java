package org.fedometer.driver.study;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.FedoraRules;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.OperationRequest;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Counts;
import org.fedometer.driver.object.ObjectChanges;
import org.fedometer.driver.object.ObjectOperations;
import org.fedometer.driver.request.CircuitBreaker;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Shard;
import org.fedometer.driver.request.StopSignal;
import org.fedometer.driver.request.SubjectLocks;
import org.fedometer.driver.request.Worker;

/**
 * Study of the maximum number of datastreams of one object, and of Fedora's behaviour at the limit.
 * Adds datastreams to one object, one by one, until an addition fails or a bound is reached. One
 * instance runs one study. {@link #run} blocks the conducting thread; {@link #stop} is thread-safe.
 */
public final class DatastreamStudy {

  private final FedoraClient client;
  private final Dataset dataset;
  private final long upTo;
  private final boolean triples;
  private final RetryPolicy retry;
  private final RequestSink sink;
  private final RequestListener listener;
  private final StopSignal stop = new StopSignal();

  /** Ingests the object; also receives a stop. */
  private volatile IngestDriver ingesting;

  private final AtomicLong added = new AtomicLong();
  private final List<Long> nanos = new ArrayList<>();
  private String latestMessage = "";
  private long sent;
  private long notDone;

  /**
   * @param dataset its first object is studied; additions are generated for it
   * @param upTo maximum number of datastreams to add
   * @param sink gets every request; {@link #run} finishes it
   */
  public DatastreamStudy(
      FedoraClient client,
      Dataset dataset,
      long upTo,
      boolean triples,
      RetryPolicy retry,
      RequestSink sink,
      RequestListener listener) {
    this.client = Objects.requireNonNull(client, "client");
    this.dataset = Objects.requireNonNull(dataset, "dataset");
    this.upTo = upTo;
    this.triples = triples;
    this.retry = Objects.requireNonNull(retry, "retry");
    this.sink = Objects.requireNonNull(sink, "sink");
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /** Returns the dataset that Fedora should hold after a study. */
  public static Dataset expected(Dataset dataset, long added) {
    return new StudiedDataset(dataset, added);
  }

  /** Requests the end of the study; measurements are kept. */
  public void stop() {
    stop.raise();
    IngestDriver driver = ingesting;
    if (driver != null) {
      driver.stop();
    }
  }

  public long added() {
    return added.get();
  }

  /**
   * @throws IOException if Fedora cannot be reached at all, or not even the record of the object
   *     could be passed on
   */
  public DatastreamStudyResult run() throws IOException {
    IngestOptions one = IngestOptions.of(1, 1).withRetry(retry).withTriples(triples, Duration.ZERO);
    IngestDriver driver =
        new IngestDriver(client, dataset, one, sink.withoutFinish(each -> {}), listener);
    ingesting = driver;
    if (stop.raised()) {
      driver.stop();
    }
    IngestResult object = driver.run();
    List<DatastreamStudyResult.Additions> additions = new ArrayList<>();
    if (!object.complete()) {
      sink.finish();
      boolean stopped = object.endStatus() == IngestResult.EndStatus.STOPPED;
      return new DatastreamStudyResult(additions, 0, stopped ? null : object.reason(), object);
    }
    CircuitBreaker circuitBreaker =
        new CircuitBreaker(client, retry.outageLimit(), stop, listener, Shard.WHOLE);
    String limit = null;
    RunStop ended = null;
    try (FedoraSession session = client.newSession()) {
      circuitBreaker.login(session);
      ObjectOperations requests =
          new ObjectOperations(
              new Worker(0, session, retry, circuitBreaker, stop),
              new SubjectLocks(),
              this::record);
      limit = add(requests, additions);
    } catch (RunStop e) {
      ended = e;
      limit = e.requested() ? null : e.getMessage();
    }
    if (!nanos.isEmpty()) {
      additions.add(
          new DatastreamStudyResult.Additions(added.get(), ScaleStudyResult.Timing.of(nanos, 0)));
    }
    try {
      sink.finish();
    } catch (IOException e) {
      ended = ended == null ? RunStop.notRecorded(e) : ended;
    }
    Counts more =
        Counts.NONE
            .plus(Count.SENT, sent)
            .plus(Count.FAILED_REQUESTS, notDone)
            .plus(Count.ADDED_TO_FIRST, added.get())
            .plus(Count.EXPECTED_TRIPLES, added.get() * FedoraRules.TRIPLES_OF_A_DATASTREAM);
    IngestResult result = object.with(more, circuitBreaker.outages(), System.nanoTime());
    return new DatastreamStudyResult(
        additions, added.get(), limit, ended == null ? result : result.ended(ended));
  }

  /** Returns the failure at the limit, or null. */
  private String add(ObjectOperations requests, List<DatastreamStudyResult.Additions> additions)
      throws RunStop {
    RepositoryObject object = RunStop.makeObject(dataset, 0);
    for (long number = 0; number < upTo; number++) {
      if (stop.raised()) {
        throw RunStop.asRequested();
      }
      ContentStream content = ObjectChanges.addition(object, number);
      ObjectOperations.Result result =
          requests.perform(
              OperationRequest.add(object.pid(), content),
              0,
              object.pid(),
              IntendedStart.whenSent());
      if (!result.done()) {
        return latestMessage;
      }
      long count = added.incrementAndGet();
      if (isMilestone(count)) {
        additions.add(
            new DatastreamStudyResult.Additions(count, ScaleStudyResult.Timing.of(nanos, 0)));
        nanos.clear();
      }
      try {
        sink.flushIfDue();
      } catch (IOException e) {
        throw RunStop.notRecorded(e);
      }
    }
    return null;
  }

  /** Returns whether a count is 10, 20, 50, 100, 200, 500, ... */
  private static boolean isMilestone(long count) {
    long unit = 10;
    while (count >= unit * 10) {
      unit *= 10;
    }
    return count == unit || count == 2 * unit || count == 5 * unit;
  }

  private void record(RequestEvent event) throws RunStop {
    sent++;
    if (event.outcome() == RequestEvent.Outcome.DONE) {
      nanos.add(event.durationNanos());
    } else {
      notDone++;
      latestMessage = event.message();
    }
    try {
      sink.record(event);
    } catch (IOException e) {
      throw RunStop.notRecorded(e);
    }
    listener.onRequest(event);
  }
}
