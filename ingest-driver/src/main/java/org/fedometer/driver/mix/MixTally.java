package org.fedometer.driver.mix;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.fedometer.datasets.FedoraRules;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.load.IngestTally;

/** Counts the steps of a mix except ingests, see {@link IngestTally}. Thread-safe. */
public final class MixTally {
  /** Operations that change or remove an object. */
  static final Set<Operation> CHANGES =
      Set.of(Operation.MODIFY_DATASTREAM, Operation.ADD_DATASTREAM, Operation.PURGE);

  private static final class Counter {
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder abandoned = new LongAdder();
  }

  private final Map<Operation, Counter> counters = new EnumMap<>(Operation.class);

  /** Datastreams added to objects that may be purged later; empty without purges. */
  private final Map<Long, Integer> added = new ConcurrentHashMap<>();

  private final boolean purges;
  private final Set<Long> uncertain = ConcurrentHashMap.newKeySet();
  private final LongAdder triples = new LongAdder();
  private final LongAdder failedFlushes = new LongAdder();
  private final AtomicLong writes = new AtomicLong();

  /**
   * @param mix has every operation that will be counted
   */
  public MixTally(Mix mix) {
    this.purges = mix.weight(Operation.PURGE) > 0;
    mix.weights().keySet().forEach(operation -> counters.put(operation, new Counter()));
  }

  void done(Operation operation) {
    counters.get(operation).done.increment();
  }

  void failed(Operation operation, long target) {
    counters.get(operation).failed.increment();
    uncertain(operation, target);
  }

  /** Counts a step that was open at the end of the run. */
  void abandoned(Operation operation, long target) {
    counters.get(operation).abandoned.increment();
    uncertain(operation, target);
  }

  private void uncertain(Operation operation, long target) {
    if (CHANGES.contains(operation) && uncertain.size() < IngestTally.MAX_NOT_INGESTED) {
      uncertain.add(target);
    }
  }

  void added(long target) {
    triples.add(FedoraRules.TRIPLES_OF_A_DATASTREAM);
    if (purges) {
      added.merge(target, 1, Integer::sum);
    }
  }

  /** Counts a purged object, with all additions to it. */
  void purged(long target, RepositoryObject object) {
    Integer datastreams = added.remove(target);
    long ofAdditions =
        datastreams == null ? 0 : (long) FedoraRules.TRIPLES_OF_A_DATASTREAM * datastreams;
    triples.add(-object.triples() - ofAdditions);
  }

  /** Counts a write, and returns the number so far. */
  long countWrite() {
    return writes.incrementAndGet();
  }

  void flushFailed() {
    failedFlushes.increment();
  }

  /** Returns the steps that succeeded or failed, without ingests. */
  public long settled() {
    return failed() + counters.values().stream().mapToLong(counter -> counter.done.sum()).sum();
  }

  public long failed() {
    return counters.values().stream().mapToLong(counter -> counter.failed.sum()).sum();
  }

  /** Returns the net change of triples by purges and additions. */
  public long triples() {
    return triples.sum();
  }

  /**
   * @param ingests counts of the ingesting steps
   */
  public MixResult result(MixOptions options, long steps, long begun, MixResult.Counts ingests) {
    Map<Operation, MixResult.Counts> counts = new EnumMap<>(Operation.class);
    counters.forEach(
        (operation, counter) ->
            counts.put(
                operation,
                new MixResult.Counts(
                    counter.done.sum(), counter.failed.sum(), counter.abandoned.sum())));
    counts.put(Operation.INGEST, ingests);
    return new MixResult(options, steps, begun, counts, failedFlushes.sum(), uncertain);
  }
}
