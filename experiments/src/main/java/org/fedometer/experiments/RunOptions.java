package org.fedometer.experiments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.load.Endurance;
import org.fedometer.experiments.load.LoadSpec;
import org.fedometer.experiments.stack.StackTraits;
import org.fedometer.experiments.telemetry.TelemetryInterval;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.Stack;

/**
 * Options of {@code fedometer run}.
 *
 * @param profile the tuning profile; null for a resumed run, whose stack exists
 * @param name name of the run, or null for one from time, profile, dataset and run
 * @param collector target of the run, and the run store
 * @param agentOptions further options of the agent by name, besides collector and names
 * @param telemetryInterval interval of readings of the stack's processes, or zero for none
 * @param httpPort Fedora's port, or 0 for a free one
 * @param keep true to keep Fedora's home after a successful run
 * @param endurance recovery from the end of its processes
 */
public record RunOptions(
    Profile profile,
    LoadSpec load,
    String name,
    CollectorTarget collector,
    Path agentJar,
    Map<String, String> agentOptions,
    Duration telemetryInterval,
    int httpPort,
    boolean keep,
    Endurance endurance)
    implements JobOptions {

  /**
   * @throws IllegalArgumentException with a one-sentence message, if a value is invalid or values
   *     conflict
   */
  public RunOptions {
    Objects.requireNonNull(load, "load");
    Objects.requireNonNull(collector, "collector");
    Objects.requireNonNull(agentJar, "agentJar");
    Objects.requireNonNull(endurance, "endurance");
    if (endurance.maxRestarts() > 0 && !load.isResumable()) {
      throw new IllegalArgumentException(
          "--max-restarts "
              + endurance.maxRestarts()
              + ": leave it out, as a mix, study, ramp or sweep cannot be resumed");
    }
    agentOptions = Collections.unmodifiableMap(new LinkedHashMap<>(agentOptions));
    RunName.require("--name", name);
    TelemetryInterval.require(telemetryInterval);
    if (httpPort < 0 || httpPort > 65535) {
      throw new IllegalArgumentException("--port " + httpPort + ": give 0 to 65535");
    }
  }

  IngestOptions ingest(Dataset opened, StackTraits traits) {
    RetryPolicy retry = RetryPolicy.standard();
    return load.ingest(opened, load.plan().driverEnds(store()))
        .withTriples(traits.triplestore(), isResumable() ? endurance.confirmEvery() : Duration.ZERO)
        .withRetry(
            endurance.maxRestarts() == 0 ? retry : retry.withOutageLimit(Stack.BRING_UP_TIMEOUT));
  }

  @Override
  public List<String> arguments() {
    return endurance.arguments();
  }

  /** Returns whether the load can be resumed, and a resume is possible. */
  @Override
  public boolean isResumable() {
    return !endurance.equals(Endurance.NONE) && load.isResumable();
  }

  @Override
  public Map<String, String> workload() {
    Map<String, String> workload = load.facts();
    if (isResumable()) {
      workload.put("confirmEverySeconds", Long.toString(endurance.confirmEvery().toSeconds()));
    }
    return workload;
  }
}
