package org.fedometer.driver.journal;

/**
 * An object that Fedora holds, with the statements it adds to others.
 *
 * @param index index in the dataset
 * @param startNanos {@code System.nanoTime()} when its request began, or when it was found to exist
 * @param durationNanos duration of that request
 * @param triples its triples, including those it adds to others
 * @param additions statements that it has added to others
 */
public record Acknowledged(
    long index,
    long startNanos,
    long durationNanos,
    long triples,
    long contentBytes,
    long additions,
    long failedAdditions) {

  public Acknowledged {
    if (index < 0
        || durationNanos < 0
        || triples < 0
        || contentBytes < 0
        || additions < 0
        || failedAdditions < 0) {
      throw new IllegalArgumentException("A number of an acknowledged object is negative.");
    }
  }
}
