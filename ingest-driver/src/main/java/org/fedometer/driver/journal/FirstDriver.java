package org.fedometer.driver.journal;

import java.time.Instant;
import java.util.Objects;

/**
 * The driver that began an ingest which is resumed.
 *
 * @param began its start by this host's clock; older objects in Fedora are not from it
 * @param clock how far this host's wall clock was set since
 */
public record FirstDriver(Instant began, ClockStep clock) {

  public FirstDriver {
    Objects.requireNonNull(began, "began");
    Objects.requireNonNull(clock, "clock");
  }

  /** Returns an unknown first driver: any object in Fedora may be from it. */
  public static FirstDriver unknown() {
    return new FirstDriver(Instant.EPOCH, ClockStep.sinceNow());
  }
}
