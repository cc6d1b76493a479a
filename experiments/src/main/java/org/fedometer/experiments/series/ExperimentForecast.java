package org.fedometer.experiments.series;

import java.util.List;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.experiments.job.DurationFormat;
import org.fedometer.experiments.plan.RunEstimator;

/**
 * What an experiment would do and take.
 *
 * @param rows all runs that it may come to, in their order
 * @param minSeconds of the runs that it makes in any case
 * @param maxSeconds of all that it may make
 * @param basis the weakest that a figure rests on; null where nothing is left to be made
 * @param neededBytes on the store's disk: what the runs leave, and one Fedora at a time
 * @param usableBytes what users may still write there
 * @param notes what should be known before, a sentence each
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
      return "all its runs are made";
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
