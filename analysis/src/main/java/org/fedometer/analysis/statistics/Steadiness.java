package org.fedometer.analysis.statistics;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.statistics.ChangePoints.ChangePoint;

/**
 * Whether a run came to a steady pace, from where on, and what kept it from that. Immutable, safe
 * on any thread.
 *
 * <p>The warm-up is found by {@link WarmUp}. What comes after it is cut into intervals that hardly
 * depend on their neighbours; in their means {@link ChangePoints} are looked for, and a {@link
 * SizeSlope}. A change of level matters if the means of the stretches before and after it differ by
 * more than the threshold; others are dropped, the smallest first. A slope matters if it is
 * significant at 5 % and makes more than the threshold over the range. Where both would do, the
 * better description counts, by the Bayesian information criterion (G. Schwarz, Annals of
 * Statistics 6(2), 1978): a straight line is easily taken for a stair, and a stair for a line. That
 * runs do not simply settle, and the classes, are after E. Barrett and others, "Virtual machine
 * warmup blows hot and cold", OOPSLA 2017.
 *
 * @param state what was found
 * @param steadyFrom the first request that counts, from 0: the end of the warm-up; 0 also where
 *     there is none, or where the run never settled
 * @param changes changes of level after that, in order; empty unless there are several regimes
 * @param regimes the stretches between them, one at least
 * @param slope time per object against the size of the repository after the warm-up; null if the
 *     run is too short
 */
public record Steadiness(
    State state, int steadyFrom, List<Change> changes, List<Regime> regimes, SizeSlope slope) {

  /** Changes are looked for in stretches of at least this share of the intervals. */
  private static final int SEGMENTS_AT_MOST = 20;

  private static final int SMALLEST_SEGMENT = 10;

  private static final double CONFIDENCE = 0.95;

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
    /** Fewer than 100 requests tell nothing. */
    TOO_SHORT("too-short");

    private final String jsonName;

    State(String jsonName) {
      this.jsonName = jsonName;
    }

    /** Its name in files. */
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
   */
  public record Change(
      int request, long atNanos, double beforeNanos, double afterNanos, double pValue) {}

  /**
   * A stretch of one level.
   *
   * @param from its first request, counted from 0 in the whole run
   * @param to the request after its last
   * @param meanNanos mean service time
   */
  public record Regime(int from, int to, double meanNanos) {}

  public Steadiness {
    changes = List.copyOf(changes);
    regimes = List.copyOf(regimes);
  }

  /**
   * Judges a run.
   *
   * @param series all of it, with its warm-up
   * @param threshold the smallest relative difference that matters, such as 0.03
   * @param seed of the permutation tests
   */
  public static Steadiness of(Series series, double threshold, long seed) {
    WarmUp warmUp = WarmUp.of(batchMeans(series), series.count());
    return switch (warmUp.verdict()) {
      case TOO_SHORT -> {
        double mean = series.intervals(1).meanNanos(0);
        Regime all = new Regime(0, series.count(), mean);
        yield new Steadiness(State.TOO_SHORT, 0, List.of(), List.of(all), null);
      }
      case SETTLED -> after((int) warmUp.coldObjects(), series, threshold, seed);
      case NOT_SETTLED -> {
        Steadiness whole = after(0, series, threshold, seed);
        // MSER-5 also ends in the second half of a run that drifts, or jumps late, or, by luck, of
        // one without any change. What only ever got faster may be one long warm-up.
        boolean onlyFaster =
            whole.changes().stream().allMatch(change -> change.afterNanos() < change.beforeNanos());
        yield whole.state() == State.SEVERAL_REGIMES && onlyFaster
            ? new Steadiness(State.NEVER_STEADY, 0, whole.changes(), whole.regimes(), whole.slope())
            : whole;
      }
    };
  }

  private static double[] batchMeans(Series series) {
    double[] means = new double[series.count() / WarmUp.BATCH_OBJECTS];
    for (int batch = 0; batch < means.length; batch++) {
      double sum = 0;
      for (int i = 0; i < WarmUp.BATCH_OBJECTS; i++) {
        sum += series.durationNanos(batch * WarmUp.BATCH_OBJECTS + i);
      }
      means[batch] = sum / WarmUp.BATCH_OBJECTS;
    }
    return means;
  }

  /** Judges what comes after the warm-up. */
  private static Steadiness after(int from, Series whole, double threshold, long seed) {
    Series series = whole.from(from);
    SizeSlope slope = SizeSlope.of(series, CONFIDENCE);
    Intervals intervals = Dependence.nearlyIndependent(series);
    double[] means = intervals.means();
    int smallest = Math.max(SMALLEST_SEGMENT, means.length / SEGMENTS_AT_MOST);
    Levels levels = new Levels(means, ChangePoints.find(means, smallest, seed), threshold);
    boolean slopes =
        slope.pValue() < 1 - CONFIDENCE && Math.abs(slope.relativeChange()) > threshold;
    boolean jumps = !levels.points.isEmpty();
    State state;
    if (slopes && (!jumps || levels.worseThan(line(means)))) {
      state = State.DRIFTING;
    } else {
      state = jumps ? State.SEVERAL_REGIMES : State.STEADY;
    }
    if (state != State.SEVERAL_REGIMES) {
      Regime all = new Regime(from, whole.count(), series.intervals(1).meanNanos(0));
      return new Steadiness(state, from, List.of(), List.of(all), slope);
    }
    List<Change> changes = new ArrayList<>();
    List<Regime> regimes = new ArrayList<>();
    for (int i = 0; i <= levels.points.size(); i++) {
      int begin = from + intervals.first(levels.begin(i));
      int end = from + intervals.first(levels.end(i));
      regimes.add(new Regime(begin, end, levels.mean(i)));
      if (i > 0) {
        changes.add(
            new Change(
                begin,
                whole.completionNanos(begin - 1),
                levels.mean(i - 1),
                levels.mean(i),
                levels.points.get(i - 1).pValue()));
      }
    }
    return new Steadiness(state, from, changes, regimes, slope);
  }

  private static Line line(double[] means) {
    double[] places = new double[means.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = i;
    }
    return Line.through(places, means);
  }

  /** The stretches between those change points that matter. */
  private static final class Levels {
    private final double[] means;
    private final List<ChangePoint> points;

    Levels(double[] means, List<ChangePoint> found, double threshold) {
      this.means = means;
      this.points = new ArrayList<>(found);
      while (!points.isEmpty()) {
        int smallest = 0;
        for (int i = 1; i < points.size(); i++) {
          smallest = difference(i) < difference(smallest) ? i : smallest;
        }
        if (difference(smallest) > threshold) {
          break;
        }
        points.remove(smallest);
      }
    }

    /** Relative difference of the levels before and after a change point. */
    private double difference(int point) {
      return Math.abs(mean(point + 1) / mean(point) - 1);
    }

    int begin(int level) {
      return level == 0 ? 0 : points.get(level - 1).index();
    }

    int end(int level) {
      return level == points.size() ? means.length : points.get(level).index();
    }

    double mean(int level) {
      double sum = 0;
      for (int i = begin(level); i < end(level); i++) {
        sum += means[i];
      }
      return sum / (end(level) - begin(level));
    }

    /** By the Bayesian information criterion: a line has two parameters, k jumps 2 k + 1. */
    boolean worseThan(Line line) {
      double squares = 0;
      for (int level = 0; level <= points.size(); level++) {
        double mean = mean(level);
        for (int i = begin(level); i < end(level); i++) {
          squares += (means[i] - mean) * (means[i] - mean);
        }
      }
      int n = means.length;
      double ofLevels = n * Math.log(squares / n) + (2 * points.size() + 1) * Math.log(n);
      double ofLine = n * Math.log(line.squares() / n) + 2 * Math.log(n);
      return ofLine < ofLevels;
    }
  }
}
