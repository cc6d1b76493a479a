package org.fedometer.experiments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.Ends;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.experiments.collect.CollectorPlace;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.load.DatastreamsChoice;
import org.fedometer.experiments.load.Endurance;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.MixChoice;
import org.fedometer.experiments.load.OperationsChoice;
import org.fedometer.experiments.load.StudyChoice;
import org.fedometer.experiments.load.VerifyChoice;
import org.fedometer.experiments.stack.StackTraits;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.Stack;

/**
 * What the user asked of {@code fedometer run}; made by {@link #builder}.
 *
 * @param profile the tuning profile; null of a run that goes on, whose stack is there
 * @param dataset dataset as on the command line: {@code NAME[:key=value,...]}
 * @param objects how many to ingest, at least 1; null for all of a dataset that ends, and for
 *     {@value LoadPlan#STANDARD_OBJECTS} of one that does not, unless the plan ends it
 * @param workers concurrent requests, 1 to {@value IngestOptions#MOST_WORKERS}
 * @param ratePerSecond how many objects are due in a second, or null for a closed loop
 * @param name name of the run, or null for one made of time, profile, dataset and run
 * @param collector where the run is sent, and the run store
 * @param agentOptions for the agent besides collector and names, by name
 * @param telemetryInterval how often the processes of the stack are looked at, or zero for never
 * @param httpPort Fedora's port, or 0 for a free one
 * @param keep keep Fedora's home after a run that went well
 * @param plan steps of the load, and what ends it besides its last object
 * @param operations what was asked for besides ingests, or null
 * @param endurance what it does to outlive the end of its processes
 */
public record RunOptions(
    Profile profile,
    String dataset,
    Long objects,
    int workers,
    Double ratePerSecond,
    String name,
    CollectorPlace collector,
    Path agentJar,
    Map<String, String> agentOptions,
    Duration telemetryInterval,
    int httpPort,
    boolean keep,
    LoadPlan plan,
    ContentOptions content,
    OperationsChoice operations,
    VerifyChoice verification,
    Endurance endurance)
    implements JobOptions {

  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

  public RunOptions {
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(collector, "collector");
    Objects.requireNonNull(agentJar, "agentJar");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(verification, "verification");
    Objects.requireNonNull(endurance, "endurance");
    if (endurance.mostRestarts() > 0 && !canGoOn(plan, operations)) {
      throw new IllegalArgumentException(
          "--most-restarts "
              + endurance.mostRestarts()
              + ": a mix, a study, a ramp or a sweep cannot be taken up in its midst");
    }
    agentOptions = Collections.unmodifiableMap(new LinkedHashMap<>(agentOptions));
    LoadPlan.requireObjects(objects);
    LoadPlan.requireWorkers(workers);
    LoadPlan.requireRate(ratePerSecond);
    RunName.require("--name", name);
    if (!telemetryInterval.isZero()
        && (telemetryInterval.compareTo(SHORTEST_INTERVAL) < 0
            || telemetryInterval.compareTo(LONGEST_INTERVAL) > 0)) {
      throw new IllegalArgumentException(
          "--telemetry "
              + telemetryInterval.toMillis() / 1e3
              + ": give 0.1 to 3600 seconds from reading to reading, or 0 for none");
    }
    if (httpPort < 0 || httpPort > 65535) {
      throw new IllegalArgumentException("--port " + httpPort + ": give 0 to 65535");
    }
  }

  /**
   * A run of plain ingests, of all that there is to ingest, as fast as its workers get them there;
   * without telemetry.
   *
   * @param profileOrNull null of a run that goes on
   */
  public static Builder builder(
      Profile profileOrNull, String dataset, int workers, CollectorPlace collector, Path agentJar) {
    return new Builder(profileOrNull, dataset, workers, collector, agentJar);
  }

  public static final class Builder {
    private final Profile profile;
    private final String dataset;
    private final int workers;
    private final CollectorPlace collector;
    private final Path agentJar;
    private Long objects;
    private Double ratePerSecond;
    private String name;
    private Map<String, String> agentOptions = Map.of();
    private Duration telemetryInterval = Duration.ZERO;
    private int httpPort;
    private boolean keep;
    private LoadPlan plan = LoadPlan.PLAIN;
    private ContentOptions content = ContentOptions.standard();
    private OperationsChoice operations;
    private VerifyChoice verification = VerifyChoice.STANDARD;
    private Endurance endurance = Endurance.NONE;

    private Builder(
        Profile profile, String dataset, int workers, CollectorPlace collector, Path agentJar) {
      this.profile = profile;
      this.dataset = dataset;
      this.workers = workers;
      this.collector = collector;
      this.agentJar = agentJar;
    }

    public Builder objects(Long numberOrNull) {
      objects = numberOrNull;
      return this;
    }

    public Builder ratePerSecond(Double rateOrNull) {
      ratePerSecond = rateOrNull;
      return this;
    }

    public Builder name(String nameOrNull) {
      name = nameOrNull;
      return this;
    }

    public Builder agentOptions(Map<String, String> byName) {
      agentOptions = byName;
      return this;
    }

    public Builder telemetryInterval(Duration interval) {
      telemetryInterval = interval;
      return this;
    }

    public Builder httpPort(int port) {
      httpPort = port;
      return this;
    }

    public Builder keep(boolean home) {
      keep = home;
      return this;
    }

    public Builder plan(LoadPlan chosen) {
      plan = chosen;
      return this;
    }

    public Builder content(ContentOptions chosen) {
      content = chosen;
      return this;
    }

    public Builder operations(OperationsChoice chosenOrNull) {
      operations = chosenOrNull;
      return this;
    }

    public Builder verification(VerifyChoice chosen) {
      verification = chosen;
      return this;
    }

    public Builder endurance(Endurance chosen) {
      endurance = chosen;
      return this;
    }

    /**
     * @throws IllegalArgumentException one sentence: a value that cannot be, or values that do not
     *     go together
     */
    public RunOptions build() {
      return new RunOptions(
          profile,
          dataset,
          objects,
          workers,
          ratePerSecond,
          name,
          collector,
          agentJar,
          agentOptions,
          telemetryInterval,
          httpPort,
          keep,
          plan,
          content,
          operations,
          verification,
          endurance);
    }
  }

  IngestOptions ingest(Dataset opened, StackTraits traits, Ends ends) {
    IngestOptions plain =
        IngestOptions.of(numbers(opened), workers)
            .withLoad(plan.load(ratePerSecond))
            .withEnds(ends)
            .withTriples(traits.triplestore(), canGoOn() ? endurance.confirmEvery() : Duration.ZERO)
            .withRetry(
                endurance.mostRestarts() == 0
                    ? RetryPolicy.standard()
                    : RetryPolicy.standard().withOutageLimit(Stack.LONGEST_BRING_UP));
    return operations instanceof MixChoice mix
        ? plain.withMix(mix.resolve(opened, plain.objects()))
        : plain;
  }

  /** Objects, or steps of a mix. */
  private long numbers(Dataset opened) {
    if (operations instanceof StudyChoice study) {
      return study.objectsOf(opened);
    }
    if (operations instanceof DatastreamsChoice) {
      return 1;
    }
    return operations instanceof MixChoice mix
        ? mix.steps(objects, plan)
        : LoadPlan.objects(objects, plan, opened);
  }

  /**
   * Whether the run can be taken up in its midst: it is of ingests alone, all the way alike, and
   * somebody may want to.
   */
  @Override
  public boolean canGoOn() {
    return !endurance.equals(Endurance.NONE) && canGoOn(plan, operations);
  }

  private static boolean canGoOn(LoadPlan plan, OperationsChoice operations) {
    return operations == null && plan.steps() == null;
  }

  @Override
  public List<String> arguments() {
    return endurance.arguments();
  }

  @Override
  public Map<String, String> workload() {
    Map<String, String> workload = new LinkedHashMap<>(plan.facts());
    workload.putAll(content.facts());
    if (canGoOn()) {
      workload.put("confirmEverySeconds", Long.toString(endurance.confirmEvery().toSeconds()));
    }
    if (operations != null) {
      workload.putAll(operations.facts());
    }
    return workload;
  }
}
