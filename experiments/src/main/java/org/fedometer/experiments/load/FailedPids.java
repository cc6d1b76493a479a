package org.fedometer.experiments.load;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.PrimitiveIterator;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.journal.IndexRanges;

/**
 * The document of a run that has the PIDs of what could not be ingested, a line each, for whoever
 * repairs or verifies. Immutable; made by the job's one thread.
 *
 * @param text PIDs of the first objects that failed, each with its line end
 * @param named how many these are
 * @param failed how many failed in all
 */
public record FailedPids(String text, long named, long failed) {
  /** Its path below the run's folder; a shard's name stands before it. */
  public static final String FILE = "failed-pids.txt";

  /** More of one driver are not named. */
  public static final int MAX_PIDS = 1_000_000;

  /** The PIDs of failed objects, by their indices; the ranges must not change meanwhile. */
  public static FailedPids of(Dataset dataset, IndexRanges failed, int max) {
    StringBuilder pids = new StringBuilder();
    PrimitiveIterator.OfLong indices = failed.iterator();
    int named = 0;
    while (named < max && indices.hasNext()) {
      pids.append(dataset.object(indices.nextLong()).pid()).append('\n');
      named++;
    }
    return new FailedPids(pids.toString(), named, failed.size());
  }

  /** The text in UTF-8; empty where none has failed. */
  public byte[] document() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What is to be told of those that it has no room for; empty if it has all. */
  public Optional<String> leftOut() {
    return named == failed
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%s names the first %,d of %,d objects that failed: of the others a later"
                    + " verification knows how many they are, and not which.",
                FILE,
                named,
                failed));
  }
}
