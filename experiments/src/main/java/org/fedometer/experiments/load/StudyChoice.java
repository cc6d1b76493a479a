package org.fedometer.experiments.load;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.study.ScaleStudy;

/**
 * A scale study that a user asked for.
 *
 * @param upTo objects of the largest size at most
 * @param repetitions how often each operation is timed at each size
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

  /** Refused by the study itself, before a Fedora is brought up for it. */
  private static void requireRepetitions(long upTo, int repetitions) {
    try {
      new ScaleStudy.Options(upTo, repetitions, 1, RetryPolicy.standard(), false);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--repetitions: " + e.getMessage(), e);
    }
  }

  /** Objects of the largest size. */
  public long objects() {
    return ScaleStudy.largestSize(upTo);
  }

  /**
   * The same, of a dataset.
   *
   * @throws IllegalArgumentException in words for the user: it has not so many
   */
  public long objectsOf(Dataset dataset) {
    dataset.requireObjects(0, objects());
    return objects();
  }

  /**
   * The study as the driver takes it, with the standard retries.
   *
   * @param workers that make the collection grow
   * @param triples whether there is a triplestore to be asked
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
