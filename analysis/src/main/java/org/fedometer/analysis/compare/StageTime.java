package org.fedometer.analysis.compare;

import java.util.Objects;

/**
 * A stage's cost in the measured part of a run, inside or outside requests; a stage with both has
 * two. Self time, without nested stages, so that all stages add up. Immutable.
 *
 * @param stage dotted, such as {@code index.fields}
 * @param outside whether it is time on threads without a request, or after the last request
 * @param selfNanos per ingested object
 * @param share of the time of all requests, 0 to 1, 0 outside them; null without requests
 * @param error of {@code selfNanos} between batches of the run; null if the part is too short
 */
public record StageTime(
    String stage, boolean outside, double selfNanos, Double share, MeanError error) {

  public StageTime {
    Objects.requireNonNull(stage, "stage");
  }

  /** Returns a stage that did not run. */
  static StageTime none(StageTime of) {
    return new StageTime(of.stage(), of.outside(), 0, of.share() == null ? null : 0.0, null);
  }

  /**
   * Uncertainty of a mean.
   *
   * @param standard in the mean's unit
   * @param degreesOfFreedom at least 1
   */
  public record MeanError(double standard, double degreesOfFreedom) {}
}
