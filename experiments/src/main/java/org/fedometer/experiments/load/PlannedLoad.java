package org.fedometer.experiments.load;

import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.content.ContentOptions;

/**
 * A load that is about to be sent to a Fedora.
 *
 * @param dataset with PIDs and literals as they will be sent
 * @param objects number still to be sent; {@link Long#MAX_VALUE} if unknown, or the load may end
 *     earlier
 * @param workers maximum number of concurrent requests
 * @param asksTriplestore true if workers also query the triplestore
 */
public record PlannedLoad(
    Dataset dataset, long objects, int workers, ContentOptions content, boolean asksTriplestore) {

  /**
   * Bytes on disk per object without content: FOXML, registry, field index, some 50 triples and
   * their indexes, and the databases' write-ahead logs. Measured: see docs/workloads.md.
   */
  private static final double BYTES_BESIDE_CONTENT = 40_000;

  /** Bytes on disk per byte of content: managed files, FOXML, triples, indexes, Parquet. */
  private static final double DISK_FACTOR = 1.5;

  /** Uploads that Fedora keeps for five minutes, at 50 MB a second. */
  private static final long MAX_WAITING_BYTES = 15_000_000_000L;

  public PlannedLoad {
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(content, "content");
  }

  /**
   * Returns a load by the options of {@code ingest}.
   *
   * @throws IllegalArgumentException if the dataset has too few objects, or does not allow the
   *     delivery
   */
  public static PlannedLoad of(Dataset dataset, LoadPlan plan, ContentOptions content) {
    content.requireFor(dataset);
    long all = plan.objectsOf(dataset);
    return new PlannedLoad(
        dataset, plan.ends() ? Long.MAX_VALUE : all, plan.workers(), content, false);
  }

  /** Returns the bytes on Fedora's disk; for a load without a last object, those of one object. */
  public long expectedBytes() {
    return expectedBytes(
        content, dataset.meanObjectBytes(), objects == Long.MAX_VALUE ? 1 : objects);
  }

  /** Returns the bytes of some objects on the disk of Fedora's home. */
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
