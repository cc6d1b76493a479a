package org.fedometer.analysis.compare;

import java.util.Objects;
import org.fedometer.analysis.statistics.Bounds;
import org.fedometer.analysis.statistics.Scope;

/**
 * What a stage cost under two profiles, inside requests or beside them: self time for each object
 * ingested. Immutable.
 *
 * @param stage dotted, such as {@code index.fields}
 * @param beside whether it is the time beside the requests, in which none of them waited
 * @param baselineNanos mean of the baseline's runs
 * @param contenderNanos mean of the contender's runs
 * @param baselineShare of the time of all requests, 0 to 1; null where there was no request
 * @param contenderShare likewise
 * @param bounds of contender minus baseline; null where the runs are too short to tell
 */
public record StageDifference(
    String stage,
    boolean beside,
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

  /** Contender minus baseline. */
  public double differenceNanos() {
    return contenderNanos - baselineNanos;
  }

  /** Whether the interval leaves out that there is no difference. */
  public boolean isClear() {
    return bounds != null && (bounds.low() > 0 || bounds.high() < 0);
  }
}
