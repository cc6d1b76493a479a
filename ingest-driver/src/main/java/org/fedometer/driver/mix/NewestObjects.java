package org.fedometer.driver.mix;

import java.time.Instant;
import java.util.Arrays;

/**
 * Tracks when the ingest of the latest twenty objects began, as the start of a client's search for
 * the newest. Thread-safe.
 */
public final class NewestObjects {

  /** Number of items that a client wants when it searches for the newest. */
  public static final int ITEMS = 20;

  private final long[] fedoraMillis = new long[ITEMS];
  private int next;

  /** Sets the initial time, by Fedora's clock, before anything is ingested. */
  synchronized void begin(Instant since) {
    Arrays.fill(fedoraMillis, since.toEpochMilli());
  }

  synchronized void ingested(long sentFedoraMillis) {
    fedoraMillis[next] = sentFedoraMillis;
    next = (next + 1) % ITEMS;
  }

  /** Returns a time by Fedora's clock. */
  synchronized Instant since() {
    return Instant.ofEpochMilli(fedoraMillis[next]);
  }
}
