package org.fedometer.analysis.compare;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.fedometer.analysis.compare.LimitingResource.Kind;

/**
 * Describes hardware implications of the limit of the profile with the highest throughput. Pure.
 */
public final class Hardware {
  private Hardware() {}

  /** Returns the implications; empty unless all its runs have the same known limit. */
  public static Optional<String> of(ProfileComparison comparison) {
    String fastest =
        comparison.recommendations().stream()
            .filter(each -> each.goal() == Recommendation.Goal.THROUGHPUT)
            .map(Recommendation::best)
            .findFirst()
            .orElse(comparison.baseline().label());
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (MeasuredProfile profile : comparison.profiles()) {
      if (profile.label().equals(fastest)) {
        for (MeasuredRun run : profile.runs()) {
          kinds.add(run.limit() == null ? Kind.UNKNOWN : run.limit().kind());
        }
      }
    }
    if (kinds.size() != 1 || kinds.contains(Kind.UNKNOWN)) {
      return Optional.empty();
    }
    Kind kind = kinds.iterator().next();
    return Optional.of(
        "%s was limited by: %s. %s".formatted(fastest, kind.jsonName(), kind.hardware()));
  }
}
