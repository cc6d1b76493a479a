package org.fedometer.experiments.series;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.fedometer.experiments.collect.CollectorTarget;

/**
 * What the user asked of {@code fedometer experiment} besides the file, as {@code RunOptions} has
 * it for each run.
 *
 * @param collector where runs are sent, and the run store
 * @param telemetryInterval how often the processes of a stack are looked at, or zero for never
 * @param resume go on with an experiment that has runs in the store
 * @param preflight whether it is looked at first if each run, and all of them, will go well
 */
public record ExperimentOptions(
    CollectorTarget collector,
    Path agentJar,
    Duration telemetryInterval,
    boolean resume,
    boolean preflight) {

  public ExperimentOptions {
    Objects.requireNonNull(collector, "collector");
    Objects.requireNonNull(agentJar, "agentJar");
  }

  Path store() {
    return collector.store();
  }
}
