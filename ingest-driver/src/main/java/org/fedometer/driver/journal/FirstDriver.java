package org.fedometer.driver.journal;

import java.time.Instant;
import java.util.Objects;

/**
 * The driver that began an ingest which goes on.
 *
 * @param began when it did, by this host's clock: what Fedora has had for longer is not from it
 * @param clock how far this host's time of day was set since
 */
public record FirstDriver(Instant began, ClockStep clock) {

  public FirstDriver {
    Objects.requireNonNull(began, "began");
    Objects.requireNonNull(clock, "clock");
  }

  /** Of whom nothing is known: whatever Fedora has may be from it. */
  public static FirstDriver unknown() {
    return new FirstDriver(Instant.EPOCH, ClockStep.sinceNow());
  }
}
