package org.fedometer.benchmarks.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.fedometer.analysis.statistics.Bounds;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.LogRatio;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.Resampling;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.Verdict;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.analysis.statistics.WithinRun;

/**
 * How often intervals hold the truth, and how often something is found where there is nothing:
 * simulated runs of autocorrelated log-normal service times, as many as arguments say. Each row is
 * printed as soon as it is known. The same seeds give the same figures on any machine.
 */
public final class CoverageBenchmark {
  private static final double[] AUTOCORRELATIONS = {0, 0.3, 0.5, 0.7};

  /** Standard deviation of the logarithm of service times. */
  private static final double SPREAD = 0.4;

  /** Standard deviation of the logarithm of what makes all of a run faster or slower. */
  private static final double BETWEEN_RUNS = 0.03;

  /** The same of what makes both runs of a pair faster or slower. */
  private static final double BETWEEN_PAIRS = 0.05;

  private static final int REQUESTS_OF_A_RUN = 1_000;
  private static final double CONFIDENCE = 0.95;

  private CoverageBenchmark() {}

  /** How many of so many hit, by metric, and of how many pairs of runs any metric did. */
  private static final class Tally {
    private final int[] covered = new int[Metric.values().length];
    private final int[] alarms = new int[Metric.values().length];
    private int anyAlarm;
    private int trials;

    void add(List<LogRatio> ratios) {
      boolean any = false;
      for (LogRatio ratio : ratios) {
        Bounds bounds = ratio.bounds(CONFIDENCE);
        Verdict verdict =
            Verdict.of(ratio.metric(), bounds.low(), bounds.high(), Comparison.DEFAULT_THRESHOLD);
        boolean alarm = verdict == Verdict.BETTER || verdict == Verdict.WORSE;
        covered[ratio.metric().ordinal()] += bounds.low() <= 1 && bounds.high() >= 1 ? 1 : 0;
        alarms[ratio.metric().ordinal()] += alarm ? 1 : 0;
        any |= alarm;
      }
      anyAlarm += any ? 1 : 0;
      trials++;
    }

    void add(Tally other) {
      for (int i = 0; i < covered.length; i++) {
        covered[i] += other.covered[i];
        alarms[i] += other.alarms[i];
      }
      anyAlarm += other.anyAlarm;
      trials += other.trials;
    }

    double coveredPercent() {
      return 100.0 * IntStream.of(covered).sum() / (covered.length * trials);
    }

    double alarmPercent() {
      return 100.0 * IntStream.of(alarms).sum() / (alarms.length * trials);
    }

    String cells() {
      StringBuilder cells = new StringBuilder();
      for (int[] counts : new int[][] {covered, alarms}) {
        for (int count : counts) {
          cells.append(String.format(Locale.ROOT, " %.1f |", 100.0 * count / trials));
        }
      }
      return cells + String.format(Locale.ROOT, " %.1f |", 100.0 * anyAlarm / trials);
    }
  }

  /** Argument: trials in each row of the table of runs (2,000); others have a part of it. */
  public static void main(String[] arguments) {
    int trials = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000;
    header("between runs: runs of each, autocorrelation");
    Tally five = null;
    for (int runs : new int[] {2, 3, 4, 5, 10}) {
      Tally all = new Tally();
      for (double autocorrelation : AUTOCORRELATIONS) {
        Tally tally = run(trials, trial -> betweenRuns(runs, autocorrelation, trial, false));
        print("| %d | %.1f |%s", runs, autocorrelation, tally.cells());
        all.add(tally);
      }
      print("| %d | all |%s", runs, all.cells());
      five = runs == 5 ? all : five;
    }
    header("interleaved pairs: pairs, autocorrelation");
    for (int runs : new int[] {2, 3, 4, 5, 10}) {
      Tally tally = run(trials, trial -> betweenRuns(runs, 0.5, trial, true));
      print("| %d | 0.5 |%s", runs, tally.cells());
    }
    header("within a run: requests, autocorrelation");
    Tally within = new Tally();
    for (int requests : new int[] {500, 2_000, 20_000}) {
      for (double autocorrelation : AUTOCORRELATIONS) {
        Tally tally = run(trials / 8, trial -> withinRun(requests, autocorrelation, trial));
        print("| %,d | %.1f |%s", requests, autocorrelation, tally.cells());
        within.add(tally);
      }
    }
    print("| all | all |%s", within.cells());
    family(trials);
    steadyState(trials / 20);
    slopes(trials / 2);
    print(
        "coverage: %.1f %% of nominal 95 with 5 runs, %.1f %% false alarms",
        five.coveredPercent(), Math.max(five.alarmPercent(), within.alarmPercent()));
  }

  private static Tally run(int trials, IntFunction<List<LogRatio>> trial) {
    Tally tally = new Tally();
    IntStream.range(0, trials).parallel().mapToObj(trial).toList().forEach(tally::add);
    return tally;
  }

  private static List<LogRatio> betweenRuns(
      int runs, double autocorrelation, int trial, boolean paired) {
    SplittableRandom random = random(1, runs, autocorrelation, trial);
    SimulatedRequests requests = new SimulatedRequests(autocorrelation, SPREAD);
    List<RunStatistics> baseline = new ArrayList<>();
    List<RunStatistics> contender = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      double ofPair = paired ? BETWEEN_PAIRS * random.nextGaussian() : 0;
      for (List<RunStatistics> side : List.of(baseline, contender)) {
        double scale = Math.exp(ofPair + BETWEEN_RUNS * random.nextGaussian());
        side.add(RunStatistics.of(requests.run(REQUESTS_OF_A_RUN, scale, random)));
      }
    }
    return paired
        ? Comparison.paired(baseline, contender)
        : Comparison.betweenRuns(baseline, contender);
  }

  private static List<LogRatio> withinRun(int requests, double autocorrelation, int trial) {
    SplittableRandom random = random(2, requests, autocorrelation, trial);
    SimulatedRequests simulated = new SimulatedRequests(autocorrelation, SPREAD);
    Resampling resampling = new Resampling(400, trial);
    return Comparison.withinRun(
        List.of(WithinRun.of(simulated.run(requests, 1, random), resampling)),
        List.of(WithinRun.of(simulated.run(requests, 1, random), resampling)));
  }

  /** Five equal contenders against one baseline, five runs each: is any called different? */
  private static void family(int trials) {
    int contenders = 5;
    long[] alarms =
        IntStream.range(0, trials)
            .parallel()
            .mapToObj(
                trial -> {
                  SplittableRandom random = random(3, contenders, 0.5, trial);
                  List<List<RunStatistics>> profiles = new ArrayList<>();
                  for (int profile = 0; profile <= contenders; profile++) {
                    List<RunStatistics> runs = new ArrayList<>();
                    for (int i = 0; i < 5; i++) {
                      double scale = Math.exp(BETWEEN_RUNS * random.nextGaussian());
                      runs.add(
                          RunStatistics.of(
                              new SimulatedRequests(0.5, SPREAD)
                                  .run(REQUESTS_OF_A_RUN, scale, random)));
                    }
                    profiles.add(runs);
                  }
                  List<List<LogRatio>> ratios =
                      profiles.stream()
                          .skip(1)
                          .map(runs -> Comparison.betweenRuns(profiles.get(0), runs))
                          .toList();
                  return Comparison.judgeEach(ratios, Comparison.DEFAULT_THRESHOLD, CONFIDENCE);
                })
            .map(
                judged ->
                    IntStream.range(0, Metric.values().length)
                        .mapToLong(
                            metric ->
                                judged.stream()
                                        .map(estimates -> estimates.get(metric))
                                        .anyMatch(CoverageBenchmark::isAlarm)
                                    ? 1
                                    : 0)
                        .toArray())
            .reduce(
                new long[Metric.values().length],
                (a, b) -> {
                  long[] sum = new long[a.length];
                  for (int i = 0; i < sum.length; i++) {
                    sum[i] = a[i] + b[i];
                  }
                  return sum;
                });
    print("");
    print("five contenders, 5 runs each, adjusted: %% of trials with any alarm, by metric");
    for (Metric metric : Metric.values()) {
      print("| %s | %.1f |", metric.jsonName(), 100.0 * alarms[metric.ordinal()] / trials);
    }
  }

  private static boolean isAlarm(RatioEstimate estimate) {
    return estimate.verdict() == Verdict.BETTER || estimate.verdict() == Verdict.WORSE;
  }

  private static void steadyState(int trials) {
    print("");
    print("stationary runs: requests, autocorrelation, %% steady, drifting, regimes, never");
    for (int requests : new int[] {300, 1_000, 5_000}) {
      for (double autocorrelation : AUTOCORRELATIONS) {
        List<SteadyState.State> states =
            IntStream.range(0, trials)
                .parallel()
                .mapToObj(
                    trial -> {
                      SplittableRandom random = random(4, requests, autocorrelation, trial);
                      Series run =
                          new SimulatedRequests(autocorrelation, SPREAD).run(requests, 1, random);
                      return SteadyState.of(
                              run, WarmUp.of(run), Comparison.DEFAULT_THRESHOLD, trial)
                          .state();
                    })
                .toList();
        StringBuilder cells = new StringBuilder();
        for (SteadyState.State state :
            List.of(
                SteadyState.State.STEADY,
                SteadyState.State.DRIFTING,
                SteadyState.State.SEVERAL_REGIMES,
                SteadyState.State.NEVER_STEADY)) {
          long count = states.stream().filter(state::equals).count();
          cells.append(String.format(Locale.ROOT, " %.1f |", 100.0 * count / trials));
        }
        print("| %,d | %.1f |%s", requests, autocorrelation, cells);
      }
    }
  }

  private static void slopes(int trials) {
    print("");
    print("slope of 20 %% over the run: requests, autocorrelation, %% of intervals that hold it");
    for (int requests : new int[] {300, 2_000, 20_000}) {
      for (double autocorrelation : AUTOCORRELATIONS) {
        SimulatedRequests simulated = new SimulatedRequests(autocorrelation, SPREAD);
        long held =
            IntStream.range(0, trials)
                .parallel()
                .filter(
                    trial -> {
                      long[] durations =
                          simulated.durations(
                              requests, random(5, requests, autocorrelation, trial));
                      double slope = 0.2 * 20e6 / requests;
                      for (int i = 0; i < requests; i++) {
                        durations[i] += Math.round(slope * i);
                      }
                      SizeSlope fitted =
                          SizeSlope.of(SimulatedRequests.closedModel(durations), CONFIDENCE);
                      return fitted.low() <= slope && fitted.high() >= slope;
                    })
                .count();
        print("| %,d | %.1f | %.1f |", requests, autocorrelation, 100.0 * held / trials);
      }
    }
  }

  private static SplittableRandom random(int table, int row, double autocorrelation, int trial) {
    long seed = 31L * (31L * (31L * table + row) + Math.round(10 * autocorrelation)) + 1;
    // Mixed, so that no row is made of the random numbers of another.
    return new SplittableRandom(new SplittableRandom(seed).nextLong() + trial);
  }

  private static void header(String title) {
    print("");
    print("%s; %% of intervals that hold the truth, then %% of false alarms", title);
    print(
        "| | | throughput | mean | p50 | p95 | p99 | throughput | mean | p50 | p95 | p99 | any |");
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
