package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.host.EnvironmentRecord;
import org.fedometer.experiments.host.HostEnvironment;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.record.RunControl;

/**
 * A job's open run: the connection to its collector, the run folder's further contents, and the
 * control socket for other processes. Confined to the job's thread.
 */
final class OpenRun implements AutoCloseable {
  private final Path store;
  private final CollectorLink collector;
  private final RunShipment shipment;
  private EnvironmentRecord record;
  private Map<String, String> environment = Map.of();

  /** Null before {@link #listen}. */
  private RunControl control;

  private OpenRun(Path store, CollectorLink collector) {
    this.store = store;
    this.collector = collector;
    this.shipment = new RunShipment(collector.client());
  }

  /**
   * Performs a job's first step.
   *
   * @param runId empty for a run that the collector finds by its name
   * @throws StepFailure if no collector is available
   */
  static OpenRun open(
      CollectorTarget place,
      String runId,
      String runName,
      JobSteps steps,
      JobFailures failures,
      JobListener listener)
      throws StepFailure, InterruptedException {
    CollectorLink collector =
        steps.run(
            Step.COLLECT, () -> link(place, runId, runName, failures), CollectorLink::summary);
    OpenRun opened = new OpenRun(place.store(), collector);
    try {
      collector.pageOf(runName).ifPresent(listener::followable);
      return opened;
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private static CollectorLink link(
      CollectorTarget place, String runId, String runName, JobFailures failures)
      throws StepFailure, InterruptedException {
    try {
      return CollectorLink.open(place, runId, runName);
    } catch (IOException e) {
      throw failures.of(Step.COLLECT, e);
    }
  }

  /** Accepts control requests of the user's other processes from now on, by the id. */
  void listen(String id, String name, Runnable stop, JobListener listener) {
    control = RunControl.open(id, name, stop);
    if (control.problem() != null) {
      listener.note(control.problem());
    }
  }

  /** Inspects this host; returns facts by name, for {@code run.json}. */
  Map<String, String> checkExistingRun() {
    Map<String, String> host = HostEnvironment.describe(store);
    Map<String, String> moment = HostEnvironment.now(store);
    environment = new LinkedHashMap<>(host);
    environment.putAll(moment);
    record = new EnvironmentRecord(host, moment);
    return environment;
  }

  /**
   * Records the run's identity and origin; {@code runSpecific} has further such values, by name.
   */
  void describe(String runId, String runName, Map<String, String> runSpecific) throws IOException {
    shipment.environment(environment);
    record.runIdentity(runId, runName);
    runSpecific.forEach(record::runSpecific);
    record.runSpecific("store", store.toAbsolutePath().normalize().toString());
    record.tool("collector", collector.place());
  }

  void shipRecord() throws IOException {
    shipment.document(EnvironmentRecord.PATH, record.encode());
  }

  /** Returns the record; null before {@link #checkExistingRun}. */
  EnvironmentRecord record() {
    return record;
  }

  CollectorLink collector() {
    return collector;
  }

  RunShipment shipment() {
    return shipment;
  }

  /** Returns the control; null before {@link #listen}. */
  RunControl control() {
    return control;
  }

  @Override
  public void close() {
    if (control != null) {
      control.close();
    }
    collector.close();
  }
}
