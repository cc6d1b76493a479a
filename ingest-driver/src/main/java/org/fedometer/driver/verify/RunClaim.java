package org.fedometer.driver.verify;

import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.mix.MixResult;

/**
 * Expected state of a run in Fedora, by the run's record.
 *
 * @param endIndex index after the last object that was begun
 * @param notIngested indices of objects known to have failed
 * @param open number of other objects that may be missing: failed or under way at the end, but
 *     unknown which
 * @param allAdded true if all statements were added that objects add to others
 * @param mix result of the steps of a mix, or null
 * @param contentElsewhere true if content was on the driver's server, which has ended
 * @param triplesInAll triples of the whole triplestore at the end of the run; null if unknown
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

  /** Limit of the int positions that number objects in memory. */
  static final long MAX_OBJECTS = Integer.MAX_VALUE - 8L;

  public RunClaim {
    Objects.requireNonNull(dataset, "dataset");
    notIngested = notIngested.copy();
    if (endIndex < firstIndex || endIndex - firstIndex > MAX_OBJECTS) {
      throw new IllegalArgumentException(
          "objects from " + firstIndex + " to " + endIndex + " cannot be checked at once");
    }
  }

  /** Returns the claim of an ingest of this process. */
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
   * Returns the indices of PIDs, without those of no object before {@code endIndex}.
   *
   * @param pids at most about a million
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

  /** Returns the number of expected objects, including those that a mix has purged. */
  long objects() {
    return endIndex - firstIndex - notIngested.size() - open;
  }

  /** Returns whether the object is the run's and not known to have failed. */
  boolean has(long index) {
    return index >= firstIndex && index < endIndex && !notIngested.contains(index);
  }

  /** Returns the object's position within the run, from 0; for the end index, their number. */
  int place(long index) {
    return (int) (index - firstIndex);
  }

  /** Returns whether the object's state is known: no addition by others may be missing. */
  boolean isKnown(long index) {
    return allAdded || index >= dataset.leadingObjects();
  }
}
