package org.fedometer.experiments.load;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.PrimitiveIterator;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.journal.IndexRanges;

/**
 * Document of a run with the PIDs of failed objects, one per line, for repair and verification.
 * Immutable.
 *
 * @param text PIDs of the first failed objects, each with its line end
 * @param named number of these
 * @param failed number of all failed objects
 */
public record FailedPids(String text, long named, long failed) {
  /** Path in the run's folder, after a shard's name. */
  public static final String FILE = "failed-pids.txt";

  /** Maximum number of PIDs per driver. */
  public static final int MAX_PIDS = 1_000_000;

  /** Returns the PIDs of failed objects, by their indices; the ranges must not change meanwhile. */
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

  /** Returns the text in UTF-8; empty if none has failed. */
  public byte[] document() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a note on omitted PIDs; empty if complete. */
  public Optional<String> leftOut() {
    return named == failed
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%s names the first %,d of %,d failed objects; a later verification knows"
                    + " only the number of the others.",
                FILE,
                named,
                failed));
  }
}
