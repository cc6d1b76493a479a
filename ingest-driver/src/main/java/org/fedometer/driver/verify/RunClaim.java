package org.fedometer.driver.verify;

import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.mix.MixResult;

/**
 * What Fedora should hold of a run, by that run's record.
 *
 * @param endIndex index after the last object that was begun
 * @param notIngested indices of those that are known to have failed
 * @param open how many others may not be there: they failed, or were under way when the run ended,
 *     and it is not known which
 * @param allAdded whether all statements were added that objects add to others
 * @param mix what came of the steps of a mix, or null
 * @param contentElsewhere whether content was at the driver's server, which has ended
 * @param triplesInAll in the whole triplestore when the run ended; null if that is not known
 */
public record RunClaim(
    Dataset dataset,
    long firstIndex,
    long endIndex,
    IndexRanges notIngested,
    long open,
    boolean allAdded,
    MixResult mix,
    boolean contentElsewhere,
    Long triplesInAll) {

  /** What is kept in memory of each object is numbered by integers. */
  static final long MAX_OBJECTS = Integer.MAX_VALUE - 8L;

  public RunClaim {
    Objects.requireNonNull(dataset, "dataset");
    notIngested = notIngested.copy();
    if (endIndex < firstIndex || endIndex - firstIndex > MAX_OBJECTS) {
      throw new IllegalArgumentException(
          "objects from " + firstIndex + " to " + endIndex + " cannot be checked at once");
    }
  }

  /** All of an ingest that this process has conducted. */
  static RunClaim of(Dataset dataset, IngestResult ingest, boolean contentElsewhere) {
    IndexRanges failed = new IndexRanges();
    ingest.failures().notIngested().forEach(failed::add);
    long unknown = ingest.count(Count.FAILED) + ingest.count(Count.ABANDONED) - failed.size();
    return new RunClaim(
        dataset,
        ingest.firstIndex(),
        ingest.endIndex(),
        failed,
        Math.max(0, unknown),
        failed.isEmpty() && unknown <= 0 && ingest.count(Count.FAILED_ADDITIONS) == 0,
        ingest.mix(),
        contentElsewhere,
        null);
  }

  /**
   * Numbers of objects by their PIDs; those of no object before {@code endIndex} are left out.
   *
   * @param pids at most a million or so
   */
  public static IndexRanges indicesOf(Dataset dataset, long endIndex, Iterable<String> pids) {
    PidNumbers numbers = new PidNumbers(dataset, endIndex);
    IndexRanges indices = new IndexRanges();
    for (String pid : pids) {
      long index = numbers.indexOf(pid);
      if (index >= 0 && index < endIndex) {
        indices.add(index);
      }
    }
    return indices;
  }

  /** Objects that should be there, those of a mix that were purged among them. */
  long objects() {
    return endIndex - firstIndex - notIngested.size() - open;
  }

  /** Whether the object is the run's, and is not known to have failed. */
  boolean has(long index) {
    return index >= firstIndex && index < endIndex && !notIngested.contains(index);
  }

  /** Where the object is among those of the run, from 0; that of the end is their number. */
  int place(long index) {
    return (int) (index - firstIndex);
  }

  /** Whether it is known what the object is like: nothing that others add to it may be missing. */
  boolean isKnown(long index) {
    return allAdded || index >= dataset.leadingObjects();
  }
}
