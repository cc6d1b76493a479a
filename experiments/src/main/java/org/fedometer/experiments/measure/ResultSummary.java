package org.fedometer.experiments.measure;

import java.util.Locale;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.verify.Verification;
import org.fedometer.wire.Counted;

/** Formats the result of a load or verification to follow a step. Stateless. */
public final class ResultSummary {
  private ResultSummary() {}

  /**
   * Returns the numbers of ingested and failed objects, and the reason of an intended early end.
   */
  public static String of(IngestResult result) {
    String objects =
        String.format(
            Locale.ROOT,
            "%,d of %s, %,d failed",
            result.count(Count.INGESTED),
            Counted.of(result.count(Count.REQUESTED), "object"),
            result.count(Count.FAILED));
    boolean hasReason =
        result.endStatus() == IngestResult.EndStatus.FINISHED && result.reason() != null;
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
              "; %,d of %s of the mix begun, %s purged, %s failed",
              result.mix().begun(),
              Counted.of(result.mix().steps(), "step"),
              Counted.of(result.purged(), "object"),
              Counted.of(result.failedOperations(), "other request"));
    }
    return result.count(Count.ADDITIONS) + result.count(Count.FAILED_ADDITIONS) == 0
        ? objects
        : objects
            + String.format(
                Locale.ROOT,
                "; %s added to other objects, %,d failed",
                Counted.of(result.count(Count.ADDITIONS), "statement"),
                result.count(Count.FAILED_ADDITIONS));
  }

  /** Returns the extent of a successful verification; else the first problem. */
  public static String of(Verification found) {
    if (!found.ok()) {
      return "problem: " + found.problems().get(0);
    }
    String counted =
        found.triplesCounted() == null ? "objects counted" : "objects and triples counted";
    return found.sampledObjects() == 0
        ? counted
        : counted + ", " + Counted.of(found.equalObjects(), "object") + " read back: all equal";
  }
}
