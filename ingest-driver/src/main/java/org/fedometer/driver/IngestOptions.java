package org.fedometer.driver;

import java.time.Duration;
import java.util.Objects;

/**
 * What an ingest is to do.
 *
 * @param firstIndex index of the first object in the dataset
 * @param objects how many from there on
 * @param workers concurrent requests
 * @param load when objects are due
 * @param retry how often and how long to try
 * @param stopPatience how long requests under way may take after a stop was asked for
 * @param content how content gets into Fedora; the caller's to close
 */
public record IngestOptions(
    long firstIndex,
    long objects,
    int workers,
    Load load,
    RetryPolicy retry,
    Duration stopPatience,
    ContentDelivery content) {

  public IngestOptions {
    Objects.requireNonNull(load, "load");
    Objects.requireNonNull(retry, "retry");
    Objects.requireNonNull(stopPatience, "stopPatience");
    Objects.requireNonNull(content, "content");
    if (firstIndex < 0 || objects < 0 || firstIndex > Long.MAX_VALUE - objects) {
      throw new IllegalArgumentException(
          "An ingest is of zero or more objects from index zero or above on, not of "
              + objects
              + " from "
              + firstIndex
              + " on.");
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
        ContentDelivery.inRequest());
  }

  /** The same with other retries. */
  public IngestOptions withRetry(RetryPolicy other) {
    return new IngestOptions(firstIndex, objects, workers, load, other, stopPatience, content);
  }

  /** The same, but that objects are due otherwise. */
  public IngestOptions withLoad(Load other) {
    return new IngestOptions(firstIndex, objects, workers, other, retry, stopPatience, content);
  }

  /** The same, but that content gets into Fedora otherwise. */
  public IngestOptions withContent(ContentDelivery other) {
    return new IngestOptions(firstIndex, objects, workers, load, retry, stopPatience, other);
  }

  /** Index after the last object. */
  long endIndex() {
    return firstIndex + objects;
  }
}
