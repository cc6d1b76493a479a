package org.fedometer.experiments.plan;

import java.util.Locale;

/** Order of an experiment's runs. */
public enum Order {
  /** A repetition is a block of one run of each profile, in random order. */
  INTERLEAVED,
  /** All runs in random order, without blocks. */
  RANDOMISED,
  /** A repetition is a block of one run of each profile, in the order of the file. */
  AS_WRITTEN;

  /** Returns the name used in files and {@code run.json}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether runs of one repetition are adjacent, so that they can be paired. */
  public boolean hasBlocks() {
    return this != RANDOMISED;
  }
}
