package org.fedometer.experiments.series;

import java.util.List;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.experiments.job.DurationFormat;
import org.fedometer.experiments.plan.RunEstimator;

/**
 * Runs, time and disk space of an experiment.
 *
 * @param rows all possible runs, in order
 * @param minSeconds time of the runs that are always made
 * @param maxSeconds time of all possible runs
 * @param basis the weakest basis of an estimate; null if no run is left
 * @param neededBytes on the store's disk: stored runs, and one Fedora at a time
 * @param usableBytes space that users may still write
 * @param notes remarks, a sentence each
 */
public record ExperimentForecast(
    String name,
    List<ExperimentRow> rows,
    double minSeconds,
    double maxSeconds,
    RunEstimator.Basis basis,
    long neededBytes,
    long usableBytes,
    List<String> notes) {

  public ExperimentForecast {
    rows = List.copyOf(rows);
    notes = List.copyOf(notes);
  }

  public String text() {
    if (basis == null) {
      return "all its runs are complete";
    }
    String time =
        maxSeconds > minSeconds
            ? DurationFormat.format((long) minSeconds)
                + " to "
                + DurationFormat.format((long) maxSeconds)
            : DurationFormat.format((long) minSeconds);
    return "takes about "
        + time
        + " and "
        + NumberFormats.bytes(neededBytes)
        + " of disk at most ("
        + NumberFormats.bytes(usableBytes)
        + " free), by "
        + basis.text();
  }
}
