package org.fedometer.driver.load;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.journal.JournalState;
import org.fedometer.driver.request.Latency;
import org.fedometer.driver.request.RequestEvent;

/** Counts an ingest's events. Thread-safe. */
public final class IngestTally {

  /** Maximum number of recorded objects that were not ingested. */
  public static final int MAX_NOT_INGESTED = 1_000_000;

  /** Number of first failures, and of first failed requests, that are kept. */
  public static final int MAX_FAILURES = 20;

  private static final long MAX_MICROS = Latency.MAX_MICROS;

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  /** Guards itself and the next. */
  private final List<RequestEvent> failures = new ArrayList<>();

  private final List<RequestEvent> firstFailedRequests = new ArrayList<>();
  private final Set<Long> notIngested = ConcurrentHashMap.newKeySet();

  private final Recorder micros = new Recorder(MAX_MICROS, 3);
  private final Histogram allMicros = new Histogram(MAX_MICROS, 3);
  private final boolean contentStaysElsewhere;
  private Histogram recycled;

  /**
   * Continues from an earlier driver's acknowledgements.
   *
   * @param contentStaysElsewhere true if Fedora receives none of the objects' content
   */
  public IngestTally(JournalState before, boolean contentStaysElsewhere) {
    this.contentStaysElsewhere = contentStaysElsewhere;
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
    count(Count.INGESTED, before.acknowledged().size());
    count(Count.CONTENT_BYTES, before.totals().contentBytes());
    count(Count.EXPECTED_TRIPLES, before.totals().triples());
    count(Count.ADDITIONS, before.totals().additions());
    count(Count.FAILED_ADDITIONS, before.totals().failedAdditions());
  }

  /** Counts one attempt of a request in an object's ingest. */
  public void add(RequestEvent event, RepositoryObject object) {
    count(event);
    switch (event.outcome()) {
      case INGESTED -> {
        timed(event);
        countIngested(object);
      }
      case FOUND_COMPLETE -> {
        count(Count.FOUND_COMPLETE, 1);
        failedRequest(event);
        countIngested(object);
      }
      case DONE -> {
        timed(event);
        if (!event.message().isEmpty()) {
          failedRequest(event); // the response was an error or lost
        }
      }
      case RETRIED -> failedRequest(event);
      case FAILED -> {
        failedRequest(event);
        count(Count.FAILED, 1);
        notIngested(event.objectIndex());
        addFailure(event);
      }
      case ABANDONED -> failedRequest(event);
    }
  }

  private void timed(RequestEvent event) {
    if (event.operation() == Operation.INGEST && event.message().isEmpty()) {
      micros.recordValue(Math.min(event.durationNanos() / 1000, MAX_MICROS));
    }
  }

  public void addFound(RepositoryObject object) {
    count(Count.FOUND_COMPLETE, 1);
    countIngested(object);
  }

  public void addPurge(RequestEvent event) {
    count(event);
    count(Count.HALF_MADE, 1);
    if (event.outcome() == RequestEvent.Outcome.FAILED) {
      failedRequest(event);
    }
  }

  /** Reverts an object counted as ingested that is to be ingested again. */
  public void withdraw(long triples, long bytes, long statements) {
    count(Count.ADDITIONS, -statements);
    count(Count.INGESTED, -1);
    count(Count.EXPECTED_TRIPLES, -triples);
    count(Count.CONTENT_BYTES, -bytes);
  }

  /** Counts one attempt to add a statement, or of a mix's step other than an ingest. */
  public void addOperation(RequestEvent event) {
    count(event);
    boolean adds = event.operation() == Operation.ADD_RELATIONSHIP;
    if (event.outcome() == RequestEvent.Outcome.DONE) {
      count(Count.ADDITIONS, adds ? 1 : 0);
      count(Count.EXPECTED_TRIPLES, adds ? 1 : 0);
      return;
    }
    failedRequest(event);
    if (event.outcome() == RequestEvent.Outcome.FAILED) {
      count(Count.FAILED_ADDITIONS, adds ? 1 : 0);
      addFailure(event);
    }
  }

  private void count(Count count, long more) {
    counts.get(count).add(more);
  }

  private void count(RequestEvent event) {
    count(Count.SENT, 1);
    if (event.attempt() > 1) {
      count(Count.RETRIED, 1);
    }
  }

  private void addFailure(RequestEvent failure) {
    synchronized (failures) {
      if (failures.size() < MAX_FAILURES) {
        failures.add(failure);
      }
    }
  }

  /** Counts an object whose outcome was open at the end of the run. */
  public void abandon(long objectIndex) {
    count(Count.ABANDONED, 1);
    notIngested(objectIndex);
  }

  /**
   * Counts an object that an earlier driver left open and this run did not begin again.
   *
   * @param failedBefore true if the earlier driver failed to ingest it
   */
  public void addUnstarted(long objectIndex, boolean failedBefore) {
    count(failedBefore ? Count.FAILED : Count.ABANDONED, 1);
    notIngested(objectIndex);
  }

  /** Counts statements of a stored object that were not known to be added at the end of the run. */
  public void abandonAdditions(long statements) {
    count(Count.FAILED_ADDITIONS, statements);
  }

  private void countIngested(RepositoryObject object) {
    count(Count.CONTENT_BYTES, contentStaysElsewhere ? 0 : object.contentBytes());
    count(Count.EXPECTED_TRIPLES, object.triples());
    count(Count.INGESTED, 1);
  }

  private void failedRequest(RequestEvent event) {
    count(Count.FAILED_REQUESTS, 1);
    synchronized (failures) {
      if (firstFailedRequests.size() < MAX_FAILURES) {
        firstFailedRequests.add(event);
      }
    }
  }

  private void notIngested(long objectIndex) {
    if (notIngested.size() < MAX_NOT_INGESTED) {
      notIngested.add(objectIndex);
    }
  }

  public long done() {
    return count(Count.INGESTED) + count(Count.FAILED);
  }

  public long count(Count count) {
    return counts.get(count).sum();
  }

  public Counts counts() {
    Map<Count, Long> sums = new EnumMap<>(Count.class);
    counts.forEach((count, adder) -> sums.put(count, adder.sum()));
    return new Counts(sums);
  }

  public Failures failures() {
    synchronized (failures) {
      return new Failures(failures, firstFailedRequests, notIngested);
    }
  }

  /**
   * Returns service times of requests that created an object, within 0.1 %. Excludes earlier
   * drivers and requests with an error or lost response.
   */
  public synchronized Latency latency() {
    recycled = micros.getIntervalHistogram(recycled);
    allMicros.add(recycled);
    return Latency.ofMicros(allMicros);
  }
}
