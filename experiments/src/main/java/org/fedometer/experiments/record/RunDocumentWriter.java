package org.fedometer.experiments.record;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.driver.request.Shard;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.host.BuildInfo;
import org.fedometer.experiments.host.HostEnvironment;
import org.fedometer.experiments.host.JobClock;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.job.Step;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentBuilder;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunParts;
import org.fedometer.store.RunState;

/**
 * Collects the results of a run, and ships them as {@code run.json} after each step, so that the
 * run folder is readable wherever the run stops. Confined to the job's thread.
 */
public final class RunDocumentWriter {
  private final RunShipment shipment;
  private final String name;
  private final RunDocumentBuilder builder;
  private final JobClock clock;
  private final Shard part;
  private final Map<String, String> versions = new LinkedHashMap<>();
  private final Map<String, String> environment;
  private final Map<Step, RunDocument.Phase> phases = new EnumMap<>(Step.class);
  private final List<String> notes = new ArrayList<>();
  private RunDocument.ObjectCounts objects;
  private RunDocument.Verification verification;
  private String ended;

  /**
   * @param shipment null if it is not shipped
   * @param requested the requested run and its start; kept
   * @param clock clock of its end
   * @param part this driver's part of the run
   * @param objectsRequested 0 if unknown
   * @param environment facts about the host, by name
   */
  public RunDocumentWriter(
      RunShipment shipment,
      String name,
      RunDocumentBuilder requested,
      JobClock clock,
      Shard part,
      long objectsRequested,
      Map<String, String> environment) {
    this.shipment = shipment;
    this.name = name;
    this.builder =
        requested
            .triples(new RunDocument.TripleCounts(null, null, null))
            .requests(new RunDocument.RequestCounts(0, 0, 0, List.of()))
            .bootId(HostEnvironment.bootId());
    this.clock = clock;
    this.part = part;
    this.environment = new LinkedHashMap<>(environment);
    this.objects = new RunDocument.ObjectCounts(objectsRequested, 0, 0, null, 0, 0);
    BuildInfo build = BuildInfo.current();
    versions.put("fedometer", build.version());
    versions.put("fedometer.gitCommit", build.gitCommit());
  }

  /** Records the started stack: versions, command line and configuration. */
  public void describe(Stack stack, List<String> shippedConfiguration) throws IOException {
    versions.putAll(stack.state().versions());
    environment.put("fedora.command", String.join(" ", stack.state().command()));
    builder.configurationFiles(List.copyOf(shippedConfiguration));
  }

  /** Returns the path in the run folder of a file that each driver has. */
  public String ofPart(String file) {
    return fileOfPart(name, part, file);
  }

  static String fileOfPart(String runName, Shard part, String file) {
    return part.isPart() ? RunName.ofPart(runName, part) + "-" + file : file;
  }

  public JobClock clock() {
    return clock;
  }

  public void version(String name, String value) {
    versions.put(name, value);
  }

  /** Replaces the list of kept logs, by paths in the run folder. */
  public void logFiles(List<String> paths) {
    builder.logFiles(List.copyOf(paths));
  }

  /** Adds a sentence about missing records, and reports it. */
  public void note(String text, JobListener listener) {
    notes.add(text);
    listener.note(text);
  }

  public int notes() {
    return notes.size();
  }

  public void objects(RunDocument.ObjectCounts counts) {
    objects = counts;
  }

  /** Returns the latest counts, initially the requested number only. */
  public RunDocument.ObjectCounts objects() {
    return objects;
  }

  /** For a load whose objects add statements to others. */
  public void statements(RunDocument.StatementCounts counts) {
    builder.statements(counts);
  }

  /** Null without a triplestore. */
  public void triples(RunDocument.TripleCounts counts) {
    builder.triples(counts);
  }

  /** Sets this driver's requests, initially none. */
  public void requests(RunDocument.RequestCounts counts) {
    builder.requests(counts);
  }

  /** Sets all outages of the run in order, including earlier drivers'. */
  public void outages(List<RunDocument.Outage> all) {
    builder.outages(List.copyOf(all));
  }

  /** Sets deviations from the requested load; null if there are none. */
  public void load(RunDocument.Load result) {
    builder.load(result);
  }

  public void verification(RunDocument.Verification result) {
    verification = result;
  }

  /** Returns whether every object was ingested and every check succeeded. */
  public boolean allIsWell() {
    return allIngested() && verification != null && verification.ok();
  }

  public boolean allIngested() {
    return objects.ingested() == objects.requested();
  }

  /** Sets the times of a step, by {@code System.nanoTime()}, replacing earlier ones. */
  public void phase(Step step, long startNanos, long endNanos) {
    phases.put(step, new RunDocument.Phase(step.id(), startNanos, endNanos));
  }

  /** Same, unless the step has more precise times. */
  public void phaseUnlessNoted(Step step, long startNanos, long endNanos) {
    phases.putIfAbsent(step, new RunDocument.Phase(step.id(), startNanos, endNanos));
  }

  public void shipRunning() throws IOException {
    ship(RunState.RUNNING, null);
  }

  /** Ships the run.json of an ended run; again after later notes. */
  public void shipEnded(RunState state, RunDocument.Failure failure) throws IOException {
    if (ended == null) {
      ended = clock.timeOfDay();
    }
    ship(state, failure);
  }

  private void ship(RunState state, RunDocument.Failure failure) throws IOException {
    byte[] json = RunDocumentJson.write(document(state, failure));
    if (part.isPart()) {
      shipment.document(RunParts.path(part.number(), part.count()), json);
    }
    shipment.document("run.json", json);
  }

  public RunDocument document(RunState state, RunDocument.Failure failureOrNull) {
    return builder
        .state(state.id())
        .failure(failureOrNull)
        .objects(objects)
        .verification(verification)
        .phases(List.copyOf(phases.values()))
        .versions(new LinkedHashMap<>(versions))
        .environment(environment)
        .ended(ended)
        .notes(List.copyOf(notes))
        .build();
  }
}
