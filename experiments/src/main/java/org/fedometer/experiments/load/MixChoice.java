package org.fedometer.experiments.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.mix.Mix;
import org.fedometer.driver.mix.MixOptions;

/**
 * A requested mix of operations.
 *
 * @param seed seed of the order of steps and their objects
 * @param preload objects ingested before the first step; null for the minimum
 * @param flushEvery number of writes after which Fedora flushes its triples; 0 for never
 */
public record MixChoice(Mix mix, long seed, Long preload, long flushEvery)
    implements OperationsChoice {

  public MixChoice {
    Objects.requireNonNull(mix, "mix");
    requireMix(mix, seed, preload == null ? 0 : preload, flushEvery);
  }

  /** Validates the options by the driver, before the dataset is known. */
  private static void requireMix(Mix mix, long seed, long preload, long flushEvery) {
    new MixOptions(mix, seed, preload, flushEvery);
  }

  /**
   * @throws IllegalArgumentException with a message for the user, if the number is unknown
   */
  long steps(LoadPlan plan) {
    if (plan.objects() == null && plan.ends()) {
      throw new IllegalArgumentException(
          "--mix needs --objects, also with --duration or --min-free-disk");
    }
    return plan.objects() == null ? LoadPlan.STANDARD_OBJECTS : plan.objects();
  }

  /** Returns facts of a resolved mix for the record of a run; empty for other loads. */
  public static Map<String, String> resolvedFacts(IngestOptions load) {
    return load.mix() == null
        ? Map.of()
        : Map.of(
            "steps", Long.toString(load.objects()), "preload", Long.toString(load.mix().preload()));
  }

  /**
   * @throws IllegalArgumentException with a message for the user, if the dataset does not allow the
   *     mix
   */
  public MixOptions resolve(Dataset dataset, long steps) {
    return MixOptions.of(mix, seed, preload, flushEvery, dataset.leadingObjects(), steps);
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("mix", mix.toString());
    facts.put("mixSeed", Long.toString(seed));
    if (preload != null) {
      facts.put("preload", preload.toString());
    }
    if (flushEvery > 0) {
      facts.put("flushEvery", Long.toString(flushEvery));
    }
    return facts;
  }
}
