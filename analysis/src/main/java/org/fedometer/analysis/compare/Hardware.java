package org.fedometer.analysis.compare;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import org.fedometer.analysis.compare.LimitingResource.Kind;

/**
 * Describes hardware implications of the limit of the profile with the highest throughput. Pure.
 */
public final class Hardware {
  private Hardware() {}

  public static String of(ProfileComparison comparison) {
    String fastest =
        comparison.recommendations().stream()
            .filter(each -> each.goal() == Recommendation.Goal.THROUGHPUT)
            .map(Recommendation::best)
            .findFirst()
            .orElse(comparison.baseline().label());
    Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    for (MeasuredProfile profile : comparison.profiles()) {
      for (MeasuredRun run : profile.runs()) {
        if (profile.label().equals(fastest) && run.limit() != null) {
          kinds.merge(run.limit().kind(), 1, Integer::sum);
        }
      }
    }
    Kind kind =
        kinds.entrySet().stream()
            .max(Comparator.comparingInt(Map.Entry::getValue))
            .map(Map.Entry::getKey)
            .orElse(Kind.UNKNOWN);
    return "%s was limited by: %s. %s".formatted(fastest, kind.jsonName(), kind.hardware());
  }
}
