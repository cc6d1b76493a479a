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
 * @param mix what the numbers stand for, or null: each for the object of that index, to be ingested
 */
public record IngestOptions(
    long firstIndex,
    long objects,
    int workers,
    Load load,
    RetryPolicy retry,
    Duration stopPatience,
    MixOptions mix) {

  public IngestOptions {
    Objects.requireNonNull(load, "load");
    Objects.requireNonNull(retry, "retry");
    Objects.requireNonNull(stopPatience, "stopPatience");
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
    if (workers < 1 || workers > 1000) {
      throw new IllegalArgumentException("workers must be 1 to 1000, but is " + workers + ".");
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
        null);
  }

  /** The same with other retries. */
  public IngestOptions withRetry(RetryPolicy other) {
    return new IngestOptions(firstIndex, objects, workers, load, other, stopPatience, mix);
  }

  /** The same, but that objects are due otherwise. */
  public IngestOptions withLoad(Load other) {
    return new IngestOptions(firstIndex, objects, workers, other, retry, stopPatience, mix);
  }

  /** The same number of steps of a mix in the place of ingests. */
  public IngestOptions withMix(MixOptions other) {
    return new IngestOptions(firstIndex, objects, workers, load, retry, stopPatience, other);
  }

  /**
   * All objects that are in Fedora when it is done, if none is purged: those before a mix, too.
   *
   * @param leadingObjects of the dataset
   */
  public long allObjects(long leadingObjects) {
    return firstObject() + ingests(leadingObjects);
  }

  /** Objects to ingest, those before a mix not counted. */
  long ingests(long leadingObjects) {
    return mix == null ? objects : new MixOrder(mix, leadingObjects).ingestsBefore(objects);
  }

  /** Index of the first object to ingest. */
  long firstObject() {
    return mix == null ? firstIndex : mix.preload();
  }

  /** Index after the last object. */
  long endIndex() {
    return firstIndex + objects;
  }
}
