package org.fedometer.experiments;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.LogRatio;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.statistics.Steadiness;
import org.fedometer.store.RunView;
import org.fedometer.store.StoredExperiment;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/**
 * Whether the interval of the ratio of throughput to the baseline's is narrow enough for each
 * profile, paired by block, adjusted for their number as {@code compare} has it.
 */
final class ThroughputPrecision implements Precision {
  private static final String REQUESTS =
      "SELECT start_nanos, duration_nanos FROM requests WHERE operation = 'ingest' AND status = 201"
          + " ORDER BY start_nanos + duration_nanos";

  private final double width;

  /** Of runs that were asked already, by their names. */
  private final Map<String, RunStatistics> known = new HashMap<>();

  /**
   * @param width by how much, as a share, the ends of each interval may differ from its middle
   */
  ThroughputPrecision(double width) {
    this.width = width;
  }

  @Override
  public Judgement of(StoredExperiment soFar) throws IOException {
    Map<String, List<RunStatistics>> byLabel = inWholeBlocks(soFar);
    List<String> contenders =
        soFar.labels().stream().filter(label -> !label.equals(soFar.baseline())).toList();
    List<List<LogRatio>> ratios = new ArrayList<>();
    for (String label : contenders) {
      if (byLabel.get(label).size() < Comparison.FEWEST_RUNS) {
        return new Judgement(false, "One repetition tells nothing of what another would.");
      }
      ratios.add(Comparison.paired(byLabel.get(soFar.baseline()), byLabel.get(label)));
    }
    double widest = 0;
    String of = "";
    List<List<RatioEstimate>> estimates =
        Comparison.judgeEach(ratios, Comparison.DEFAULT_THRESHOLD, Comparison.DEFAULT_CONFIDENCE);
    for (int i = 0; i < contenders.size(); i++) {
      for (RatioEstimate estimate : estimates.get(i)) {
        double own =
            Math.max(estimate.high() / estimate.ratio(), estimate.ratio() / estimate.low()) - 1;
        if (estimate.metric() == Metric.THROUGHPUT && own >= widest) {
          widest = own;
          of = contenders.get(i);
        }
      }
    }
    return new Judgement(
        widest <= width,
        String.format(
            Locale.ROOT,
            "After %d repetitions the throughput of %s beside %s is known to %.1f %%; %.1f %% was"
                + " asked for.",
            byLabel.get(soFar.baseline()).size(),
            of,
            soFar.baseline(),
            100 * widest,
            100 * width));
  }

  /** Statistics by label, in the order of blocks that have a run of each label. */
  private Map<String, List<RunStatistics>> inWholeBlocks(StoredExperiment soFar)
      throws IOException {
    Map<Integer, Map<String, StoredExperiment.Run>> blocks = new HashMap<>();
    for (StoredExperiment.Run run : soFar.counted()) {
      if (run.at().block() != null) {
        blocks
            .computeIfAbsent(run.at().block(), block -> new HashMap<>())
            .put(run.at().label(), run);
      }
    }
    Map<String, List<RunStatistics>> byLabel = new HashMap<>();
    soFar.labels().forEach(label -> byLabel.put(label, new ArrayList<>()));
    for (Integer block : new TreeSet<>(blocks.keySet())) {
      Map<String, StoredExperiment.Run> runs = blocks.get(block);
      if (runs.keySet().containsAll(soFar.labels())) {
        for (String label : soFar.labels()) {
          byLabel.get(label).add(statistics(runs.get(label)));
        }
      }
    }
    return byLabel;
  }

  private RunStatistics statistics(StoredExperiment.Run run) throws IOException {
    RunStatistics found = known.get(run.view().name());
    if (found == null) {
      Series all = series(run.view());
      Long warm = run.at().warmObjects();
      int from =
          warm != null
              ? (int) Math.min(warm, all.count())
              : Steadiness.of(all, Comparison.DEFAULT_THRESHOLD, run.at().seed()).steadyFrom();
      found = RunStatistics.of(all.from(from));
      known.put(run.view().name(), found);
    }
    return found;
  }

  private static Series series(RunView run) throws IOException {
    LongStream.Builder starts = LongStream.builder();
    LongStream.Builder durations = LongStream.builder();
    try (Query query = run.query();
        Rows rows = query.ask(REQUESTS)) {
      while (rows.next()) {
        starts.add(rows.integer(0));
        durations.add(rows.integer(1));
      }
    } catch (QueryException e) {
      throw new IOException(
          "The requests of " + run.name() + " cannot be read: " + e.getMessage(), e);
    }
    return Series.of(starts.build().toArray(), durations.build().toArray());
  }
}
