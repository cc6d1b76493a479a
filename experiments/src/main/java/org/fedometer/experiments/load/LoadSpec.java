package org.fedometer.experiments.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.EndConditions;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.content.ContentOptions;

/**
 * The requested load, for any kind of Fedora. Immutable.
 *
 * @param dataset as on the command line: {@code NAME[:key=value,...]}
 * @param operations requested operations besides ingests, or null
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
   * Returns a load with standard content and verification.
   *
   * @param operations null for plain ingests
   */
  public static LoadSpec of(String dataset, LoadPlan plan, OperationsChoice operations) {
    return new LoadSpec(
        dataset, plan, ContentOptions.standard(), operations, VerifyChoice.STANDARD);
  }

  /** Returns whether it can be resumed: ingests only, without steps. */
  public boolean isResumable() {
    return isOfIngests() && plan.steps() == null;
  }

  /** Returns whether each number is an object to ingest: no mix, no study. */
  public boolean isOfIngests() {
    return operations == null || operations instanceof FlushChoice;
  }

  /**
   * Returns the driver's options.
   *
   * @throws IllegalArgumentException with a message for the user, if the dataset has too few
   *     objects, or does not allow the mix
   */
  public IngestOptions ingest(Dataset opened, EndConditions ends) {
    IngestOptions plain =
        IngestOptions.of(numbers(opened), plan.workers())
            .withLoad(plan.load())
            .withEndConditions(ends);
    if (operations instanceof MixChoice mix) {
      return plain.withMix(mix.resolve(opened, plain.objects()));
    }
    return operations instanceof FlushChoice flush
        ? plain.withFlushEvery(flush.flushEvery())
        : plain;
  }

  /** Returns the number of objects, or of steps of a mix. */
  private long numbers(Dataset opened) {
    if (operations instanceof StudyChoice study) {
      return study.objectsOf(opened);
    }
    if (operations instanceof DatastreamsChoice) {
      return 1;
    }
    return operations instanceof MixChoice mix ? mix.steps(plan) : plan.objectsOf(opened);
  }

  /**
   * Returns further driver options for the record of the run, besides dataset, workers and rate.
   */
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>(plan.facts());
    facts.putAll(content.facts());
    if (operations != null) {
      facts.putAll(operations.facts());
    }
    return facts;
  }
}
