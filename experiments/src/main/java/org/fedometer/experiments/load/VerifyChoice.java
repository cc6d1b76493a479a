package org.fedometer.experiments.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.fedometer.driver.verify.Verifier;

/**
 * How thorough the verification at the end of a job is.
 *
 * @param sharedRepository whether others may write to the Fedora meanwhile
 */
public record VerifyChoice(Depth depth, int sampledObjects, boolean sharedRepository) {

  /** So many objects are compared where the user does not say. */
  public static final int STANDARD_SAMPLE = 100;

  public enum Depth {
    /** Objects and triples are counted, and some objects compared. */
    SAMPLE,
    /** Every object is compared, and it is looked for what is no object's. */
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
   * @throws IllegalArgumentException in words for the user
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

  /** What {@link #of} takes. */
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
   * The verification as the driver takes it, of a Fedora with a triplestore. Whether there is to be
   * one at all says {@link #wanted}.
   *
   * @param seed decides which objects are the sample
   */
  public Verifier.Options options(long seed) {
    Verifier.Options options = Verifier.Options.standard(seed).withSample(sampledObjects);
    if (depth == Depth.ALL) {
      options = options.withEverything();
    }
    return sharedRepository ? options.withOtherWriters() : options;
  }
}
