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

/** Counts what the steps of a mix do, ingests left to {@link IngestTally}. All workers use it. */
public final class MixTally {
  /** Operations on an object that leave it changed, or gone. */
  static final Set<Operation> CHANGES =
      Set.of(Operation.MODIFY_DATASTREAM, Operation.ADD_DATASTREAM, Operation.PURGE);

  private static final class Counter {
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder abandoned = new LongAdder();
  }

  private final Map<Operation, Counter> counters = new EnumMap<>(Operation.class);

  /** Datastreams added to objects that may be purged later; empty where none is. */
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

  /** The run ended while the step was open. */
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

  /** An object less, with all that was added to it. */
  void purged(long target, RepositoryObject object) {
    Integer datastreams = added.remove(target);
    long ofAdditions =
        datastreams == null ? 0 : (long) FedoraRules.TRIPLES_OF_A_DATASTREAM * datastreams;
    triples.add(-object.triples() - ofAdditions);
  }

  /** How many writes there were, with this one. */
  long countWrite() {
    return writes.incrementAndGet();
  }

  void flushFailed() {
    failedFlushes.increment();
  }

  /** Steps done or given up, ingests not counted. */
  public long settled() {
    return failed() + counters.values().stream().mapToLong(counter -> counter.done.sum()).sum();
  }

  public long failed() {
    return counters.values().stream().mapToLong(counter -> counter.failed.sum()).sum();
  }

  /** Triples that purges and additions have taken away and brought. */
  public long triples() {
    return triples.sum();
  }

  /**
   * @param ingests what became of the steps that ingest
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
