package org.fedometer.experiments;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.ContentOptions;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.Load;
import org.fedometer.profiles.Profile;
import org.fedometer.store.RunFolder;

/**
 * What the user asked of {@code fedometer run}.
 *
 * @param profile the tuning profile; null of a run that goes on, whose stack is there
 * @param dataset dataset as on the command line: {@code NAME[:key=value,...]}
 * @param objects how many to ingest, at least 1; null for all of a dataset that ends, and for
 *     {@value #STANDARD_OBJECTS} of one that does not, unless the plan ends it
 * @param workers concurrent requests, 1 to {@value IngestOptions#MOST_WORKERS}
 * @param ratePerSecond how many objects are due in a second, or null for a closed loop
 * @param name name of the run, or null for one made of time, profile, dataset and run
 * @param store the run store
 * @param collector a collector to send to, or null for one in the background on loopback
 * @param access to that collector
 * @param collectorCommand command line that starts a background collector for {@code store}
 * @param agentJar the agent for Fedora's JVM
 * @param agentOptions for the agent besides collector and names, by name
 * @param telemetryInterval how often the processes of the stack are looked at, or zero for never
 * @param httpPort Fedora's port, or 0 for a free one
 * @param keep keep Fedora's home after a run that went well
 * @param plan steps of the load, and what ends it besides its last object
 * @param content how objects with their content get into Fedora
 * @param operations what was asked for besides ingests, or null
 * @param verification how thorough that of the end is
 * @param endurance what it does to outlive the end of its processes
 */
public record RunOptions(
    Profile profile,
    String dataset,
    Long objects,
    int workers,
    Double ratePerSecond,
    String name,
    Path store,
    InetSocketAddress collector,
    CollectorAccess access,
    List<String> collectorCommand,
    Path agentJar,
    Map<String, String> agentOptions,
    Duration telemetryInterval,
    int httpPort,
    boolean keep,
    LoadPlan plan,
    ContentOptions content,
    OperationsChoice operations,
    VerifyChoice verification,
    Endurance endurance) {

  /** So many of a dataset without end, where the user does not say. */
  public static final long STANDARD_OBJECTS = 1000;

  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

  public RunOptions {
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(agentJar, "agentJar");
    Objects.requireNonNull(access, "access");
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
    collectorCommand = List.copyOf(collectorCommand);
    agentOptions = Collections.unmodifiableMap(new LinkedHashMap<>(agentOptions));
    requireObjects(objects);
    requireWorkers(workers);
    if (ratePerSecond != null) {
      load(ratePerSecond);
    }
    requireName(name);
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
   * How many objects an ingest has; {@link Long#MAX_VALUE} where neither the dataset nor the user
   * says.
   *
   * @param asked by the user, or null
   */
  static long objects(Long asked, LoadPlan plan, Dataset dataset) {
    if (asked == null) {
      return dataset.size() == Long.MAX_VALUE && !plan.ends() ? STANDARD_OBJECTS : dataset.size();
    }
    dataset.requireObjects(0, asked);
    return asked;
  }

  static void requireObjects(Long objects) {
    if (objects != null && objects < 1) {
      throw new IllegalArgumentException("--objects " + objects + ": at least 1 is needed");
    }
  }

  static void requireWorkers(int workers) {
    if (workers < 1 || workers > IngestOptions.MOST_WORKERS) {
      throw new IllegalArgumentException(
          "--workers " + workers + ": give 1 to " + IngestOptions.MOST_WORKERS);
    }
  }

  static void requireName(String name) {
    requireName("--name", name);
  }

  static boolean isName(String name) {
    // One that begins with a hyphen would be taken for an option wherever it is given.
    return RunFolder.isValidName(name) && !name.startsWith("-");
  }

  static void requireName(String option, String name) {
    if (name != null && !isName(name)) {
      throw new IllegalArgumentException(
          option
              + " '"
              + name
              + "': a run's name has 1 to 100 letters, digits, '.', '_' and '-' and begins with"
              + " neither a dot nor a hyphen");
    }
  }

  /**
   * Whether the run can be taken up in its midst: it is of ingests alone, all the way alike, and
   * somebody may want to.
   */
  boolean canGoOn() {
    return !endurance.equals(Endurance.NONE) && canGoOn(plan, operations);
  }

  private static boolean canGoOn(LoadPlan plan, OperationsChoice operations) {
    return operations == null && plan.steps() == null;
  }

  /** What the driver is asked for besides dataset, workers and rate, for the record of the run. */
  Map<String, String> workload() {
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

  /** When objects are due. */
  Load load() {
    if (plan.steps() != null) {
      return plan.steps();
    }
    return ratePerSecond == null ? new Load.ClosedLoop() : load(ratePerSecond);
  }

  static Load load(double ratePerSecond) {
    try {
      return new Load.FixedRate(ratePerSecond);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--rate: " + e.getMessage(), e);
    }
  }
}
