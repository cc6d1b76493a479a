package org.fedometer.experiments;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.driver.request.Shard;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.load.LoadSpec;

/** Options of a load, common to all kinds of Fedora; the records document them. */
sealed interface JobOptions permits RunOptions, IngestJobOptions {
  CollectorTarget collector();

  default Path store() {
    return collector().store();
  }

  String name();

  /** Returns whether the named run exists already. */
  default boolean join() {
    return false;
  }

  default Shard shard() {
    return Shard.WHOLE;
  }

  LoadSpec load();

  /** Returns the command line, for a resume. */
  List<String> arguments();

  /** Returns whether the load can be resumed. */
  boolean isResumable();

  /**
   * Returns further driver options for the record of the run, besides dataset, workers and rate.
   */
  Map<String, String> workload();
}
