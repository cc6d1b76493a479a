package org.fedometer.experiments;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.PidForm;
import org.fedometer.driver.ContentOptions;
import org.fedometer.driver.Ends;
import org.fedometer.driver.FedoraLogin;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.Load;
import org.fedometer.driver.RetryPolicy;
import org.fedometer.driver.Shard;

/**
 * What the user asked of {@code fedometer ingest}.
 *
 * @param target Fedora's address and login
 * @param dataset as on the command line: {@code NAME[:key=value,...]}
 * @param pidNamespace of all PIDs, without the colon
 * @param pidForm what follows the namespace in PIDs
 * @param literalLimitBytes longest literal that the triplestore keeps
 * @param objects how many to ingest; null for all of a dataset that ends, and for {@value
 *     RunOptions#STANDARD_OBJECTS} of one that does not
 * @param workers concurrent requests
 * @param ratePerSecond how many objects are due in a second, or null for a closed loop
 * @param plan steps of the load, and what ends it besides its last object
 * @param shard which part of the objects is this driver's
 * @param maxErrors how many objects may fail
 * @param maxOutage how long Fedora may be out of reach before the ingest ends
 * @param confirmEvery how often Fedora is asked to flush its triples; zero for never
 * @param verification how thorough that of the end is
 * @param name name of the run, or null for one made of time and dataset
 * @param join whether the run of that name is one that exists: an agent's, or, where this driver is
 *     not the first, another shard's
 * @param store the run store, where journals are, too
 * @param collector a collector to send to, or null for one in the background on loopback
 * @param access to that collector
 * @param collectorCommand command line that starts a background collector for {@code store}
 * @param arguments the command line, for whoever goes on with this
 * @param content how objects with their content get into Fedora
 * @param mix what the load is made of besides ingests, or null
 */
public record IngestJobOptions(
    FedoraLogin target,
    String dataset,
    String pidNamespace,
    PidForm pidForm,
    int literalLimitBytes,
    Long objects,
    int workers,
    Double ratePerSecond,
    LoadPlan plan,
    Shard shard,
    long maxErrors,
    Duration maxOutage,
    Duration confirmEvery,
    VerifyChoice verification,
    String name,
    boolean join,
    Path store,
    InetSocketAddress collector,
    CollectorAccess access,
    List<String> collectorCommand,
    List<String> arguments,
    ContentOptions content,
    MixChoice mix) {

  public IngestJobOptions {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(access, "access");
    Objects.requireNonNull(verification, "verification");
    collectorCommand = List.copyOf(collectorCommand);
    arguments = List.copyOf(arguments);
    RunOptions.requireObjects(objects);
    RunOptions.requireWorkers(workers);
    RunOptions.requireName(name);
    if (ratePerSecond != null) {
      RunOptions.load(ratePerSecond);
    }
    if (mix != null && shard.isPart()) {
      throw new IllegalArgumentException(
          "--mix with --shard: the steps of a mix are one order, in which objects are changed and"
              + " purged; have each driver do a mix of its own, in a --namespace of its own");
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

  /** What the driver is to do. */
  IngestOptions ingest(Dataset opened, Ends ends) {
    long numbers =
        mix == null ? RunOptions.objects(objects, plan, opened) : mix.steps(objects, plan);
    return IngestOptions.of(numbers, workers)
        .withLoad(load())
        .withEnds(ends)
        .withShard(shard)
        .withMaxErrors(maxErrors)
        .withRetry(RetryPolicy.standard().withOutageLimit(maxOutage))
        .withMix(mix == null ? null : mix.resolve(opened, numbers));
  }

  private Load load() {
    if (plan.steps() != null) {
      return plan.steps();
    }
    return ratePerSecond == null ? new Load.ClosedLoop() : RunOptions.load(ratePerSecond);
  }

  /** What is asked besides dataset, workers and rate, for the record of the run. */
  Map<String, String> workload() {
    Map<String, String> workload = new LinkedHashMap<>(plan.facts());
    workload.putAll(content.facts());
    if (shard.isPart()) {
      workload.put("shard", shard.toString());
    }
    if (mix == null) {
      workload.put("confirmEverySeconds", Long.toString(confirmEvery.toSeconds()));
    } else {
      workload.putAll(mix.facts());
    }
    return workload;
  }
}
