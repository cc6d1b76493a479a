package org.fedometer.analysis.compare;

import java.util.Objects;
import org.fedometer.analysis.statistics.Bounds;
import org.fedometer.analysis.statistics.Scope;

/**
 * A stage's cost under two profiles, inside or outside requests: self time per ingested object.
 * Immutable.
 *
 * @param stage dotted, such as {@code index.fields}
 * @param outside whether it is time outside requests, in which none of them waited
 * @param baselineNanos mean of the baseline's runs
 * @param contenderNanos mean of the contender's runs
 * @param baselineShare of the time of all requests, 0 to 1; null without requests
 * @param contenderShare likewise
 * @param bounds of contender minus baseline; null if the runs are too short
 */
public record StageDifference(
    String stage,
    boolean outside,
    double baselineNanos,
    double contenderNanos,
    Double baselineShare,
    Double contenderShare,
    Bounds bounds,
    Scope scope) {

  public StageDifference {
    Objects.requireNonNull(stage, "stage");
    Objects.requireNonNull(scope, "scope");
  }

  /** Returns contender minus baseline. */
  public double differenceNanos() {
    return contenderNanos - baselineNanos;
  }

  /** Returns whether the interval excludes zero. */
  public boolean isClear() {
    return bounds != null && (bounds.low() > 0 || bounds.high() < 0);
  }
}
