package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.Scope;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.Verdict;

/** Summarizes a comparison in sentences, for text and the JSON's {@code sentence}. Pure. */
public final class ComparisonSummary {

  /** Part of the difference from which a stage is named as the cause. */
  private static final double MIN_PART = 0.2;

  /** Part of the difference above which a stage has most of it. */
  private static final double MOST = 0.5;

  private static final double NARROW = 0.02;

  private ComparisonSummary() {}

  /**
   * Returns, for example: B ingests 1.27 times as many objects as A (1.22 to 1.31). Most of the
   * difference is in ...
   */
  public static String of(Contender contender, Choices choices) {
    return of(contender, choices, contender.baseline().letter(), contender.profile().letter());
  }

  static String withLabels(Contender contender, Choices choices) {
    return of(contender, choices, contender.baseline().label(), contender.profile().label());
  }

  /**
   * @param a name of the baseline
   * @param b name of the contender
   */
  private static String of(Contender contender, Choices choices, String a, String b) {
    Optional<RatioEstimate> throughput = contender.service(Metric.THROUGHPUT);
    if (throughput.isEmpty()) {
      return "%s cannot be compared with %s: one of them has no run with enough measured objects."
          .formatted(b, a);
    }
    RatioEstimate estimate = throughput.get();
    StringBuilder sentence = new StringBuilder();
    sentence.append(
        switch (estimate.verdict()) {
          case BETTER, WORSE ->
              "%s ingests %s times as many objects as %s %s"
                  .formatted(b, ratio(estimate.ratio()), a, range(estimate));
          case SAME ->
              "%s ingests as many objects as %s, to within %s: %s times %s"
                  .formatted(
                      b, a, percent(choices.threshold()), ratio(estimate.ratio()), range(estimate));
          case INCONCLUSIVE ->
              Double.isNaN(estimate.ratio())
                  ? "It is unknown whether %s ingests more or fewer objects than %s: their requests took less than the resolution of their times"
                      .formatted(b, a)
                  : "It is inconclusive whether %s ingests more or fewer objects than %s: %s times as many %s"
                      .formatted(b, a, ratio(estimate.ratio()), range(estimate));
        });
    if (estimate.scope() == Scope.WITHIN_RUN && estimate.verdict() != Verdict.INCONCLUSIVE) {
      sentence.append(" within these runs");
    }
    sentence.append('.');
    if (estimate.verdict() == Verdict.BETTER || estimate.verdict() == Verdict.WORSE) {
      sentence.append(cause(contender, estimate.verdict() == Verdict.BETTER));
    }
    sentence.append(others(contender.service(), " Of service times, "));
    sentence.append(others(contender.response(), " Of response times, "));
    sentence.append(' ').append(steadyState(contender));
    return sentence.toString();
  }

  /** Describes the scope of a contender's intervals. */
  public static String scope(Contender contender) {
    Sides sides = contender.sides();
    String runs =
        "%s of %s, %s of %s"
            .formatted(
                NumberFormats.count(sides.baseline().size(), "run"),
                contender.baseline().letter(),
                NumberFormats.count(sides.contender().size(), "run"),
                contender.profile().letter());
    String covered =
        sides.scope() == Scope.WITHIN_RUN
            ? "Within-run: does not cover run-to-run variation, which easily is 10 % and more."
            : sides.paired()
                ? "Between runs, in pairs that were run one after the other."
                : "Between runs.";
    boolean open =
        sides.baseline().stream().anyMatch(MeasuredRun::openModel)
            || sides.contender().stream().anyMatch(MeasuredRun::openModel);
    boolean unknown =
        sides.baseline().stream().anyMatch(MeasuredRun::ofUnknownLoad)
            || sides.contender().stream().anyMatch(MeasuredRun::ofUnknownLoad);
    String times =
        !contender.response().isEmpty()
            ? ""
            : unknown
                ? " Times are service times; how the imported requests were sent is not known."
                : open
                    ? " Not all runs came at a rate: response times are not compared."
                    : " Times are service times of a closed model; users would wait longer.";
    String more =
        sides.scope() == Scope.BETWEEN_RUNS
                && contender.service().stream()
                    .anyMatch(estimate -> estimate.verdict() == Verdict.INCONCLUSIVE)
            ? " More repetitions make intervals narrower."
            : "";
    return runs + ". " + covered + more + times;
  }

  /** Describes a run's steady state and its start. */
  public static String steadyState(MeasuredRun run) {
    SteadyState steadyState = run.steadyState();
    if (steadyState == null) {
      return "no ingest";
    }
    return switch (steadyState.state()) {
      case STEADY -> "steady from object " + NumberFormats.count(steadyState.steadyFrom());
      case DRIFTING -> "drifting";
      case SEVERAL_REGIMES -> NumberFormats.count(steadyState.regimes().size(), "regime");
      case NEVER_STEADY -> "never settled";
      case TOO_SHORT -> "too short to tell";
    };
  }

  /**
   * Describes all runs of both sides in a sentence: the latest start of a steady state, or a
   * caution about the runs without one.
   */
  private static String steadyState(Contender contender) {
    List<MeasuredRun> runs = new ArrayList<>(contender.sides().baseline());
    runs.addAll(contender.sides().contender());
    List<MeasuredRun> unsteady = new ArrayList<>();
    int from = 0;
    for (MeasuredRun run : runs) {
      if (run.steadyState().state() == SteadyState.State.STEADY) {
        from = Math.max(from, run.steadyState().steadyFrom());
      } else {
        unsteady.add(run);
      }
    }
    if (unsteady.isEmpty()) {
      return "All runs were steady from object " + NumberFormats.count(from) + ".";
    }
    if (unsteady.size() == 1) {
      MeasuredRun run = unsteady.get(0);
      return run.steadyState().state() == SteadyState.State.TOO_SHORT
          ? "Caution: %s is too short to tell whether it was steady.".formatted(run.name())
          : "Caution: %s was not steady (%s).".formatted(run.name(), steadyState(run));
    }
    return "Caution: no steady state was found in %s of %s, for example %s (%s)."
        .formatted(
            NumberFormats.count(unsteady.size()),
            NumberFormats.count(runs.size(), "run"),
            unsteady.get(0).name(),
            steadyState(unsteady.get(0)));
  }

  /**
   * Returns the stage inside requests with the largest change in that direction, if it accounts for
   * enough of the change of requests' time.
   */
  private static String cause(Contender contender, boolean better) {
    double all = 0;
    StageDifference dominant = null;
    for (StageDifference stage : contender.stages()) {
      if (!stage.outside()) {
        double nanos = stage.differenceNanos();
        all += nanos;
        boolean thatWay = better ? nanos < 0 : nanos > 0;
        if (thatWay
            && (dominant == null || Math.abs(nanos) > Math.abs(dominant.differenceNanos()))) {
          dominant = stage;
        }
      }
    }
    if (contender.stages().isEmpty()) {
      return "";
    }
    if (dominant == null || !dominant.isClear() || dominant.differenceNanos() / all < MIN_PART) {
      return " No single stage accounts for the difference.";
    }
    String name = dominant.stage();
    boolean outsideToo =
        contender.stages().stream()
            .anyMatch(stage -> stage.outside() && stage.stage().equals(name));
    return " %s of the difference is in %s%s: from %s to %s per object%s."
        .formatted(
            dominant.differenceNanos() / all > MOST ? "Most" : "The largest part",
            name,
            outsideToo ? " in requests" : "",
            NumberFormats.duration(dominant.baselineNanos()),
            NumberFormats.duration(dominant.contenderNanos()),
            dominant.baselineShare() == null || dominant.contenderShare() == null
                ? ""
                : String.format(
                    Locale.ROOT,
                    " (%.0f to %.0f %% of the time)",
                    100 * dominant.baselineShare(),
                    100 * dominant.contenderShare()));
  }

  /** Summarizes the other four metrics in a sentence, grouped by verdict. */
  private static String others(List<RatioEstimate> estimates, String lead) {
    StringBuilder text = new StringBuilder();
    for (Verdict verdict : Verdict.values()) {
      List<String> names = new ArrayList<>();
      for (RatioEstimate estimate : estimates) {
        if (estimate.metric() != Metric.THROUGHPUT && estimate.verdict() == verdict) {
          names.add(estimate.metric().jsonName());
        }
      }
      if (!names.isEmpty()) {
        text.append(text.isEmpty() ? lead : ", ")
            .append(join(names))
            .append(names.size() == 1 ? " is " : " are ")
            .append(verdict(verdict));
      }
    }
    return text.isEmpty() ? "" : text.append('.').toString();
  }

  public static String verdict(Verdict verdict) {
    return verdict == Verdict.SAME ? "the same" : verdict.jsonName();
  }

  static String join(List<String> names) {
    int last = names.size() - 1;
    return last < 1
        ? String.join("", names)
        : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }

  static String ratio(double ratio) {
    return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "an unknown number";
  }

  /** Formats {@code [0.52, 0.80]}; a narrow interval with three decimals. */
  static String interval(RatioEstimate estimate) {
    return "["
        + end(estimate, estimate.low())
        + ", "
        + (Double.isFinite(estimate.high()) ? end(estimate, estimate.high()) : "no end")
        + "]";
  }

  /** Formats {@code (0.52 to 0.80)}, as in {@link #interval}. */
  private static String range(RatioEstimate estimate) {
    return "("
        + end(estimate, estimate.low())
        + (Double.isFinite(estimate.high()) ? " to " + end(estimate, estimate.high()) : " or more")
        + ")";
  }

  /** Formats an end of an interval; of a narrow one, with three decimals to distinguish both. */
  private static String end(RatioEstimate estimate, double end) {
    boolean fine =
        estimate.high() - estimate.low() < NARROW
            || looksLikeOne(estimate.low())
            || looksLikeOne(estimate.high());
    return String.format(Locale.ROOT, fine ? "%.3f" : "%.2f", end);
  }

  /**
   * Returns whether two decimals round to 1; an interval that excludes 1 must not seem to end
   * there.
   */
  private static boolean looksLikeOne(double end) {
    return ratio(end).equals("1.00");
  }

  /** Formats {@code 95 %}. */
  public static String percent(double share) {
    String text = String.format(Locale.ROOT, "%.1f", 100 * share);
    return (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text) + " %";
  }

  /** Describes the best profile for a goal, its ties and its costs. */
  public static String of(Recommendation recommendation) {
    StringBuilder sentence = new StringBuilder(recommendation.best());
    sentence.append(" (").append(value(recommendation.goal(), recommendation.value())).append(")");
    List<String> same = tied(recommendation, Verdict.SAME);
    List<String> open = tied(recommendation, Verdict.INCONCLUSIVE);
    if (!same.isEmpty()) {
      sentence.append("; ").append(join(same)).append(same.size() == 1 ? " is" : " are");
      sentence.append(" as good");
    }
    if (!open.isEmpty()) {
      sentence.append("; inconclusive against ").append(join(open));
    }
    for (Recommendation.TradeOff tradeOff : recommendation.tradeOffs()) {
      sentence.append(
          "; it has %s times the %s of %s"
              .formatted(ratio(tradeOff.ratio()), noun(tradeOff.goal()), tradeOff.best()));
    }
    if (!recommendation.intervals()) {
      sentence.append("; ").append(recommendation.noInterval());
    }
    return sentence.append('.').toString();
  }

  private static List<String> tied(Recommendation recommendation, Verdict verdict) {
    return recommendation.ties().stream()
        .filter(tie -> tie.verdict() == verdict)
        .map(Recommendation.Tie::profile)
        .toList();
  }

  public static String noun(Recommendation.Goal goal) {
    return switch (goal) {
      case THROUGHPUT -> "throughput";
      case P99 -> "p99";
      case MEMORY -> "memory";
      case DISK -> "bytes written";
      case CPU -> "processor time";
    };
  }

  static String value(Recommendation.Goal goal, double value) {
    return switch (goal) {
      case THROUGHPUT -> NumberFormats.rate(value) + " objects/s";
      case P99 -> NumberFormats.duration(value);
      case MEMORY -> NumberFormats.bytes(Math.round(value));
      case DISK -> NumberFormats.bytes(Math.round(value)) + " per object";
      case CPU -> NumberFormats.duration(value) + " per object";
    };
  }
}
