package org.fedometer.experiments.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.fedometer.driver.verify.Verifier;

/**
 * Depth of the verification at the end of a job.
 *
 * @param sharedRepository true if other clients may write to the Fedora meanwhile
 */
public record VerifyChoice(Depth depth, int sampledObjects, boolean sharedRepository) {

  /** Default number of compared objects. */
  public static final int STANDARD_SAMPLE = 100;

  public enum Depth {
    /** Counts objects and triples, and compares some objects. */
    SAMPLE,
    /** Compares every object, and looks for orphans. */
    ALL,
    NONE
  }

  public static final VerifyChoice STANDARD =
      new VerifyChoice(Depth.SAMPLE, STANDARD_SAMPLE, false);

  public static final VerifyChoice NONE = new VerifyChoice(Depth.NONE, 0, false);

  public VerifyChoice {
    if (sampledObjects < 0) {
      throw new IllegalArgumentException(
          "a sample of " + sampledObjects + ": give 0 objects or more");
    }
  }

  /**
   * @param name {@code sample}, {@code all} or {@code none}
   * @param sample objects of a sample, or null for {@value #STANDARD_SAMPLE}
   * @throws IllegalArgumentException with a message for the user
   */
  public static VerifyChoice of(String name, Integer sample) {
    Depth depth =
        Arrays.stream(Depth.values())
            .filter(each -> id(each).equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "'" + name + "' is not a depth; give " + String.join(", ", names())));
    if (sample != null && depth != Depth.SAMPLE) {
      throw new IllegalArgumentException("a number of objects is for a sample, not for " + name);
    }
    return new VerifyChoice(
        depth, sample == null ? depth == Depth.SAMPLE ? STANDARD_SAMPLE : 0 : sample, false);
  }

  /** Returns the names that {@link #of} accepts. */
  public static List<String> names() {
    return Arrays.stream(Depth.values()).map(VerifyChoice::id).toList();
  }

  public VerifyChoice withOthers() {
    return new VerifyChoice(depth, sampledObjects, true);
  }

  private static String id(Depth depth) {
    return depth.name().toLowerCase(Locale.ROOT);
  }

  public boolean wanted() {
    return depth != Depth.NONE;
  }

  /**
   * Returns the driver's options, for a Fedora with a triplestore; see also {@link #wanted}.
   *
   * @param seed seed of the sample
   */
  public Verifier.Options options(long seed) {
    Verifier.Options options = Verifier.Options.standard(seed).withSample(sampledObjects);
    if (depth == Depth.ALL) {
      options = options.withEverything();
    }
    return sharedRepository ? options.withOtherWriters() : options;
  }
}
