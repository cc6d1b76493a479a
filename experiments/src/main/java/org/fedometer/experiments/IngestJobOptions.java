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
 * Options of {@code fedometer ingest}.
 *
 * @param pids PIDs and literal limits of the dataset
 * @param load plain ingests or a mix
 * @param shard this driver's part of the objects
 * @param maxErrors number of objects that may fail
 * @param maxOutage how long Fedora may be out of reach before the ingest ends
 * @param confirmEvery interval of flushes of Fedora's triples; zero for never
 * @param name name of the run, or null for one from time and dataset
 * @param join true if the run of that name exists: an agent's or, unless this driver is the first,
 *     another shard's
 * @param collector target of the run, and the run store with the journals
 * @param arguments the command line, for a resume
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
   * @throws IllegalArgumentException with a one-sentence message, if a value is invalid or values
   *     conflict
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
    if (!load.isOfIngests() && shard.isPart()) {
      throw new IllegalArgumentException(
          "--mix cannot be combined with --shard, as steps of a mix depend on earlier ones; give"
              + " each driver its own mix and --namespace");
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

  /**
   * Returns the store's disk if Fedora is on this host, assuming that Fedora uses the same; else
   * null.
   */
  Path disk() {
    return ThisHost.isResolvedFrom(target.url()) ? store() : null;
  }

  IngestOptions ingest(Dataset opened) {
    return load.ingest(opened, load.plan().driverEnds(disk()))
        .withShard(shard)
        .withMaxErrors(maxErrors)
        .withRetry(RetryPolicy.standard().withOutageLimit(maxOutage));
  }

  /** Returns false for a mix: no journal records its changes of objects. */
  @Override
  public boolean isResumable() {
    return load.isOfIngests();
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
