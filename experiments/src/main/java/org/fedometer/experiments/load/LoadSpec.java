package org.fedometer.experiments.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.EndConditions;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.content.ContentOptions;

/**
 * What the user asked to have loaded and how, whosever the Fedora is. Immutable.
 *
 * @param dataset as on the command line: {@code NAME[:key=value,...]}
 * @param operations what was asked for besides ingests, or null
 */
public record LoadSpec(
    String dataset,
    LoadPlan plan,
    ContentOptions content,
    OperationsChoice operations,
    VerifyChoice verification) {

  public LoadSpec {
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(verification, "verification");
  }

  /**
   * With content as usual, and verified as usual.
   *
   * @param operations null for plain ingests
   */
  public static LoadSpec of(String dataset, LoadPlan plan, OperationsChoice operations) {
    return new LoadSpec(
        dataset, plan, ContentOptions.standard(), operations, VerifyChoice.STANDARD);
  }

  /** Whether it is of ingests alone, all the way alike: it can be taken up in its midst. */
  public boolean isResumable() {
    return operations == null && plan.steps() == null;
  }

  /**
   * As the driver takes it.
   *
   * @throws IllegalArgumentException in words for the user: the dataset has not so many objects, or
   *     no such mix can be made of it
   */
  public IngestOptions ingest(Dataset opened, EndConditions ends) {
    IngestOptions plain =
        IngestOptions.of(numbers(opened), plan.workers())
            .withLoad(plan.load())
            .withEndConditions(ends);
    return operations instanceof MixChoice mix
        ? plain.withMix(mix.resolve(opened, plain.objects()))
        : plain;
  }

  /** Objects, or steps of a mix. */
  private long numbers(Dataset opened) {
    if (operations instanceof StudyChoice study) {
      return study.objectsOf(opened);
    }
    if (operations instanceof DatastreamsChoice) {
      return 1;
    }
    return operations instanceof MixChoice mix ? mix.steps(plan) : plan.objectsOf(opened);
  }

  /** What is asked of the driver besides dataset, workers and rate, for the record of the run. */
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>(plan.facts());
    facts.putAll(content.facts());
    if (operations != null) {
      facts.putAll(operations.facts());
    }
    return facts;
  }
}
