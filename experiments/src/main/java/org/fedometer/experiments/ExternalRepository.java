package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.FedoraUnreachableException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.experiments.check.Doctor;
import org.fedometer.experiments.host.DiskMonitor;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.experiments.measure.MeasuredIngest;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.store.RunState;

/** An existing Fedora that is loaded and left running. Confined to the job's thread. */
final class ExternalRepository implements LoadTarget {
  private final IngestJobOptions options;

  /** Null for a new ingest. */
  private final JobRecord earlier;

  private final Dataset dataset;
  private final IngestOptions load;
  private LoadContext job;

  ExternalRepository(
      IngestJobOptions options, JobRecord earlierOrNull, Dataset dataset, IngestOptions load) {
    this.options = options;
    this.earlier = earlierOrNull;
    this.dataset = dataset;
    this.load = load;
  }

  @Override
  public String generatedName(String runId) {
    return RunName.generate(runId, dataset.name());
  }

  @Override
  public Map<String, String> facts() {
    return Map.of("fedora.url", options.target().url().toString());
  }

  @Override
  public void requireReachable() throws IOException {
    try (FedoraClient client =
            FedoraClient.open(options.target(), FedoraClientOptions.forWorkers(1));
        FedoraSession session = client.newSession()) {
      session.login();
    }
  }

  @Override
  public void opened(LoadContext opened) {
    job = opened;
  }

  @Override
  public IngestOptions start() throws IOException {
    boolean triples = queryFedora();
    return load.withTriples(
        triples, options.isResumable() ? options.confirmEvery() : Duration.ZERO);
  }

  /** Returns whether there is a triplestore, and records the version. */
  private boolean queryFedora() throws IOException {
    try (FedoraClient client =
            FedoraClient.open(options.target(), FedoraClientOptions.forWorkers(1));
        FedoraSession session = client.newSession()) {
      session.login();
      session.version().ifPresent(version -> job.document().version("fedora", version));
      boolean triples = new TripleCounter(session).isAvailable();
      if (!triples) {
        job.listener()
            .note("This Fedora has no triplestore that answers: no triples will be counted.");
      }
      if (job.preflight()) {
        // Objects of other shards, and of a mix's preload, may exist.
        boolean allNew = earlier == null && !options.shard().isPart() && options.isResumable();
        Preflight.of(planned(), options, session, allNew).require(job::note);
      }
      return triples;
    }
  }

  private PlannedLoad planned() {
    LoadPlan plan = options.load().plan();
    long objects = load.allObjects(dataset.leadingObjects());
    long all =
        objects == Long.MAX_VALUE || plan.ends()
            ? Long.MAX_VALUE
            : options.shard().countOf(0, objects)
                - job.journal().journal().state().acknowledged().size();
    return new PlannedLoad(
        dataset, all, plan.workers(), options.load().content(), load.mix() != null);
  }

  @Override
  public FedoraLogin login() {
    return options.target();
  }

  @Override
  public IngestResult load(MeasuredIngest ingest) throws IOException {
    Path disk = options.disk();
    IngestResult result =
        ingest.ingest(
            job.interruption(),
            () -> true,
            job.run().control(),
            disk == null ? null : DiskMonitor.of(disk));
    if (result.endStatus() == IngestResult.EndStatus.GAVE_UP) {
      throw new IOException(withResumeHint(result.reason()));
    }
    return result;
  }

  @Override
  public String drained() {
    return "all triples written";
  }

  @Override
  public IOException explained(Step step, IOException e) {
    if (step == Step.DRAIN) {
      // Triples of ingested objects may be missing; a resume looks for them, and drains again.
      return new IOException(withResumeHint(Reason.of(e)), e);
    }
    if (step == Step.START && e instanceof LoginRefusedException) {
      return new IOException(e.getMessage() + " " + Doctor.OTHER_LOGIN, e);
    }
    if (step == Step.START && e instanceof FedoraUnreachableException && earlier != null) {
      return new IOException(
          e.getMessage()
              + ". If Fedora's address has changed, "
              + resumeCommand(" --target URL")
              + " resumes there.",
          e);
    }
    return e;
  }

  private String withResumeHint(String reason) {
    return options.isResumable()
        ? reason + (reason.endsWith(".") ? "" : ".") + resumeHint()
        : reason;
  }

  private String resumeHint() {
    return " " + resumeCommand("") + " resumes it.";
  }

  private String resumeCommand(String more) {
    return "'fedometer ingest --resume " + partName() + more + StoreHint.of(options.store()) + "'";
  }

  private String partName() {
    String run = job == null ? earlier.runName() : job.runName();
    return RunName.ofPart(run, options.shard());
  }

  /**
   * Notes samples still held by agents, which the sealed run will lack. Skipped for a shard: others
   * may still load the same Fedora, whose agents then always hold some.
   */
  @Override
  public void beforeSealing() {
    if (!options.shard().isPart()) {
      UndeliveredSamples.notes(
              job.interruption(), () -> UndeliveredSamples.inFedoraAt(options.target().url()))
          .forEach(job::note);
    }
  }

  @Override
  public StepFailure seal(RunState state, StepFailure failure, boolean begun) throws IOException {
    job.document().shipEnded(state, failure == null ? null : failure.onRecord(null));
    job.run().collector().closeRun(held -> job.steps().reportSealDelay(failure, held));
    return failure;
  }

  /** Leaves the repository; an unsealed run has not ended, and a resume seals it. */
  @Override
  public Optional<Path> leave(RunState state, boolean sealed) {
    if (sealed) {
      job.journal().recordEnd(state, resumeCommand(""), job.listener());
    }
    // Before the message to resume.
    job.journal().close(job.listener());
    if (state == RunState.INTERRUPTED && job.journal().isOnRecord()) {
      job.listener().note("Ended on request;" + resumeHint());
    }
    return Optional.empty();
  }
}
