package org.fedometer.driver.verify;

import java.util.List;

/**
 * What a look at the repository after an ingest found.
 *
 * @param objectsExpected objects of the namespace that should be there
 * @param objectsCounted objects of the namespace that Fedora's field search finds; null if it could
 *     not be asked
 * @param triplesExpected triples that should be in the triplestore; 0 if there is none
 * @param triplesCounted triples that are; null if it could not be asked, or there is none
 * @param sampledObjects objects read back
 * @param equalObjects of these, objects equal to what the dataset makes, every content stream by
 *     SHA-256
 * @param sampledBytes content bytes read from Fedora for that
 * @param problems one sentence each; empty if all is well
 * @param notes one sentence each: what is worth knowing, and wrong perhaps
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

  /** Whether objects or triples are not there, or could not be counted. */
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
