package org.fedometer.analysis.compare;

import java.util.List;
import java.util.Optional;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;

/**
 * A profile compared with the baseline. Immutable.
 *
 * @param sides the compared runs
 * @param service ratios of throughput and service times, in the order of {@link Metric}; empty if a
 *     side has no comparable run
 * @param response ratios of response times; empty also in a closed model
 * @param stages costs of stages, largest difference first; empty if a side has no samples
 * @param difference other differences between the first runs of both
 */
public record Contender(
    MeasuredProfile baseline,
    MeasuredProfile profile,
    Sides sides,
    List<RatioEstimate> service,
    List<RatioEstimate> response,
    List<StageDifference> stages,
    RunDifference difference) {

  public Contender {
    service = List.copyOf(service);
    response = List.copyOf(response);
    stages = List.copyOf(stages);
  }

  public Optional<RatioEstimate> service(Metric metric) {
    return of(service, metric);
  }

  public Optional<RatioEstimate> response(Metric metric) {
    return of(response, metric);
  }

  private static Optional<RatioEstimate> of(List<RatioEstimate> estimates, Metric metric) {
    return estimates.stream().filter(estimate -> estimate.metric() == metric).findFirst();
  }
}
