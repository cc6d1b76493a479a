package org.fedometer.driver;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.load.Load;
import org.fedometer.driver.mix.MixOptions;
import org.fedometer.driver.mix.MixOrder;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.Shard;

/**
 * Options of an ingest.
 *
 * @param firstIndex index of the first object in the dataset
 * @param objects number of objects from there on; for a mix, the number of steps
 * @param workers concurrent requests
 * @param stopTimeout maximum time for requests under way after a stop request
 * @param maxErrors number of objects that may fail; one more ends the run
 * @param triples true if Fedora has a triplestore that can be queried
 * @param flushInterval interval at which Fedora flushes its triples, so that after a crash only
 *     later objects need checking; zero for never
 * @param content how content gets into Fedora; the caller closes it
 * @param mix the mix whose steps the numbers count; null if each number is an object to ingest
 * @param flushEvery number of ingested objects after which Fedora flushes its triples while that
 *     worker waits, without a mix; 0 for never
 */
public record IngestOptions(
    long firstIndex,
    long objects,
    int workers,
    Load load,
    RetryPolicy retry,
    Duration stopTimeout,
    EndConditions endConditions,
    Shard shard,
    long maxErrors,
    boolean triples,
    Duration flushInterval,
    ContentDelivery content,
    MixOptions mix,
    long flushEvery) {

  /** Maximum number of concurrent requests of one driver process. */
  public static final int MAX_WORKERS = 1000;

  public IngestOptions {
    Objects.requireNonNull(load, "load");
    Objects.requireNonNull(retry, "retry");
    Objects.requireNonNull(stopTimeout, "stopTimeout");
    Objects.requireNonNull(endConditions, "endConditions");
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(flushInterval, "flushInterval");
    Objects.requireNonNull(content, "content");
    if (maxErrors < 0) {
      throw new IllegalArgumentException("maxErrors must not be negative: " + maxErrors);
    }
    if (firstIndex < 0 || objects < 0 || firstIndex > Long.MAX_VALUE - objects) {
      throw new IllegalArgumentException(
          "An ingest has 0 or more objects and starts at index 0 or above, not "
              + objects
              + " from "
              + firstIndex
              + ".");
    }
    if (flushEvery < 0 || flushEvery > 0 && mix != null) {
      throw new IllegalArgumentException(
          "flushEvery must be 0 or more, and is part of a mix's options: " + flushEvery);
    }
    if (mix != null && firstIndex != 0) {
      throw new IllegalArgumentException("A mix begins with step 0, not with " + firstIndex + ".");
    }
    requireWorkers(workers);
    if (load instanceof Load.Sweep sweep) {
      requireWorkers(sweep.maxWorkers());
    }
  }

  /**
   * Returns options for objects 0 to {@code objects - 1}: closed model, standard retries, 30 s stop
   * timeout.
   */
  public static IngestOptions of(long objects, int workers) {
    return new IngestOptions(
        0,
        objects,
        workers,
        new Load.ClosedModel(),
        RetryPolicy.standard(),
        Duration.ofSeconds(30),
        EndConditions.AT_THE_LAST_OBJECT,
        Shard.WHOLE,
        Long.MAX_VALUE,
        true,
        Duration.ZERO,
        ContentDelivery.inRequest(),
        null,
        0);
  }

  public IngestOptions startingAt(long index) {
    return changed(copy -> copy.firstIndex = index);
  }

  public IngestOptions withObjects(long number) {
    return changed(copy -> copy.objects = number);
  }

  public IngestOptions withRetry(RetryPolicy other) {
    return changed(copy -> copy.retry = other);
  }

  public IngestOptions withLoad(Load other) {
    return changed(copy -> copy.load = other);
  }

  public IngestOptions withEndConditions(EndConditions other) {
    return changed(copy -> copy.endConditions = other);
  }

  public IngestOptions withShard(Shard other) {
    return changed(copy -> copy.shard = other);
  }

  public IngestOptions withMaxErrors(long errors) {
    return changed(copy -> copy.maxErrors = errors);
  }

  /**
   * @param hasTriplestore true if Fedora has a triplestore that can be queried
   * @param interval time between flushes while objects are sent; zero for none
   */
  public IngestOptions withTriples(boolean hasTriplestore, Duration interval) {
    return changed(
        copy -> {
          copy.triples = hasTriplestore;
          copy.flushInterval = interval;
        });
  }

  public IngestOptions withContent(ContentDelivery other) {
    return changed(copy -> copy.content = other);
  }

  public IngestOptions withMix(MixOptions other) {
    return changed(copy -> copy.mix = other);
  }

  public IngestOptions withFlushEvery(long ingestedObjects) {
    return changed(copy -> copy.flushEvery = ingestedObjects);
  }

  private IngestOptions changed(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.options();
  }

  private static final class Copy {
    private long firstIndex;
    private long objects;
    private int workers;
    private Load load;
    private RetryPolicy retry;
    private Duration stopTimeout;
    private EndConditions endConditions;
    private Shard shard;
    private long maxErrors;
    private boolean triples;
    private Duration flushInterval;
    private ContentDelivery content;
    private MixOptions mix;
    private long flushEvery;

    private Copy(IngestOptions options) {
      firstIndex = options.firstIndex;
      objects = options.objects;
      workers = options.workers;
      load = options.load;
      retry = options.retry;
      stopTimeout = options.stopTimeout;
      endConditions = options.endConditions;
      shard = options.shard;
      maxErrors = options.maxErrors;
      triples = options.triples;
      flushInterval = options.flushInterval;
      content = options.content;
      mix = options.mix;
      flushEvery = options.flushEvery;
    }

    private IngestOptions options() {
      return new IngestOptions(
          firstIndex,
          objects,
          workers,
          load,
          retry,
          stopTimeout,
          endConditions,
          shard,
          maxErrors,
          triples,
          flushInterval,
          content,
          mix,
          flushEvery);
    }
  }

  /**
   * Returns the number of objects in Fedora at the end if none is purged, including those before a
   * mix.
   */
  public long allObjects(long leadingObjects) {
    return mix == null && objects == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : firstObject() + ingests(leadingObjects);
  }

  /** Returns the number of objects to ingest, without those before a mix. */
  long ingests(long leadingObjects) {
    return mix == null ? objects : new MixOrder(mix, leadingObjects).ingestsBefore(objects);
  }

  long firstObject() {
    return mix == null ? firstIndex : mix.preload();
  }

  public int maxWorkers() {
    return load instanceof Load.Sweep sweep ? sweep.maxWorkers() : workers;
  }

  static void requireWorkers(int number) {
    if (number < 1 || number > MAX_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be 1 to " + MAX_WORKERS + ", but is " + number + ".");
    }
  }

  public long shardObjects() {
    return shard.countOf(firstIndex, endIndex());
  }

  /** Returns the index after the last object. */
  long endIndex() {
    return firstIndex + objects;
  }
}
