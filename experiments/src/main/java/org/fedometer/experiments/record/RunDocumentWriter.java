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
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunParts;
import org.fedometer.store.RunState;

/**
 * Keeps what is known of a run so far and ships it as {@code run.json} whenever a step ends, so
 * that the run folder is readable wherever the run stops. Used by the job's one thread.
 */
public final class RunDocumentWriter {
  private final RunShipment shipment;
  private final String id;
  private final String name;
  private final RunDocument.Profile profile;
  private final RunDocument.Dataset dataset;
  private final int workers;
  private final Double ratePerSecond;
  private final Map<String, String> workload;
  private final Map<String, String> versions = new LinkedHashMap<>();
  private final Map<String, String> environment;
  private final Map<Step, RunDocument.Phase> phases = new EnumMap<>(Step.class);
  private JobClock clock = JobClock.begins();
  private String started = clock.timeOfDay();
  private Shard part = Shard.WHOLE;

  private RunDocument.ObjectCounts objects;
  private RunDocument.StatementCounts statements;
  private RunDocument.TripleCounts triples = new RunDocument.TripleCounts(null, null, null);
  private RunDocument.RequestCounts requests = new RunDocument.RequestCounts(0, 0, 0, List.of());
  private RunDocument.Verification verification;
  private List<String> configurationFiles = List.of();
  private List<String> logFiles = List.of();
  private List<RunDocument.Outage> outages = List.of();
  private RunDocument.Load load;
  private RunDocument.Experiment experiment;
  private String ended;
  private final List<String> notes = new ArrayList<>();

  /**
   * Of a run that begins now, unless {@link #startedAt} says otherwise.
   *
   * @param shipment null of one that is not shipped
   * @param id ULID of the run, empty where only the collector knows it
   * @param profile null of a run whose Fedora is somebody's
   * @param ratePerSecond objects due in a second, or null for a closed loop
   * @param workload what else the driver was asked for, by name
   * @param objectsRequested 0 for no certain number
   * @param environment facts on the host, by name
   */
  public RunDocumentWriter(
      RunShipment shipment,
      String id,
      String name,
      RunDocument.Profile profile,
      RunDocument.Dataset dataset,
      int workers,
      Double ratePerSecond,
      Map<String, String> workload,
      long objectsRequested,
      Map<String, String> environment) {
    this.shipment = shipment;
    this.id = id;
    this.name = name;
    this.profile = profile;
    this.dataset = dataset;
    this.workers = workers;
    this.ratePerSecond = ratePerSecond;
    this.workload = new LinkedHashMap<>(workload);
    this.environment = new LinkedHashMap<>(environment);
    this.objects = new RunDocument.ObjectCounts(objectsRequested, 0, 0, null, 0, 0);
    BuildInfo build = BuildInfo.current();
    versions.put("fedometer", build.version());
    versions.put("fedometer.gitCommit", build.gitCommit());
  }

  /** Notes the stack as started: versions, command line and configuration as used. */
  public void describe(Stack stack, List<String> shippedConfiguration) throws IOException {
    versions.putAll(stack.versions());
    environment.put("fedora.command", String.join(" ", stack.command()));
    configurationFiles = List.copyOf(shippedConfiguration);
  }

  public void partOf(Shard shard) {
    part = shard;
  }

  /** Path below the run folder of a file that each of several drivers has. */
  public String ofPart(String file) {
    return fileOfPart(name, part, file);
  }

  static String fileOfPart(String runName, Shard part, String file) {
    return part.isPart() ? RunName.ofPart(runName, part) + "-" + file : file;
  }

  /** Of a run that was begun before, by this clock, by which it ends, too. */
  public void startedAt(String timeOfDay, JobClock clock) {
    started = timeOfDay;
    this.clock = clock;
  }

  public JobClock clock() {
    return clock;
  }

  public void version(String name, String value) {
    versions.put(name, value);
  }

  /** Notes the logs kept, in place of those noted before; paths are below the run folder. */
  public void logFiles(List<String> paths) {
    logFiles = List.copyOf(paths);
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
    statements = counts;
  }

  /** Null where there is no triplestore. */
  public void triples(RunDocument.TripleCounts counts) {
    triples = counts;
  }

  /** Notes the requests of this driver; before that there are none. */
  public void requests(RunDocument.RequestCounts counts) {
    requests = counts;
  }

  /** All outages of the run so far in order, those of earlier drivers among them. */
  public void outages(List<RunDocument.Outage> all) {
    outages = List.copyOf(all);
  }

  /** What came of the load beyond what was asked for; null where it is as it was asked for. */
  public void load(RunDocument.Load result) {
    load = result;
  }

  public void experiment(RunDocument.Experiment place) {
    experiment = place;
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
    return RunDocument.builder(name, state.id())
        .id(id)
        .failure(failureOrNull)
        .profile(profile)
        .dataset(dataset)
        .workers(workers)
        .ratePerSecond(ratePerSecond)
        .workload(workload)
        .objects(objects)
        .statements(statements)
        .triples(triples)
        .requests(requests)
        .verification(verification)
        .phases(List.copyOf(phases.values()))
        .outages(outages)
        .load(load)
        .versions(new LinkedHashMap<>(versions))
        .environment(environment)
        .configurationFiles(configurationFiles)
        .logFiles(logFiles)
        .bootId(HostEnvironment.bootId())
        .started(started)
        .ended(ended)
        .notes(List.copyOf(notes))
        .experiment(experiment)
        .build();
  }
}
