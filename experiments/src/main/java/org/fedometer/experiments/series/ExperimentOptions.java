package org.fedometer.experiments.series;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.fedometer.experiments.collect.CollectorTarget;

/**
 * Options of {@code fedometer experiment} besides the file, like {@code RunOptions} for each run.
 *
 * @param collector target of the runs, and the run store
 * @param telemetryInterval interval of readings of a stack's processes, or zero for none
 * @param resume true to continue an experiment that has runs in the store
 * @param preflight true to check for foreseeable problems first
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
