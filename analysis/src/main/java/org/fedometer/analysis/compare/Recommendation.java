package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.LogRatio;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.Scope;
import org.fedometer.analysis.statistics.Verdict;

/**
 * The best profile for a goal, and its costs for others. Immutable.
 *
 * @param best the profile with the best value
 * @param value its value, in the goal's unit
 * @param ties indistinguishable profiles, the best first
 * @param noInterval why ties were determined by the threshold, not by intervals, such as {@code no
 *     interval: single runs}; null if they were
 * @param tradeOffs its costs for goals where another profile is best
 */
public record Recommendation(
    Goal goal,
    String best,
    double value,
    List<Tie> ties,
    String noInterval,
    List<TradeOff> tradeOffs) {

  public Recommendation {
    Objects.requireNonNull(goal, "goal");
    Objects.requireNonNull(best, "best");
    ties = List.copyOf(ties);
    tradeOffs = List.copyOf(tradeOffs);
  }

  /** Returns whether all ties were determined by intervals. */
  public boolean intervals() {
    return noInterval == null;
  }

  /** A goal of choosing a profile. */
  public enum Goal {
    THROUGHPUT("throughput", "1/s", run -> run.part().service().statistics().throughputPerSecond()),
    P99("p99", "ns", run -> run.part().service().statistics().p99Nanos()),
    MEMORY("memory", "By", run -> run.resources().memoryBytes()),
    DISK("disk", "By/object", run -> run.resources().diskWrittenBytes()),
    CPU("cpu", "ns/object", run -> run.resources().cpuNanos());

    private final String jsonName;
    private final String unit;
    private final Function<MeasuredRun, Double> figure;

    Goal(String jsonName, String unit, Function<MeasuredRun, Double> figure) {
      this.jsonName = jsonName;
      this.unit = unit;
      this.figure = figure;
    }

    public String jsonName() {
      return jsonName;
    }

    public String unit() {
      return unit;
    }

    boolean moreIsBetter() {
      return this == THROUGHPUT;
    }
  }

  /**
   * A profile not distinguishable from the best one.
   *
   * @param verdict {@code SAME}, or {@code INCONCLUSIVE} if the runs do not decide
   */
  public record Tie(String profile, Verdict verdict) {}

  /**
   * Another goal, for which another profile is best.
   *
   * @param ratio value of the recommended profile / value of that one
   */
  public record TradeOff(Goal goal, String best, double ratio) {}

  /**
   * Returns a goal's value of a run.
   *
   * @param waited whether p99 is of response times, known only in an open model
   */
  private static Function<MeasuredRun, Double> figure(Goal goal, boolean waited) {
    return waited && goal == Goal.P99
        ? run -> run.part().response().statistics().p99Nanos()
        : goal.figure;
  }

  /** A goal's values by profile, the best first. */
  private record Ranking(Goal goal, boolean waited, Map<MeasuredProfile, Double> values) {

    MeasuredProfile best() {
      return values.keySet().iterator().next();
    }

    List<MeasuredProfile> others() {
      return values.keySet().stream().skip(1).toList();
    }

    /** Returns the estimates of the others against the best; empty where there is none. */
    List<Optional<RatioEstimate>> judged(Choices choices) {
      List<Optional<LogRatio>> ratios =
          others().stream().map(other -> ratio(goal, waited, Sides.of(best(), other))).toList();
      List<LogRatio> family = ratios.stream().flatMap(Optional::stream).toList();
      Iterator<RatioEstimate> estimates =
          family.isEmpty()
              ? Collections.emptyIterator()
              : Comparison.judge(family, choices.threshold(), choices.confidence()).iterator();
      return ratios.stream().map(found -> found.map(ratio -> estimates.next())).toList();
    }

    /** Returns the ranking with a profile first that is better in pairs than the overall best. */
    Ranking tested(Choices choices) {
      List<Optional<RatioEstimate>> judged = judged(choices);
      for (int i = 0; i < judged.size(); i++) {
        if (judged.get(i).isPresent() && judged.get(i).get().verdict() == Verdict.BETTER) {
          MeasuredProfile better = others().get(i);
          Map<MeasuredProfile, Double> reordered = new LinkedHashMap<>();
          reordered.put(better, values.get(better));
          reordered.putAll(values);
          return new Ranking(goal, waited, reordered);
        }
      }
      return this;
    }
  }

  /**
   * Returns a recommendation for each goal with values of two profiles or more.
   *
   * @param contenders as reported: their inconclusive verdicts apply here, too
   */
  static List<Recommendation> of(
      List<MeasuredProfile> profiles, List<Contender> contenders, Choices choices) {
    // Times with and without waiting are not comparable.
    boolean waited =
        profiles.stream()
            .flatMap(profile -> profile.comparable().stream())
            .allMatch(run -> run.part().response() != null);
    List<Ranking> rankings = new ArrayList<>();
    for (Goal goal : Goal.values()) {
      Ranking ranking = ranking(goal, waited, profiles);
      if (ranking.values().size() > 1) {
        rankings.add(ranking);
      }
    }
    rankings.replaceAll(ranking -> ranking.tested(choices));
    List<Recommendation> alone =
        rankings.stream().map(ranking -> recommended(ranking, contenders, choices)).toList();
    List<Recommendation> recommendations = new ArrayList<>();
    for (int i = 0; i < alone.size(); i++) {
      recommendations.add(alone.get(i).with(tradeOffs(rankings.get(i), rankings, alone)));
    }
    return recommendations;
  }

  private Recommendation with(List<TradeOff> costs) {
    return new Recommendation(goal, best, value, ties, noInterval, costs);
  }

  private static Ranking ranking(Goal goal, boolean waited, List<MeasuredProfile> profiles) {
    Map<MeasuredProfile, Double> values = new LinkedHashMap<>();
    for (MeasuredProfile profile : profiles) {
      OptionalDouble value = Sides.typical(profile.comparable(), figure(goal, waited));
      boolean immeasurable =
          goal == Goal.THROUGHPUT && value.isEmpty() && !profile.comparable().isEmpty();
      if (immeasurable || value.isPresent() && value.getAsDouble() == 0) {
        // It is below the measurable range and cannot be compared.
        return new Ranking(goal, waited, Map.of());
      }
      if (value.isPresent()) {
        values.put(profile, value.getAsDouble());
      }
    }
    Comparator<Map.Entry<MeasuredProfile, Double>> ascending = Map.Entry.comparingByValue();
    Map<MeasuredProfile, Double> ordered = new LinkedHashMap<>();
    values.entrySet().stream()
        .sorted(goal.moreIsBetter() ? ascending.reversed() : ascending)
        .forEach(entry -> ordered.put(entry.getKey(), entry.getValue()));
    return new Ranking(goal, waited, ordered);
  }

  /** Returns a recommendation without trade-offs. */
  private static Recommendation recommended(
      Ranking ranking, List<Contender> contenders, Choices choices) {
    Goal goal = ranking.goal();
    MeasuredProfile best = ranking.best();
    double value = ranking.values().get(best);
    List<MeasuredProfile> others = ranking.others();
    List<Optional<RatioEstimate>> judged = ranking.judged(choices);
    List<Tie> ties = new ArrayList<>();
    for (int i = 0; i < others.size(); i++) {
      MeasuredProfile other = others.get(i);
      if (judged.get(i).isPresent()) {
        Verdict verdict = judged.get(i).get().verdict();
        if (verdict != Verdict.WORSE || isOpen(ranking, best, other, contenders)) {
          ties.add(
              new Tie(
                  other.label(), verdict == Verdict.SAME ? Verdict.SAME : Verdict.INCONCLUSIVE));
        }
      } else if (Math.abs(ranking.values().get(other) / value - 1) <= choices.threshold()) {
        ties.add(new Tie(other.label(), Verdict.SAME));
      }
    }
    return new Recommendation(
        goal, best.label(), value, ties, noInterval(ranking, judged), List.of());
  }

  /** Returns why some of the others have no estimate; null if all have one. */
  private static String noInterval(Ranking ranking, List<Optional<RatioEstimate>> judged) {
    List<MeasuredProfile> without = new ArrayList<>();
    for (int i = 0; i < judged.size(); i++) {
      if (judged.get(i).isEmpty()) {
        without.add(ranking.others().get(i));
      }
    }
    if (without.isEmpty()) {
      return null;
    }
    boolean ofTimes = ranking.goal() == Goal.THROUGHPUT || ranking.goal() == Goal.P99;
    boolean single =
        without.stream()
            .anyMatch(other -> Sides.of(ranking.best(), other).scope() == Scope.WITHIN_RUN);
    String reason =
        ofTimes
            ? "the measured requests do not determine it"
            : single ? "single runs" : "some runs have no value on record";
    return without.size() == judged.size()
        ? "no interval: " + reason
        : "no interval against %s: %s"
            .formatted(
                ComparisonSummary.join(without.stream().map(MeasuredProfile::label).toList()),
                reason);
  }

  /**
   * Returns whether the pair's comparison is inconclusive. There the two belong to another family,
   * in which Holm may widen their interval more.
   */
  private static boolean isOpen(
      Ranking ranking, MeasuredProfile one, MeasuredProfile other, List<Contender> contenders) {
    if (ranking.goal() != Goal.THROUGHPUT && ranking.goal() != Goal.P99) {
      return false;
    }
    Metric metric = ranking.goal() == Goal.P99 ? Metric.P99 : Metric.THROUGHPUT;
    return contenders.stream()
        .filter(
            contender ->
                Set.of(contender.baseline(), contender.profile()).equals(Set.of(one, other)))
        .map(
            contender ->
                ranking.waited() && metric == Metric.P99
                    ? contender.response(metric)
                    : contender.service(metric))
        .flatMap(Optional::stream)
        .anyMatch(estimate -> estimate.verdict() == Verdict.INCONCLUSIVE);
  }

  private static Optional<LogRatio> ratio(Goal goal, boolean waited, Sides sides) {
    if (goal == Goal.THROUGHPUT || goal == Goal.P99) {
      Metric metric = goal == Goal.P99 ? Metric.P99 : Metric.THROUGHPUT;
      return (waited && goal == Goal.P99 ? sides.response() : sides.service())
          .stream().filter(ratio -> ratio.metric() == metric).findFirst();
    }
    return sides.ratio(goal.figure);
  }

  /** Returns the trade-offs, without goals for which the profile ties with the best. */
  private static List<TradeOff> tradeOffs(
      Ranking ranking, List<Ranking> rankings, List<Recommendation> recommendations) {
    MeasuredProfile profile = ranking.best();
    List<TradeOff> tradeOffs = new ArrayList<>();
    for (int i = 0; i < rankings.size(); i++) {
      Ranking other = rankings.get(i);
      Double profileValue = other.values().get(profile);
      boolean asGood =
          other.best() == profile
              || recommendations.get(i).ties().stream()
                  .anyMatch(tie -> tie.profile().equals(profile.label()));
      if (profileValue != null && !asGood) {
        tradeOffs.add(
            new TradeOff(
                other.goal(),
                other.best().label(),
                profileValue / other.values().get(other.best())));
      }
    }
    return tradeOffs;
  }
}
