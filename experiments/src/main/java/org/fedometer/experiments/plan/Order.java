package org.fedometer.experiments.plan;

import java.util.Locale;

/** In which order the runs of an experiment go. */
public enum Order {
  /** A repetition is a block of one run of each profile, whose order is drawn. */
  INTERLEAVED,
  /** All runs in an order that is drawn, without blocks. */
  RANDOMISED,
  /** A repetition is a block of one run of each profile, in the order of the file. */
  AS_WRITTEN;

  /** As files and {@code run.json} name it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether runs of one repetition follow each other, so that they can be paired. */
  public boolean hasBlocks() {
    return this != RANDOMISED;
  }
}
