package org.fedometer.experiments.plan;

/**
 * A planned run of an experiment.
 *
 * @param place in the order of all, from 1
 * @param block from 1, or null for an order without blocks
 * @param repetition of the profile, from 1
 */
public record PlannedRun(int place, Integer block, int repetition, String label) {

  /** Returns the run's name; attempts count from 1. */
  public String name(String experiment, int attempt) {
    return experiment + "." + repetition + "." + label + (attempt == 1 ? "" : "." + attempt);
  }
}
