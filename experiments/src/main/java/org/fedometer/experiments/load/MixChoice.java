package org.fedometer.experiments.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.mix.Mix;
import org.fedometer.driver.mix.MixOptions;

/**
 * The mix of operations that a user asked for.
 *
 * @param seed decides the order of steps, and which objects they are about
 * @param preload objects that are ingested before the first step; null for as many as are needed
 * @param flushEvery after so many writes Fedora is made to write its triples; 0 for never
 */
public record MixChoice(Mix mix, long seed, Long preload, long flushEvery)
    implements OperationsChoice {

  public MixChoice {
    Objects.requireNonNull(mix, "mix");
    requireMix(mix, seed, preload == null ? 0 : preload, flushEvery);
  }

  /** Refused by the driver, in words that name the options, before its dataset is known. */
  private static void requireMix(Mix mix, long seed, long preload, long flushEvery) {
    new MixOptions(mix, seed, preload, flushEvery);
  }

  /**
   * @throws IllegalArgumentException in words for the user, if nobody can know
   */
  long steps(LoadPlan plan) {
    if (plan.objects() == null && plan.ends()) {
      throw new IllegalArgumentException(
          "--mix needs --objects, the maximum number of operations, beside --duration or"
              + " --min-free-disk");
    }
    return plan.objects() == null ? LoadPlan.STANDARD_OBJECTS : plan.objects();
  }

  /** What the record of a run says of a mix besides what was asked for; nothing of other loads. */
  public static Map<String, String> resolvedFacts(IngestOptions load) {
    return load.mix() == null
        ? Map.of()
        : Map.of(
            "steps", Long.toString(load.objects()), "preload", Long.toString(load.mix().preload()));
  }

  /**
   * @throws IllegalArgumentException in words for the user, if no such mix can be made of the
   *     dataset
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
