package org.fedometer.collector;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

/** For collectors of tests that ask one monitoring run, and may be going on at midnight. */
final class OneDay {
  /** It is always the same day. */
  static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);

  private OneDay() {}
}
