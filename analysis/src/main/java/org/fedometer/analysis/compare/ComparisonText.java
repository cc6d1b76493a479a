package org.fedometer.analysis.compare;

import static org.fedometer.analysis.NumberFormats.count;
import static org.fedometer.analysis.NumberFormats.duration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.compare.EnvironmentDifference.Difference;
import org.fedometer.analysis.compare.MeasuredRun.LabelledChange;
import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.Scope;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.Verdict;

/** Formats parts of a {@link ProfileComparison} shared by text and page. Pure. */
public final class ComparisonText {

  private ComparisonText() {}

  /** Returns the suffix of a profile's label: whether it is the baseline, and its runs. */
  public static String profile(ProfileComparison comparison, MeasuredProfile profile) {
    return (profile == comparison.baseline() ? ", the baseline: " : ": ")
        + (profile.runs().size() == 1 && profile.runs().get(0).name().equals(profile.label())
            ? "one run"
            : runs(profile));
  }

  private static String runs(MeasuredProfile profile) {
    return profile.runs().size() == 1
        ? "run " + profile.runs().get(0).name()
        : count(profile.runs().size(), "run");
  }

  /** Describes the compared repository sizes; null for all. */
  public static String sizes(ProfileComparison comparison) {
    return comparison.sizes() == null
        ? null
        : "Compared at equal size: objects %s to %s."
            .formatted(count(comparison.sizes().from() + 1), count(comparison.sizes().to()));
  }

  /** Returns, for example, {@code B against A: mulgara-postgresql}. */
  public static String title(Contender contender) {
    return "%s against %s: %s"
        .formatted(
            contender.profile().letter(),
            contender.baseline().letter(),
            contender.profile().label());
  }

  public static String metric(Metric metric, boolean ofResponse) {
    return metric == Metric.THROUGHPUT
        ? "objects/s"
        : (ofResponse ? "response time " : "service time ") + metric.jsonName();
  }

  public static String figure(Metric metric, double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return metric == Metric.THROUGHPUT ? NumberFormats.rate(value) : duration(value);
  }

  /** Formats three decimals, none from 100 on; a dash for unknown or infinite ratios. */
  public static String ratio(double ratio) {
    if (!Double.isFinite(ratio)) {
      return "-";
    }
    return String.format(Locale.ROOT, ratio < 100 ? "%.3f" : "%.0f", ratio);
  }

  /** Returns a verdict's cell, which has a symbol and color on a page. */
  public static Cell verdict(Verdict verdict) {
    String sign =
        switch (verdict) {
          case BETTER -> "▲ ";
          case WORSE -> "▼ ";
          case SAME -> "■ ";
          case INCONCLUSIVE -> "○ ";
        };
    String text = ComparisonSummary.verdict(verdict);
    return Cell.text(sign + text).inTerminal(text).styled(colour(verdict));
  }

  /** Returns a color of the style sheet, which is also its class name. */
  public static String colour(Verdict verdict) {
    return switch (verdict) {
      case BETTER -> "good";
      case WORSE -> "bad";
      case SAME -> "faint";
      case INCONCLUSIVE -> "warning";
    };
  }

  /** Returns a note on the scope of stages' intervals; null for none. */
  public static String scopeOfStages(Contender contender, List<StageDifference> shown) {
    boolean withinRun = shown.stream().allMatch(stage -> stage.scope() == Scope.WITHIN_RUN);
    return withinRun && contender.sides().scope() == Scope.BETWEEN_RUNS
        ? "+/- is within-run here: not every run has samples"
        : null;
  }

  /** Describes a run's drift; null without one. */
  public static String drift(MeasuredRun run) {
    if (run.steadyState() == null || run.steadyState().state() != SteadyState.State.DRIFTING) {
      return null;
    }
    SizeSlope slope = run.steadyState().slope();
    return "from %s to %s as the repository grew from %s to %s objects"
        .formatted(
            duration(slope.fromNanos()),
            duration(slope.toNanos()),
            count(slope.fromObjects()),
            count(slope.toObjects()));
  }

  public static String causes(LabelledChange change) {
    return change.causes().isEmpty() ? "no cause on record" : String.join("; ", change.causes());
  }

  /** Lists the limiting resources of a profile's runs, one line each; empty if unknown. */
  public static List<String> limits(MeasuredProfile profile) {
    Map<LimitingResource.Kind, List<MeasuredRun>> reported = new LinkedHashMap<>();
    for (MeasuredRun run : profile.runs()) {
      if (run.limit() != null) {
        reported.computeIfAbsent(run.limit().kind(), kind -> new ArrayList<>()).add(run);
      }
    }
    List<String> limits = new ArrayList<>();
    reported.forEach(
        (kind, runs) ->
            limits.add(
                "%s%s: %s"
                    .formatted(
                        kind.jsonName(),
                        reported.size() == 1 && runs.size() == 1
                            ? ""
                            : " (%s of %s)"
                                .formatted(count(runs.size()), count(profile.runs().size(), "run")),
                        runs.get(0).limit().reason())));
    return limits;
  }

  /**
   * A category of differences between two profiles.
   *
   * @param none text if there are none
   * @param spoils whether they invalidate a comparison
   */
  public record Part(String title, String none, boolean spoils, List<Difference> differences) {
    public Part {
      differences = List.copyOf(differences);
    }
  }

  /** Returns the differences of two profiles, the most relevant category first. */
  public static List<Part> differences(RunDifference all) {
    EnvironmentDifference difference = all.difference();
    List<Part> parts = new ArrayList<>();
    parts.add(
        new Part(
            "Profile",
            all.profilesNotCompared() == null
                ? "The profiles are the same."
                : all.profilesNotCompared(),
            false,
            difference.profile()));
    parts.add(
        new Part(
            difference.other().isEmpty()
                ? "Not of the profile"
                : "NOT OF THE PROFILE: spoils the comparison",
            "Nothing else differs.",
            true,
            difference.other()));
    if (!difference.following().isEmpty()) {
      parts.add(
          new Part(
              "Derived from choices that differ: may follow from the profile",
              "",
              false,
              difference.following()));
    }
    return parts;
  }
}
