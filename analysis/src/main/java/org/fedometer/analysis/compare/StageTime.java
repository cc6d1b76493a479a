package org.fedometer.analysis.compare;

import java.util.Objects;

/**
 * What a stage cost in the measured part of a run, either inside requests or beside them: a stage
 * with time in both has two of these. Self time, without the stages inside it, so that all of a run
 * add up. Immutable.
 *
 * @param stage dotted, such as {@code index.fields}
 * @param beside whether it is the time on other threads than a request's, or after the last request
 * @param selfNanos for each object ingested
 * @param share of the time of all requests, 0 to 1, 0 beside them; null where there was no request
 * @param error of {@code ownNanos} from one stretch of the run to the next; null where the part is
 *     too short to tell
 */
public record StageTime(
    String stage, boolean beside, double selfNanos, Double share, MeanError error) {

  public StageTime {
    Objects.requireNonNull(stage, "stage");
  }

  /** A stage that did not run. */
  static StageTime none(StageTime of) {
    return new StageTime(of.stage(), of.beside(), 0, of.share() == null ? null : 0.0, null);
  }

  /**
   * How well a mean is known.
   *
   * @param standard in the mean's unit
   * @param degreesOfFreedom 1 or more
   */
  public record MeanError(double standard, double degreesOfFreedom) {}
}
