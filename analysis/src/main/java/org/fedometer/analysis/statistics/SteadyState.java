package org.fedometer.analysis.statistics;

import java.util.ArrayList;
import java.util.List;

/**
 * Classifies a run after its warm-up: whether and from where it is steady, and otherwise why not.
 * Immutable, safe on any thread.
 *
 * <p>The part after the {@link WarmUp} is split into nearly independent intervals, whose means are
 * searched for {@link ChangePoints} and a {@link SizeSlope}. A change of level is relevant if the
 * adjacent means differ by more than the threshold, and by more than dependence explains ({@link
 * Regimes}). A slope is relevant if it is significant at 1 % and exceeds the threshold over the
 * range.
 *
 * <p>If both apply, the better description counts, by the Bayesian information criterion (G.
 * Schwarz, Annals of Statistics 6(2), 1978): lines and stairs are easily confused. The classes are
 * based on E. Barrett and others, "Virtual machine warmup blows hot and cold", OOPSLA 2017, which
 * shows that runs do not simply settle.
 *
 * @param steadyFrom first classified request, from 0: the end of the warm-up; 0 also if the run is
 *     too short
 * @param changes changes of level after that, in order; empty unless there are several regimes
 * @param regimes periods between them, at least one
 * @param slope time per object against the size of the repository after the warm-up; null if the
 *     run is too short
 */
public record SteadyState(
    State state, int steadyFrom, List<Change> changes, List<Regime> regimes, SizeSlope slope) {

  /** Minimum number of requests after the warm-up. */
  private static final int MIN_REQUESTS = WarmUp.MIN_BATCHES * WarmUp.BATCH_OBJECTS / 2;

  /** Limit of segments, which sets their minimum share of the intervals. */
  private static final int MAX_SEGMENTS = 20;

  private static final int MIN_SEGMENT = 10;

  private static final double CONFIDENCE = 0.95;

  /** Strict, since several tests together may have 5 % false positives. */
  private static final double SIGNIFICANT_SLOPE = 0.01;

  /** Behavior of a run after its warm-up. */
  public enum State {
    /** One level, no relevant slope. */
    STEADY("steady"),
    /** The time per object rises or falls throughout. */
    DRIFTING("drifting"),
    /** It jumps from one level to another. */
    SEVERAL_REGIMES("several-regimes"),
    /** It got faster until the second half of the run: all of it may be warm-up. */
    NEVER_STEADY("never-steady"),
    /** Fewer than 100 requests, or than 50 after the warm-up. */
    TOO_SHORT("too-short");

    private final String jsonName;

    State(String jsonName) {
      this.jsonName = jsonName;
    }

    public String jsonName() {
      return jsonName;
    }
  }

  /**
   * A change of level.
   *
   * @param request the first request after it, from 0 in the whole run
   * @param atNanos completion of the preceding request, by the series' clock
   * @param beforeNanos mean service time of the period before it
   * @param afterNanos mean service time of the period after it
   * @param pValue of the permutation test
   * @param exactRequests precision of its position: requests of one interval
   */
  public record Change(
      int request,
      long atNanos,
      double beforeNanos,
      double afterNanos,
      double pValue,
      int exactRequests) {}

  /**
   * A period of one level.
   *
   * @param from its first request, from 0 in the whole run
   * @param to the request after its last
   */
  public record Regime(int from, int to, double meanNanos) {}

  public SteadyState {
    changes = List.copyOf(changes);
    regimes = List.copyOf(regimes);
  }

  /**
   * @param series the whole run, including its warm-up
   * @param warmUp the run's warm-up
   * @param threshold smallest relevant relative difference, such as 0.03
   */
  public static SteadyState of(Series series, WarmUp warmUp, double threshold, long seed) {
    int cold = (int) Math.min(warmUp.coldObjects(), series.count());
    WarmUp.Verdict found =
        warmUp.verdict() == WarmUp.Verdict.GIVEN ? WarmUp.of(series).verdict() : warmUp.verdict();
    if (found == WarmUp.Verdict.TOO_SHORT || series.count() - cold < MIN_REQUESTS) {
      Regime all = new Regime(0, series.count(), series.intervals(1).meanNanos(0));
      return new SteadyState(State.TOO_SHORT, 0, List.of(), List.of(all), null);
    }
    SteadyState run = after(cold, series, threshold, seed);
    // MSER-5 can also end in the second half of a run that drifts, jumps late or, by chance, does
    // not change. A run that only got faster may be one long warm-up.
    return found == WarmUp.Verdict.NOT_SETTLED && onlyFaster(run)
        ? new SteadyState(
            State.NEVER_STEADY, run.steadyFrom(), run.changes(), run.regimes(), run.slope())
        : run;
  }

  private static boolean onlyFaster(SteadyState run) {
    return switch (run.state()) {
      case DRIFTING -> run.slope().nanosPerObject() < 0;
      case SEVERAL_REGIMES ->
          run.changes().stream().allMatch(change -> change.afterNanos() < change.beforeNanos());
      case STEADY, NEVER_STEADY, TOO_SHORT -> false;
    };
  }

  private static SteadyState after(int from, Series fullSeries, double threshold, long seed) {
    Series series = fullSeries.from(from);
    SizeSlope slope = SizeSlope.of(series, CONFIDENCE);
    Intervals intervals = Dependence.nearlyIndependent(series);
    double[] means = intervals.means();
    int minSegment = Math.max(MIN_SEGMENT, means.length / MAX_SEGMENTS);
    Regimes detected = new Regimes(means, ChangePoints.find(means, minSegment, seed), threshold);
    boolean slopes =
        slope.pValue() < SIGNIFICANT_SLOPE && Math.abs(slope.relativeChange()) > threshold;
    boolean jumps = detected.count() > 1;
    State state;
    if (slopes && (!jumps || detected.worseThan(line(means)))) {
      state = State.DRIFTING;
    } else {
      state = jumps ? State.SEVERAL_REGIMES : State.STEADY;
    }
    if (state != State.SEVERAL_REGIMES) {
      Regime all = new Regime(from, fullSeries.count(), series.intervals(1).meanNanos(0));
      return new SteadyState(state, from, List.of(), List.of(all), slope);
    }
    List<Change> changes = new ArrayList<>();
    List<Regime> regimes = new ArrayList<>();
    for (int i = 0; i < detected.count(); i++) {
      int begin = from + intervals.first(detected.begin(i));
      int end = from + intervals.first(detected.end(i));
      regimes.add(new Regime(begin, end, detected.mean(i)));
      if (i > 0) {
        changes.add(
            new Change(
                begin,
                fullSeries.completionNanos(begin - 1),
                detected.mean(i - 1),
                detected.mean(i),
                detected.pValue(i),
                Math.max(1, series.count() / intervals.size())));
      }
    }
    return new SteadyState(state, from, changes, regimes, slope);
  }

  private static Line line(double[] means) {
    double[] places = new double[means.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = i;
    }
    return Line.through(places, means);
  }
}
