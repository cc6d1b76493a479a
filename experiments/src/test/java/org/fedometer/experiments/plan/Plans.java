package org.fedometer.experiments.plan;

import org.fedometer.profiles.Profiles;

/** Plans for tests. */
public final class Plans {
  private Plans() {}

  /** Returns a plan of identical profiles {@code a}, {@code b} and {@code c}. */
  public static ExperimentPlan threeCopies(String... lines) {
    return parse(
        """
        name: night
        profiles:
          - {name: a, profile: none-derby}
          - {name: b, profile: none-derby}
          - {name: c, profile: none-derby}
        dataset: patents:small
        warm: 10
        measured: 20
        """
            + String.join("\n", lines)
            + "\n");
  }

  /** Parses a file's text. */
  public static ExperimentPlan parse(String text) {
    return ExperimentFile.parse("x.yaml", text, Profiles.shipped());
  }

  /** The same under another seed. */
  static ExperimentPlan withSeed(ExperimentPlan plan, long seed) {
    return new ExperimentPlan(
        plan.name(),
        plan.description(),
        plan.profiles(),
        plan.baseline(),
        plan.dataset(),
        plan.content(),
        plan.workers(),
        plan.ratePerSecond(),
        plan.objects(),
        plan.warmObjects(),
        plan.repetitions(),
        plan.order(),
        seed,
        plan.pageCache(),
        plan.stop(),
        plan.file());
  }
}
