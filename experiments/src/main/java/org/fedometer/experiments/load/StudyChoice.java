package org.fedometer.experiments.load;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.study.ScaleStudy;

/**
 * A requested scale study.
 *
 * @param upTo maximum size in objects
 * @param repetitions timings of each operation at each size
 */
public record StudyChoice(long upTo, int repetitions) implements OperationsChoice {

  public StudyChoice {
    if (upTo < ScaleStudy.FIRST_SIZE) {
      throw new IllegalArgumentException(
          "--max-objects "
              + upTo
              + ": a study goes up to "
              + ScaleStudy.FIRST_SIZE
              + " objects or more");
    }
    requireRepetitions(upTo, repetitions);
  }

  /** Validates by the study itself, before Fedora is started. */
  private static void requireRepetitions(long upTo, int repetitions) {
    try {
      new ScaleStudy.Options(upTo, repetitions, 1, RetryPolicy.standard(), false);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--repetitions: " + e.getMessage(), e);
    }
  }

  /** Returns the objects of the largest size. */
  public long objects() {
    return ScaleStudy.largestSize(upTo);
  }

  /**
   * Returns the same, and validates it for a dataset.
   *
   * @throws IllegalArgumentException with a message for the user, if the dataset has too few
   *     objects
   */
  public long objectsOf(Dataset dataset) {
    dataset.requireObjects(0, objects());
    return objects();
  }

  /**
   * Returns the driver's options of the study, with the standard retries.
   *
   * @param workers workers of the ingests
   * @param triples true if there is a triplestore
   */
  public ScaleStudy.Options options(int workers, boolean triples) {
    return new ScaleStudy.Options(upTo, repetitions, workers, RetryPolicy.standard(), triples);
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(STUDY, "scale");
    facts.put("largestSize", Long.toString(objects()));
    facts.put("repetitions", Integer.toString(repetitions));
    return facts;
  }
}
