package org.fedometer.experiments.series;

import java.util.List;
import org.fedometer.analysis.Figures;
import org.fedometer.experiments.job.Words;
import org.fedometer.experiments.plan.RunEstimator;

/**
 * What an experiment would do and take.
 *
 * @param rows all runs that it may come to, in their order
 * @param leastSeconds of the runs that it makes in any case
 * @param mostSeconds of all that it may make
 * @param basis the weakest that a figure rests on; null where nothing is left to be made
 * @param neededBytes on the store's disk: what the runs leave, and one Fedora at a time
 * @param usableBytes what users may still write there
 * @param notes what should be known before, a sentence each
 */
public record ExperimentForecast(
    String name,
    List<ExperimentRow> rows,
    double leastSeconds,
    double mostSeconds,
    RunEstimator.Basis basis,
    long neededBytes,
    long usableBytes,
    List<String> notes) {

  public ExperimentForecast {
    rows = List.copyOf(rows);
    notes = List.copyOf(notes);
  }

  public String words() {
    if (basis == null) {
      return "all its runs are made";
    }
    String time =
        mostSeconds > leastSeconds
            ? Words.duration((long) leastSeconds) + " to " + Words.duration((long) mostSeconds)
            : Words.duration((long) leastSeconds);
    return "takes about "
        + time
        + " and "
        + Figures.bytes(neededBytes)
        + " of disk at most ("
        + Figures.bytes(usableBytes)
        + " free), by "
        + basis.words();
  }
}
