package org.fedometer.driver.load;

import java.util.ArrayList;
import java.util.List;
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

/** Counts what an ingest does. Workers add, anybody reads. */
public final class IngestTally {

  /** More indices of objects that were not ingested are not remembered. */
  public static final int MOST_NOT_INGESTED = 1_000_000;

  /** So many failures and so many failed requests are kept, the first of each. */
  public static final int FAILURES_KEPT = 20;

  private static final long LONGEST_MICROS = Latency.LONGEST_MICROS;

  /** Objects in Fedora, those found complete and those of earlier drivers included. */
  public final LongAdder ingested = new LongAdder();

  /** Objects that are there and whole, though no answer to this driver said so. */
  public final LongAdder foundComplete = new LongAdder();

  /** Objects given up; one of an earlier driver's counts if it was not begun again. */
  public final LongAdder failed = new LongAdder();

  public final LongAdder abandoned = new LongAdder();

  /** Attempts at requests, those that found no connection included. */
  public final LongAdder sent = new LongAdder();

  public final LongAdder retried = new LongAdder();

  /**
   * Attempts answered by an error or not at all, whatever became of the object; of purges those
   * that were given up.
   */
  public final LongAdder failedRequests = new LongAdder();

  /** Bytes of ingested content that Fedora took in, earlier drivers' included. */
  public final LongAdder contentBytes = new LongAdder();

  /** Triples that Fedora should have of ingests and additions, earlier drivers' included. */
  public final LongAdder expectedTriples = new LongAdder();

  public final LongAdder halfMade = new LongAdder();

  /** Statements that were added to other objects, earlier drivers' included. */
  public final LongAdder additions = new LongAdder();

  /** Statements given up, or open when the run ended, earlier drivers' included. */
  public final LongAdder failedAdditions = new LongAdder();

  private final List<RequestEvent> failures = new ArrayList<>();
  private final List<RequestEvent> firstFailedRequests = new ArrayList<>();
  private final Set<Long> notIngested = ConcurrentHashMap.newKeySet();

  private final Recorder micros = new Recorder(LONGEST_MICROS, 3);
  private final Histogram allMicros = new Histogram(LONGEST_MICROS, 3);
  private final boolean contentStaysElsewhere;
  private Histogram recycled;

  /**
   * Goes on from what an earlier driver has acknowledged.
   *
   * @param contentStaysElsewhere whether Fedora takes in none of the objects' content
   */
  public IngestTally(JournalState before, boolean contentStaysElsewhere) {
    this.contentStaysElsewhere = contentStaysElsewhere;
    ingested.add(before.acknowledged().size());
    contentBytes.add(before.totals().contentBytes());
    expectedTriples.add(before.totals().triples());
    additions.add(before.totals().additions());
    failedAdditions.add(before.totals().failedAdditions());
  }

  /** One attempt of a request that is part of an object's ingest. */
  public void add(RequestEvent event, RepositoryObject object) {
    count(event);
    switch (event.outcome()) {
      case INGESTED -> {
        timed(event);
        countIngested(object);
      }
      case FOUND_COMPLETE -> {
        foundComplete.increment();
        failedRequest(event);
        countIngested(object);
      }
      case DONE -> {
        timed(event);
        if (!event.message().isEmpty()) {
          failedRequest(event); // its answer was an error or lost
        }
      }
      case RETRIED -> failedRequest(event);
      case FAILED -> {
        failedRequest(event);
        failed.increment();
        notIngested(event.objectIndex());
        keep(event);
      }
      case ABANDONED -> failedRequest(event);
    }
  }

  private void timed(RequestEvent event) {
    if (event.operation() == Operation.INGEST && event.message().isEmpty()) {
      micros.recordValue(Math.min(event.durationNanos() / 1000, LONGEST_MICROS));
    }
  }

  public void addFound(RepositoryObject object) {
    foundComplete.increment();
    countIngested(object);
  }

  public void addPurge(RequestEvent event) {
    count(event);
    halfMade.increment();
    if (event.outcome() == RequestEvent.Outcome.FAILED) {
      failedRequest(event);
    }
  }

  /** An object that was taken for ingested is to be ingested again. */
  public void withdraw(long triples, long bytes, long statements) {
    additions.add(-statements);
    ingested.decrement();
    expectedTriples.add(-triples);
    contentBytes.add(-bytes);
  }

  public void addAddition(RequestEvent event) {
    count(event);
    switch (event.outcome()) {
      case DONE -> {
        additions.increment();
        expectedTriples.increment();
      }
      case FAILED -> {
        failedRequest(event);
        failedAdditions.increment();
        keep(event);
      }
      case RETRIED, ABANDONED -> failedRequest(event);
      case INGESTED, FOUND_COMPLETE -> throw new IllegalArgumentException("only an ingest ends so");
    }
  }

  /** One attempt of a step of a mix that is no ingest. */
  public void addOperation(RequestEvent event) {
    count(event);
    switch (event.outcome()) {
      case DONE -> {}
      case FAILED -> {
        failedRequest(event);
        keep(event);
      }
      case FOUND_COMPLETE, RETRIED, ABANDONED -> failedRequest(event);
      case INGESTED -> throw new IllegalArgumentException("only an ingest ends so");
    }
  }

  private void count(RequestEvent event) {
    sent.increment();
    if (event.attempt() > 1) {
      retried.increment();
    }
  }

  private void keep(RequestEvent failure) {
    synchronized (failures) {
      if (failures.size() < FAILURES_KEPT) {
        failures.add(failure);
      }
    }
  }

  /** The run ended while this object's fate was open. */
  public void abandon(long objectIndex) {
    abandoned.increment();
    notIngested(objectIndex);
  }

  /**
   * The run ended before this object, which an earlier driver had left open, was begun again.
   *
   * @param failedBefore whether that one had given it up
   */
  public void leave(long objectIndex, boolean failedBefore) {
    (failedBefore ? failed : abandoned).increment();
    notIngested(objectIndex);
  }

  /** The run ended before these statements of a stored object were made, or known to be. */
  public void abandonAdditions(long statements) {
    failedAdditions.add(statements);
  }

  private void countIngested(RepositoryObject object) {
    contentBytes.add(contentStaysElsewhere ? 0 : object.contentBytes());
    expectedTriples.add(object.triples());
    ingested.increment();
  }

  private void failedRequest(RequestEvent event) {
    failedRequests.increment();
    synchronized (firstFailedRequests) {
      if (firstFailedRequests.size() < FAILURES_KEPT) {
        firstFailedRequests.add(event);
      }
    }
  }

  private void notIngested(long objectIndex) {
    if (notIngested.size() < MOST_NOT_INGESTED) {
      notIngested.add(objectIndex);
    }
  }

  public long done() {
    return ingested.sum() + failed.sum();
  }

  public List<RequestEvent> failures() {
    synchronized (failures) {
      return List.copyOf(failures);
    }
  }

  public List<RequestEvent> firstFailedRequests() {
    synchronized (firstFailedRequests) {
      return List.copyOf(firstFailedRequests);
    }
  }

  /** Indices of the failed and abandoned objects; not a copy, and workers add to it. */
  public Set<Long> notIngested() {
    return notIngested;
  }

  /**
   * Service times of the requests that made an object, within 0.1 %; no earlier driver's, and none
   * whose answer was an error or lost.
   */
  public synchronized Latency latency() {
    recycled = micros.getIntervalHistogram(recycled);
    allMicros.add(recycled);
    return Latency.ofMicros(allMicros);
  }
}
