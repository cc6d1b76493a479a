package org.fedometer.experiments.measure;

import java.io.IOException;
import java.util.Locale;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestProgress;
import org.fedometer.driver.study.ScaleStudy;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.Step;
import org.fedometer.wire.Counted;

/** Shows the progress of a scale study, and marks each size in the run. */
final class ScaleProgress implements ScaleStudy.Sizes {
  private final JobListener listener;
  private final RunShipment shipment;
  private final long maxObjects;
  private volatile long size;
  private volatile IngestDriver growing;

  /**
   * @param maxObjects objects of the last size
   */
  ScaleProgress(JobListener listener, RunShipment shipment, long maxObjects) {
    this.listener = listener;
    this.shipment = shipment;
    this.maxObjects = maxObjects;
  }

  @Override
  public void growing(long objects, IngestDriver driver) {
    size = objects;
    growing = driver;
  }

  @Override
  public void timing(long objects) {
    growing = null;
    try {
      shipment.mark("scale-" + objects, System.nanoTime());
    } catch (IOException e) {
      listener.note("The size of " + objects + " objects could not be recorded: " + Reason.of(e));
    }
  }

  /** Called by the ticker. */
  void show() {
    IngestDriver driver = growing;
    if (driver == null) {
      listener.progress(
          Step.INGEST,
          (double) size / maxObjects,
          String.format(Locale.ROOT, "%,d of %,d objects, operations are timed", size, maxObjects));
      return;
    }
    IngestProgress now = driver.progress();
    listener.progress(
        Step.INGEST,
        (double) (size - now.objects().total() + now.objects().done()) / maxObjects,
        String.format(
            Locale.ROOT,
            "growing to %,d of %,d objects: %,d/%,d, %.0f/s, %s",
            size,
            maxObjects,
            now.objects().done(),
            now.objects().total(),
            now.rates().recentObjectsPerSecond(),
            Counted.of(now.failedRequests(), "error")));
  }
}
