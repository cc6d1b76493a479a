package org.fedometer.experiments;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.driver.Ends;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.Shard;
import org.fedometer.experiments.collect.CollectorPlace;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.MixChoice;
import org.fedometer.experiments.load.VerifyChoice;

/**
 * What the user asked of {@code fedometer ingest}; made by {@link #builder}.
 *
 * @param dataset as on the command line: {@code NAME[:key=value,...]}
 * @param pidNamespace of all PIDs, without the colon
 * @param literalLimitBytes longest literal that the triplestore keeps
 * @param objects how many to ingest; null for all of a dataset that ends, and for {@value
 *     LoadPlan#STANDARD_OBJECTS} of one that does not
 * @param workers concurrent requests
 * @param ratePerSecond how many objects are due in a second, or null for a closed loop
 * @param plan steps of the load, and what ends it besides its last object
 * @param shard which part of the objects is this driver's
 * @param maxErrors how many objects may fail
 * @param maxOutage how long Fedora may be out of reach before the ingest ends
 * @param confirmEvery how often Fedora is asked to flush its triples; zero for never
 * @param name name of the run, or null for one made of time and dataset
 * @param join whether the run of that name is one that exists: an agent's, or, where this driver is
 *     not the first, another shard's
 * @param collector where the run is sent, and the run store, where journals are, too
 * @param arguments the command line, for whoever goes on with this
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
    CollectorPlace collector,
    List<String> arguments,
    ContentOptions content,
    MixChoice mix)
    implements JobOptions {

  public IngestJobOptions {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(collector, "collector");
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(verification, "verification");
    arguments = List.copyOf(arguments);
    LoadPlan.requireObjects(objects);
    LoadPlan.requireWorkers(workers);
    RunName.require("--name", name);
    LoadPlan.requireRate(ratePerSecond);
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

  /**
   * An ingest of all that there is to ingest, as fast as its workers get it there, by this driver
   * alone, into a Fedora that may be out of reach as long as {@link RetryPolicy#standard} allows.
   */
  public static Builder builder(
      FedoraLogin target, String dataset, int workers, CollectorPlace collector) {
    return new Builder(target, dataset, workers, collector);
  }

  public static final class Builder {
    private final FedoraLogin target;
    private final String dataset;
    private final int workers;
    private final CollectorPlace collector;
    private String pidNamespace = DatasetOptions.STANDARD_NAMESPACE;
    private PidForm pidForm = PidForm.NAMED;
    private int literalLimitBytes = DatasetOptions.UNLIMITED;
    private Long objects;
    private Double ratePerSecond;
    private LoadPlan plan = LoadPlan.PLAIN;
    private Shard shard = Shard.WHOLE;
    private long maxErrors = Long.MAX_VALUE;
    private Duration maxOutage = RetryPolicy.standard().outageLimit();
    private Duration confirmEvery = Duration.ZERO;
    private VerifyChoice verification = VerifyChoice.STANDARD;
    private String name;
    private boolean join;
    private List<String> arguments = List.of();
    private ContentOptions content = ContentOptions.standard();
    private MixChoice mix;

    private Builder(FedoraLogin target, String dataset, int workers, CollectorPlace collector) {
      this.target = target;
      this.dataset = dataset;
      this.workers = workers;
      this.collector = collector;
    }

    public Builder pidNamespace(String namespace) {
      pidNamespace = namespace;
      return this;
    }

    public Builder pidForm(PidForm form) {
      pidForm = form;
      return this;
    }

    public Builder literalLimitBytes(int bytes) {
      literalLimitBytes = bytes;
      return this;
    }

    public Builder objects(Long numberOrNull) {
      objects = numberOrNull;
      return this;
    }

    public Builder ratePerSecond(Double rateOrNull) {
      ratePerSecond = rateOrNull;
      return this;
    }

    public Builder plan(LoadPlan chosen) {
      plan = chosen;
      return this;
    }

    public Builder shard(Shard own) {
      shard = own;
      return this;
    }

    public Builder maxErrors(long objectsThatMayFail) {
      maxErrors = objectsThatMayFail;
      return this;
    }

    public Builder maxOutage(Duration longest) {
      maxOutage = longest;
      return this;
    }

    public Builder confirmEvery(Duration interval) {
      confirmEvery = interval;
      return this;
    }

    public Builder verification(VerifyChoice chosen) {
      verification = chosen;
      return this;
    }

    public Builder name(String nameOrNull) {
      name = nameOrNull;
      return this;
    }

    public Builder join(boolean existing) {
      join = existing;
      return this;
    }

    public Builder arguments(List<String> commandLine) {
      arguments = commandLine;
      return this;
    }

    public Builder content(ContentOptions chosen) {
      content = chosen;
      return this;
    }

    public Builder mix(MixChoice chosenOrNull) {
      mix = chosenOrNull;
      return this;
    }

    /**
     * @throws IllegalArgumentException one sentence: a value that cannot be, or values that do not
     *     go together
     */
    public IngestJobOptions build() {
      return new IngestJobOptions(
          target,
          dataset,
          pidNamespace,
          pidForm,
          literalLimitBytes,
          objects,
          workers,
          ratePerSecond,
          plan,
          shard,
          maxErrors,
          maxOutage,
          confirmEvery,
          verification,
          name,
          join,
          collector,
          arguments,
          content,
          mix);
    }
  }

  IngestOptions ingest(Dataset opened, Ends ends) {
    long numbers = mix == null ? LoadPlan.objects(objects, plan, opened) : mix.steps(objects, plan);
    return IngestOptions.of(numbers, workers)
        .withLoad(plan.load(ratePerSecond))
        .withEnds(ends)
        .withShard(shard)
        .withMaxErrors(maxErrors)
        .withRetry(RetryPolicy.standard().withOutageLimit(maxOutage))
        .withMix(mix == null ? null : mix.resolve(opened, numbers));
  }

  /** A mix changes objects in ways that no journal has: nobody can take it up in its midst. */
  @Override
  public boolean canGoOn() {
    return mix == null;
  }

  @Override
  public Map<String, String> workload() {
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
