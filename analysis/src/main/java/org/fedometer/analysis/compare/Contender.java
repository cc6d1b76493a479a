package org.fedometer.analysis.compare;

import java.util.List;
import java.util.Optional;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;

/**
 * One profile against the baseline. Immutable.
 *
 * @param sides the runs that count
 * @param service ratios of throughput and service times, in the order of {@link Metric}; empty
 *     where one side has no run to be compared
 * @param response ratios of response times likewise; empty in a closed model
 * @param stages what each cost, by how much it differs, most first; empty where one side has no
 *     samples
 * @param difference in what the first runs of both differ besides
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
