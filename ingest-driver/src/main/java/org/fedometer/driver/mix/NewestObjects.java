package org.fedometer.driver.mix;

import java.time.Instant;
import java.util.Arrays;

/**
 * Since when a client asks that wants the newest items: when the latest twenty objects began to be
 * ingested. Used by all workers.
 */
public final class NewestObjects {

  /** So many items a client wants that asks for the newest. */
  public static final int ITEMS = 20;

  private final long[] fedoraMillis = new long[ITEMS];
  private int next;

  /** The newest objects are there since that time by Fedora's clock; nothing is ingested yet. */
  synchronized void begin(Instant since) {
    Arrays.fill(fedoraMillis, since.toEpochMilli());
  }

  synchronized void ingested(long sentFedoraMillis) {
    fedoraMillis[next] = sentFedoraMillis;
    next = (next + 1) % ITEMS;
  }

  /** By Fedora's clock. */
  synchronized Instant since() {
    return Instant.ofEpochMilli(fedoraMillis[next]);
  }
}
