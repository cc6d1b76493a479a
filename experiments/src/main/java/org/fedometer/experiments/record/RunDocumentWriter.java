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
 * Keeps what is known of a run so far and ships it as {@code run.json} whenever a step ends, so
 * that the run folder is readable wherever the run stops. Used by the job's one thread.
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
   * Of a run of which nothing came so far.
   *
   * @param shipment null of one that is not shipped
   * @param requested what was asked for, and when it began; kept
   * @param clock by which it ends
   * @param part of the run that is this driver's
   * @param objectsRequested 0 for no certain number
   * @param environment facts on the host, by name
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

  /** Notes the stack as started: versions, command line and configuration as used. */
  public void describe(Stack stack, List<String> shippedConfiguration) throws IOException {
    versions.putAll(stack.state().versions());
    environment.put("fedora.command", String.join(" ", stack.state().command()));
    builder.configurationFiles(List.copyOf(shippedConfiguration));
  }

  /** Path below the run folder of a file that each of several drivers has. */
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

  /** Notes the logs kept, in place of those noted before; paths are below the run folder. */
  public void logFiles(List<String> paths) {
    builder.logFiles(List.copyOf(paths));
  }

  /** Adds a sentence on what is missing in the record of the run, and tells it. */
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

  /** As noted last; before that, how many were asked for and none ingested. */
  public RunDocument.ObjectCounts objects() {
    return objects;
  }

  /** Of a load whose objects add statements to others. */
  public void statements(RunDocument.StatementCounts counts) {
    builder.statements(counts);
  }

  /** Null where there is no triplestore. */
  public void triples(RunDocument.TripleCounts counts) {
    builder.triples(counts);
  }

  /** Notes the requests of this driver; before that there are none. */
  public void requests(RunDocument.RequestCounts counts) {
    builder.requests(counts);
  }

  /** All outages of the run so far in order, those of earlier drivers among them. */
  public void outages(List<RunDocument.Outage> all) {
    builder.outages(List.copyOf(all));
  }

  /** What came of the load beyond what was asked for; null where it is as it was asked for. */
  public void load(RunDocument.Load result) {
    builder.load(result);
  }

  public void verification(RunDocument.Verification result) {
    verification = result;
  }

  /** Whether every object was ingested and every check held. */
  public boolean allIsWell() {
    return allIngested() && verification != null && verification.ok();
  }

  public boolean allIngested() {
    return objects.ingested() == objects.requested();
  }

  /** Notes when a step was, by {@code System.nanoTime()}, in place of what is noted of it. */
  public void phase(Step step, long startNanos, long endNanos) {
    phases.put(step, new RunDocument.Phase(step.id(), startNanos, endNanos));
  }

  /** The same, for a step that has not noted a closer measurement of its own. */
  public void phaseUnlessNoted(Step step, long startNanos, long endNanos) {
    phases.putIfAbsent(step, new RunDocument.Phase(step.id(), startNanos, endNanos));
  }

  public void shipRunning() throws IOException {
    ship(RunState.RUNNING, null);
  }

  /** Ships the run.json of a run that has ended; again with what was noted since. */
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
