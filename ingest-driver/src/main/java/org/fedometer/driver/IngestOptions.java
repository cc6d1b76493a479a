package org.fedometer.driver;

import java.time.Duration;
import java.util.Objects;

/**
 * What an ingest is to do.
 *
 * @param firstIndex index of the first object in the dataset
 * @param objects how many from there on; of a mix, the number of steps
 * @param workers concurrent requests
 * @param load when objects are due
 * @param retry how often and how long to try
 * @param stopPatience how long requests under way may take after a stop was asked for
 * @param ends what ends it before its last object
 * @param shard which of the objects are this driver's
 * @param maxErrors how many objects may fail; one more ends the run
 * @param triples whether Fedora has a triplestore that can be asked
 * @param flushInterval how often Fedora is asked to flush its triples, so that after a crash only
 *     what came since has to be looked at; zero for never
 * @param content how content gets into Fedora; the caller's to close
 * @param mix what the numbers stand for, or null: each for the object of that index, to be ingested
 */
public record IngestOptions(
    long firstIndex,
    long objects,
    int workers,
    Load load,
    RetryPolicy retry,
    Duration stopPatience,
    Ends ends,
    Shard shard,
    long maxErrors,
    boolean triples,
    Duration flushInterval,
    ContentDelivery content,
    MixOptions mix) {

  /** More concurrent requests than one driver process is good for. */
  public static final int MOST_WORKERS = 1000;

  public IngestOptions {
    Objects.requireNonNull(load, "load");
    Objects.requireNonNull(retry, "retry");
    Objects.requireNonNull(stopPatience, "stopPatience");
    Objects.requireNonNull(ends, "ends");
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(flushInterval, "flushInterval");
    Objects.requireNonNull(content, "content");
    if (maxErrors < 0) {
      throw new IllegalArgumentException("maxErrors must not be negative: " + maxErrors);
    }
    if (firstIndex < 0 || objects < 0 || firstIndex > Long.MAX_VALUE - objects) {
      throw new IllegalArgumentException(
          "An ingest is of zero or more objects from index zero or above on, not of "
              + objects
              + " from "
              + firstIndex
              + " on.");
    }
    if (mix != null && firstIndex != 0) {
      throw new IllegalArgumentException("A mix begins with step 0, not with " + firstIndex + ".");
    }
    requireWorkers(workers);
    if (load instanceof Load.Sweep sweep) {
      requireWorkers(sweep.mostWorkers());
    }
  }

  /** Objects 0 to {@code objects - 1} in a closed loop, standard retries, 30 s for a stop. */
  public static IngestOptions of(long objects, int workers) {
    return new IngestOptions(
        0,
        objects,
        workers,
        new Load.ClosedLoop(),
        RetryPolicy.standard(),
        Duration.ofSeconds(30),
        Ends.AT_THE_LAST_OBJECT,
        Shard.WHOLE,
        Long.MAX_VALUE,
        true,
        Duration.ZERO,
        ContentDelivery.inRequest(),
        null);
  }

  /** The same number of objects, from another one on. */
  public IngestOptions startingAt(long index) {
    return new IngestOptions(
        index,
        objects,
        workers,
        load,
        retry,
        stopPatience,
        ends,
        shard,
        maxErrors,
        triples,
        flushInterval,
        content,
        mix);
  }

  /** The same, but so many objects. */
  public IngestOptions withObjects(long number) {
    return new IngestOptions(
        firstIndex,
        number,
        workers,
        load,
        retry,
        stopPatience,
        ends,
        shard,
        maxErrors,
        triples,
        flushInterval,
        content,
        mix);
  }

  /** The same with other retries. */
  public IngestOptions withRetry(RetryPolicy other) {
    return new IngestOptions(
        firstIndex,
        objects,
        workers,
        load,
        other,
        stopPatience,
        ends,
        shard,
        maxErrors,
        triples,
        flushInterval,
        content,
        mix);
  }

  /** The same, but that objects are due otherwise. */
  public IngestOptions withLoad(Load other) {
    return new IngestOptions(
        firstIndex,
        objects,
        workers,
        other,
        retry,
        stopPatience,
        ends,
        shard,
        maxErrors,
        triples,
        flushInterval,
        content,
        mix);
  }

  /** The same, but that it may end before its last object. */
  public IngestOptions withEnds(Ends other) {
    return new IngestOptions(
        firstIndex,
        objects,
        workers,
        load,
        retry,
        stopPatience,
        other,
        shard,
        maxErrors,
        triples,
        flushInterval,
        content,
        mix);
  }

  /** The same, but one driver's part of it. */
  public IngestOptions withShard(Shard other) {
    return new IngestOptions(
        firstIndex,
        objects,
        workers,
        load,
        retry,
        stopPatience,
        ends,
        other,
        maxErrors,
        triples,
        flushInterval,
        content,
        mix);
  }

  /** The same, but that so many objects may fail. */
  public IngestOptions withMaxErrors(long errors) {
    return new IngestOptions(
        firstIndex,
        objects,
        workers,
        load,
        retry,
        stopPatience,
        ends,
        shard,
        errors,
        triples,
        flushInterval,
        content,
        mix);
  }

  /** The same, but that Fedora's triples are flushed so often, or that it has no triplestore. */
  public IngestOptions withTriples(boolean there, Duration everySoOften) {
    return new IngestOptions(
        firstIndex,
        objects,
        workers,
        load,
        retry,
        stopPatience,
        ends,
        shard,
        maxErrors,
        there,
        everySoOften,
        content,
        mix);
  }

  /** The same, but that content gets into Fedora otherwise. */
  public IngestOptions withContent(ContentDelivery other) {
    return new IngestOptions(
        firstIndex,
        objects,
        workers,
        load,
        retry,
        stopPatience,
        ends,
        shard,
        maxErrors,
        triples,
        flushInterval,
        other,
        mix);
  }

  /** The same number of steps of a mix in the place of ingests. */
  public IngestOptions withMix(MixOptions other) {
    return new IngestOptions(
        firstIndex,
        objects,
        workers,
        load,
        retry,
        stopPatience,
        ends,
        shard,
        maxErrors,
        triples,
        flushInterval,
        content,
        other);
  }

  /**
   * All objects that are in Fedora when it is done, if none is purged: those before a mix, too.
   *
   * @param leadingObjects of the dataset
   */
  public long allObjects(long leadingObjects) {
    return mix == null && objects == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : firstObject() + ingests(leadingObjects);
  }

  /** Objects to ingest, those before a mix not counted. */
  long ingests(long leadingObjects) {
    return mix == null ? objects : new MixOrder(mix, leadingObjects).ingestsBefore(objects);
  }

  /** Index of the first object to ingest. */
  long firstObject() {
    return mix == null ? firstIndex : mix.preload();
  }

  /** Most concurrent requests that the load asks for. */
  public int mostWorkers() {
    return load instanceof Load.Sweep sweep ? sweep.mostWorkers() : workers;
  }

  static void requireWorkers(int number) {
    if (number < 1 || number > MOST_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be 1 to " + MOST_WORKERS + ", but is " + number + ".");
    }
  }

  /** How many of the objects are this driver's. */
  public long ownObjects() {
    return shard.countOf(firstIndex, endIndex());
  }

  /** Index after the last object. */
  long endIndex() {
    return firstIndex + objects;
  }
}
