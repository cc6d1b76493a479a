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
 * What a job has of its run while that is open: the connection to its collector, what goes into the
 * run folder besides samples and requests, and the ear for other processes. Used by the job's one
 * thread.
 */
final class OpenRun implements AutoCloseable {
  private final Path store;
  private final CollectorLink collector;
  private final RunShipment shipment;
  private EnvironmentRecord record;
  private Map<String, String> environment = Map.of();

  /** Null before anybody is listened to. */
  private RunControl control;

  private OpenRun(Path store, CollectorLink collector) {
    this.store = store;
    this.collector = collector;
    this.shipment = new RunShipment(collector.client());
  }

  /**
   * Conducts a job's first step.
   *
   * @param runId empty of a run that the collector is to find by its name
   * @throws StepFailure there is no collector to be had
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

  /** Lets other processes of the user, which know the run by the id, speak to it from now on. */
  void listen(String id, String name, Runnable stop, JobListener listener) {
    control = RunControl.open(id, name, stop);
    if (control.problem() != null) {
      listener.note(control.problem());
    }
  }

  /** Looks at this host; returns facts by name, for {@code run.json}. */
  Map<String, String> checkExistingRun() {
    Map<String, String> host = HostEnvironment.describe(store);
    Map<String, String> moment = HostEnvironment.now(store);
    environment = new LinkedHashMap<>(host);
    environment.putAll(moment);
    record = new EnvironmentRecord(host, moment);
    return environment;
  }

  /** Says whose the run is and where it is made; {@code own} are further such values, by name. */
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

  /** Null before {@link #checkExistingRun}. */
  EnvironmentRecord record() {
    return record;
  }

  CollectorLink collector() {
    return collector;
  }

  RunShipment shipment() {
    return shipment;
  }

  /** Null before {@link #listen}. */
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
