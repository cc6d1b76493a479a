package org.fedometer.driver.verify;

import java.util.List;

/**
 * Result of the verification of a repository after an ingest.
 *
 * @param objectsExpected expected objects of the namespace
 * @param objectsCounted objects of the namespace in Fedora's field search; null if it could not be
 *     queried
 * @param triplesExpected expected triples in the triplestore; 0 without one
 * @param triplesCounted counted triples; null without a triplestore or if it could not be queried
 * @param sampledObjects objects read back
 * @param equalObjects number of these equal to the dataset's, every content stream by SHA-256
 * @param sampledBytes content bytes read for that from Fedora
 * @param problems one sentence each; empty on success
 * @param notes remarks and possible faults, one sentence each
 */
public record Verification(
    long objectsExpected,
    Long objectsCounted,
    long triplesExpected,
    Long triplesCounted,
    long sampledObjects,
    long equalObjects,
    long sampledBytes,
    List<String> problems,
    List<String> notes,
    long durationNanos) {

  public Verification {
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  /** Returns whether objects or triples are missing, or could not be counted. */
  public boolean anyMissing() {
    return isShort(objectsCounted, objectsExpected)
        || triplesExpected > 0 && isShort(triplesCounted, triplesExpected);
  }

  private static boolean isShort(Long counted, long expected) {
    return counted == null || counted < expected;
  }

  public boolean ok() {
    return problems.isEmpty();
  }
}
