package org.fedometer.experiments.measure;

import java.util.Locale;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.verify.Verification;

/** What came of a load and of its verification, in the words that follow a step. Stateless. */
public final class ResultWords {
  private ResultWords() {}

  /**
   * What was ingested and what failed, in numbers; of a load that was to end before its last
   * object, and did, also by what.
   */
  public static String of(IngestResult result) {
    String objects =
        String.format(
            Locale.ROOT,
            "%,d of %,d objects, %,d failed",
            result.ingested(),
            result.requested(),
            result.failed());
    boolean hasReason = result.ending() == IngestResult.Ending.FINISHED && result.reason() != null;
    if (hasReason) {
      objects += ". " + result.reason();
    }
    if (result.highestCleanRate() != null) {
      objects +=
          String.format(
              Locale.ROOT,
              (hasReason ? "" : ".") + " Highest clean rate: %.4g objects/s.",
              result.highestCleanRate());
    }
    if (result.mix() != null) {
      objects +=
          String.format(
              Locale.ROOT,
              "; %,d of %,d steps of the mix begun, %,d objects purged, %,d other requests failed",
              result.mix().begun(),
              result.mix().steps(),
              result.purged(),
              result.failedOperations());
    }
    return result.additions() + result.failedAdditions() == 0
        ? objects
        : objects
            + String.format(
                Locale.ROOT,
                "; %,d statements added to other objects, %,d not",
                result.additions(),
                result.failedAdditions());
  }

  /** What was looked at, if all is well; else the first problem. */
  public static String of(Verification found) {
    if (!found.ok()) {
      return "not all is as it should be: " + found.problems().get(0);
    }
    String counted =
        found.triplesCounted() == null ? "objects counted" : "objects and triples counted";
    return found.sampledObjects() == 0
        ? counted
        : counted + ", " + found.equalObjects() + " objects read back: all equal";
  }
}
