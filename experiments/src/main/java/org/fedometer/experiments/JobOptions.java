package org.fedometer.experiments;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.driver.request.Shard;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.load.LoadSpec;

/** What the user asked of a load, wherever its Fedora is from; the records say what each is. */
sealed interface JobOptions permits RunOptions, IngestJobOptions {
  CollectorTarget collector();

  default Path store() {
    return collector().store();
  }

  String name();

  /** Whether the run of that name is one that exists. */
  default boolean join() {
    return false;
  }

  default Shard shard() {
    return Shard.WHOLE;
  }

  LoadSpec load();

  /** The command line, for whoever goes on with the load. */
  List<String> arguments();

  /** Whether the load can be taken up in its midst. */
  boolean isResumable();

  /** What the driver is asked for besides dataset, workers and rate, for the record of the run. */
  Map<String, String> workload();
}
