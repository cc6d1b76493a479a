package org.fedometer.analysis.statistics;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether a run came to a steady pace, from where on, and what kept it from that. Immutable, safe
 * on any thread.
 *
 * <p>What comes after the {@link WarmUp} is cut into intervals that hardly depend on their
 * neighbours; in their means {@link ChangePoints} are looked for, and a {@link SizeSlope}. A change
 * of level matters if the means of the stretches before and after it differ by more than the
 * threshold, and by more than dependence accounts for ({@link Regimes}). A slope matters if it is
 * significant at 1 % and makes more than the threshold over the range. Where both would do, the
 * better description counts, by the Bayesian information criterion (G. Schwarz, Annals of
 * Statistics 6(2), 1978): a straight line is easily taken for a stair, and a stair for a line. That
 * runs do not simply settle, and the classes, are after E. Barrett and others, "Virtual machine
 * warmup blows hot and cold", OOPSLA 2017.
 *
 * @param steadyFrom the first request that was judged, from 0: the end of the warm-up; 0 also where
 *     the run is too short to tell
 * @param changes changes of level after that, in order; empty unless there are several regimes
 * @param regimes the stretches between them, one at least
 * @param slope time per object against the size of the repository after the warm-up; null if the
 *     run is too short
 */
public record SteadyState(
    State state, int steadyFrom, List<Change> changes, List<Regime> regimes, SizeSlope slope) {

  /** Fewer requests than this after the warm-up tell nothing. */
  private static final int MIN_REQUESTS = WarmUp.MIN_BATCHES * WarmUp.BATCH_OBJECTS / 2;

  /** Changes are looked for in stretches of at least this share of the intervals. */
  private static final int MAX_SEGMENTS = 20;

  private static final int MIN_SEGMENT = 10;

  private static final double CONFIDENCE = 0.95;

  /** Several things are looked for: all of them together may be found by luck in 5 % of runs. */
  private static final double SIGNIFICANT_SLOPE = 0.01;

  /** What a run did after its warm-up. */
  public enum State {
    /** One level, no slope that matters. */
    STEADY("steady"),
    /** The time per object goes up or down all along. */
    DRIFTING("drifting"),
    /** It jumps from one level to another. */
    SEVERAL_REGIMES("several-regimes"),
    /** It got faster until the second half of the run: all of it may be warm-up. */
    NEVER_STEADY("never-steady"),
    /** Fewer than 100 requests tell nothing, nor do fewer than 50 after the warm-up. */
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
   * @param request the first request after it, counted from 0 in the whole run
   * @param atNanos completion of the request before, by the series' clock
   * @param beforeNanos mean service time of the stretch before it
   * @param afterNanos mean service time of the stretch after it
   * @param pValue of the permutation test
   * @param exactRequests its place is known to so many requests, those of one interval
   */
  public record Change(
      int request,
      long atNanos,
      double beforeNanos,
      double afterNanos,
      double pValue,
      int exactRequests) {}

  /**
   * A stretch of one level.
   *
   * @param from its first request, counted from 0 in the whole run
   * @param to the request after its last
   */
  public record Regime(int from, int to, double meanNanos) {}

  public SteadyState {
    changes = List.copyOf(changes);
    regimes = List.copyOf(regimes);
  }

  /**
   * @param series all of it, with its warm-up
   * @param warmUp which of its requests are that
   * @param threshold the smallest relative difference that matters, such as 0.03
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
    // MSER-5 also ends in the second half of a run that drifts, or jumps late, or, by luck, of one
    // without any change. What only ever got faster may be one long warm-up.
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
