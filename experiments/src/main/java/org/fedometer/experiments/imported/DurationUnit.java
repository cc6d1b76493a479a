package org.fedometer.experiments.imported;

import java.util.Locale;

/** Unit of durations. */
public enum DurationUnit {
  NS(1),
  US(1_000),
  MS(1_000_000),
  S(1_000_000_000);

  private final long nanos;

  DurationUnit(long nanos) {
    this.nanos = nanos;
  }

  /** Returns the name used on the command line and in run.json. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name that help and shell completion show. */
  @Override
  public String toString() {
    return id();
  }

  long nanos() {
    return nanos;
  }
}
