package org.fedometer.experiments;

import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.ContentOptions;

/**
 * What somebody is about to send to a Fedora.
 *
 * @param dataset with PIDs and literals as they will be sent
 * @param objects how many are still to be sent; {@link Long#MAX_VALUE} where nobody says, or the
 *     load may end before
 * @param workers requests that may be under way at once
 * @param content how content gets into Fedora
 * @param questions whether workers ask the triplestore, too
 */
public record PlannedLoad(
    Dataset dataset, long objects, int workers, ContentOptions content, boolean questions) {

  public PlannedLoad {
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(content, "content");
  }

  /**
   * As the options of {@code ingest} have it.
   *
   * @param objects as asked by the user, or null
   * @throws IllegalArgumentException if the dataset has not so many, or they cannot get there so
   */
  public static PlannedLoad of(
      Dataset dataset, Long objects, LoadPlan plan, int workers, ContentOptions content) {
    content.requireFor(dataset);
    RunOptions.requireObjects(objects);
    RunOptions.requireWorkers(workers);
    long all = RunOptions.objects(objects, plan, dataset);
    return new PlannedLoad(dataset, plan.ends() ? Long.MAX_VALUE : all, workers, content, false);
  }

  /** Bytes that it puts on Fedora's disk; of one without a last object, those of one object. */
  long expectedBytes() {
    return MainJob.expectedBytes(
        content, dataset.meanObjectBytes(), objects == Long.MAX_VALUE ? 1 : objects);
  }
}
