package org.fedometer.experiments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.Shard;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.host.ThisHost;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.load.LoadSpec;

/**
 * What the user asked of {@code fedometer ingest}.
 *
 * @param pids and longest literals, as that Fedora wants them
 * @param load plain ingests or a mix
 * @param shard which part of the objects is this driver's
 * @param maxErrors how many objects may fail
 * @param maxOutage how long Fedora may be out of reach before the ingest ends
 * @param confirmEvery how often Fedora is asked to flush its triples; zero for never
 * @param name name of the run, or null for one made of time and dataset
 * @param join whether the run of that name is one that exists: an agent's, or, where this driver is
 *     not the first, another shard's
 * @param collector where the run is sent, and the run store, where journals are, too
 * @param arguments the command line, for whoever goes on with this
 */
public record IngestJobOptions(
    FedoraLogin target,
    DatasetOptions pids,
    LoadSpec load,
    Shard shard,
    long maxErrors,
    Duration maxOutage,
    Duration confirmEvery,
    String name,
    boolean join,
    CollectorTarget collector,
    List<String> arguments)
    implements JobOptions {

  /**
   * @throws IllegalArgumentException one sentence: a value that cannot be, or values that do not go
   *     together
   */
  public IngestJobOptions {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(pids, "pids");
    Objects.requireNonNull(load, "load");
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(maxOutage, "maxOutage");
    Objects.requireNonNull(confirmEvery, "confirmEvery");
    Objects.requireNonNull(collector, "collector");
    arguments = List.copyOf(arguments);
    RunName.require("--name", name);
    if (load.operations() != null && shard.isPart()) {
      throw new IllegalArgumentException(
          "--mix with --shard: the steps of a mix are one order, in which objects are changed and"
              + " purged; give each driver its own mix and its own --namespace");
    }
    if ((join || shard.isPart()) && name == null) {
      throw new IllegalArgumentException(
          (shard.isPart() ? "--shard" : "--join")
              + " needs --name NAME: the run that this driver is a part of");
    }
    if (maxErrors < 0) {
      throw new IllegalArgumentException("--max-errors " + maxErrors + ": give 0 or more");
    }
  }

  /** Fedora's disk can only be seen on this host, and is taken for that of the store; else null. */
  Path disk() {
    return ThisHost.isResolvedFrom(target.url()) ? store() : null;
  }

  IngestOptions ingest(Dataset opened) {
    return load.ingest(opened, load.plan().driverEnds(disk()))
        .withShard(shard)
        .withMaxErrors(maxErrors)
        .withRetry(RetryPolicy.standard().withOutageLimit(maxOutage));
  }

  /** A mix changes objects in ways that no journal has: nobody can take it up in its midst. */
  @Override
  public boolean isResumable() {
    return load.operations() == null;
  }

  @Override
  public Map<String, String> workload() {
    Map<String, String> workload = load.facts();
    if (shard.isPart()) {
      workload.put("shard", shard.toString());
    }
    if (isResumable()) {
      workload.put("confirmEverySeconds", Long.toString(confirmEvery.toSeconds()));
    }
    return workload;
  }
}
