package org.fedometer.experiments.load;

import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.content.ContentOptions;

/**
 * What somebody is about to send to a Fedora.
 *
 * @param dataset with PIDs and literals as they will be sent
 * @param objects how many are still to be sent; {@link Long#MAX_VALUE} where nobody says, or the
 *     load may end before
 * @param workers requests that may be under way at once
 * @param asksTriplestore whether workers ask the triplestore, too
 */
public record PlannedLoad(
    Dataset dataset, long objects, int workers, ContentOptions content, boolean asksTriplestore) {

  /**
   * Bytes on disk for an object whatever its content: FOXML, registry, field index, some 50 triples
   * and their indexes, and the write-ahead logs of their databases. Measured: see
   * docs/workloads.md.
   */
  private static final double BYTES_BESIDE_CONTENT = 40_000;

  /** Bytes on disk for a byte of content: managed files, FOXML, triples, indexes, Parquet. */
  private static final double DISK_FACTOR = 1.5;

  /** What Fedora keeps for five minutes after it was uploaded, at 50 MB a second. */
  private static final long MAX_WAITING_BYTES = 15_000_000_000L;

  public PlannedLoad {
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(content, "content");
  }

  /**
   * As the options of {@code ingest} have it.
   *
   * @throws IllegalArgumentException if the dataset has not so many, or they cannot get there so
   */
  public static PlannedLoad of(Dataset dataset, LoadPlan plan, ContentOptions content) {
    content.requireFor(dataset);
    long all = plan.objectsOf(dataset);
    return new PlannedLoad(
        dataset, plan.ends() ? Long.MAX_VALUE : all, plan.workers(), content, false);
  }

  /** Bytes that it puts on Fedora's disk; of one without a last object, those of one object. */
  public long expectedBytes() {
    return expectedBytes(
        content, dataset.meanObjectBytes(), objects == Long.MAX_VALUE ? 1 : objects);
  }

  /** What so many objects put on the disk of Fedora's home. */
  public static long expectedBytes(ContentOptions content, long meanObjectBytes, double objects) {
    double besideBytes = BYTES_BESIDE_CONTENT * objects;
    if (content.path().stays()) {
      return (long) Math.min(1e18, besideBytes);
    }
    double contentBytes = meanObjectBytes * objects;
    double waiting = content.takesUploads() ? Math.min(contentBytes, MAX_WAITING_BYTES) : 0;
    return (long) Math.min(1e18, DISK_FACTOR * contentBytes + waiting + besideBytes);
  }
}
