package org.fedometer.experiments;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What the user asked of {@code fedometer experiment} besides the file, as {@link RunOptions} has
 * it for each run.
 *
 * @param store the run store
 * @param collector a collector to send to, or null for one in the background on loopback
 * @param access to that collector
 * @param collectorCommand command line that starts a background collector for {@code store}
 * @param agentJar the agent for Fedora's JVM
 * @param telemetryInterval how often the processes of a stack are looked at, or zero for never
 * @param resume go on with an experiment that has runs in the store
 * @param preflight whether it is looked at first if each run, and all of them, will go well
 */
public record ExperimentOptions(
    Path store,
    InetSocketAddress collector,
    CollectorAccess access,
    List<String> collectorCommand,
    Path agentJar,
    Duration telemetryInterval,
    boolean resume,
    boolean preflight) {

  public ExperimentOptions {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(access, "access");
    Objects.requireNonNull(agentJar, "agentJar");
    collectorCommand = List.copyOf(collectorCommand);
  }
}
