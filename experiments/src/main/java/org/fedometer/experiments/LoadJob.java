package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.study.DatastreamStudyResult;
import org.fedometer.driver.study.ScaleStudyResult;
import org.fedometer.driver.verify.Verification;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.collect.SharedRun;
import org.fedometer.experiments.host.JobClock;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.load.LoadSpec;
import org.fedometer.experiments.load.MixChoice;
import org.fedometer.experiments.load.SkippedDocuments;
import org.fedometer.experiments.measure.MeasuredIngest;
import org.fedometer.experiments.measure.ResultSummary;
import org.fedometer.experiments.record.JobJournal;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.experiments.record.NamedRun;
import org.fedometer.experiments.record.ResumableRun;
import org.fedometer.experiments.record.RunDocumentWriter;
import org.fedometer.experiments.stack.StackTraits;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.store.StoredExperiment;
import org.fedometer.store.Ulid;

/**
 * One measured ingest, into a Fedora provisioned for it or an existing one. It can resume an
 * earlier process's ingest. Call {@link #run} once, on the conducting thread; {@link #interrupt} is
 * thread-safe.
 *
 * <p>In any case, all started processes are stopped and the run folder is sealed. An incomplete
 * plain ingest leaves a journal and, if the run's own, Fedora's home, for a resume.
 */
public final class LoadJob {
  private final JobOptions options;
  private final Dataset dataset;

  /** All objects to ingest, including other shards'; {@link Long#MAX_VALUE} for no limit. */
  private final long objects;

  /** Options of the driver; for a mix, the numbers are steps. */
  private final IngestOptions load;

  /** Null for a new load. */
  private final JobRecord earlier;

  private final LoadTarget target;
  private final JobListener listener;
  private final JobClock clock = JobClock.begins();
  private final String started = clock.timeOfDay();
  private final Interruption interruption = new Interruption();
  private final JobSteps steps;
  private final JobFailures failures;
  private final String runName;
  private String runId;
  private JobJournal journal;
  private OpenRun run;
  private RunDocumentWriter document;

  /** Null before Fedora is up. */
  private MeasuredIngest ingest;

  private boolean preflight = true;

  /** Null for a run outside an experiment. */
  private RunDocument.Experiment experiment;

  private byte[] experimentPlan;

  private LoadJob(
      JobOptions options,
      Dataset dataset,
      IngestOptions load,
      JobRecord earlierOrNull,
      LoadTarget target,
      JobListener listener) {
    this.options = options;
    this.dataset = dataset;
    this.load = load;
    this.earlier = earlierOrNull;
    this.target = target;
    this.listener = listener;
    this.steps = new JobSteps(listener);
    this.failures = new JobFailures(options.store(), steps, interruption, target::log);
    this.objects = load.allObjects(dataset.leadingObjects());
    if (earlier != null) {
      earlier.requireSameDataset(dataset.parameters());
    }
    this.runId = earlier != null ? earlier.runId() : options.join() ? "" : Ulid.next();
    this.runName =
        earlier != null
            ? earlier.runName()
            : options.name() != null ? options.name() : target.generatedName(runId);
  }

  /**
   * Creates a load of its own Fedora. Validates the options; starts nothing yet.
   *
   * @param earlierOrNull state of an earlier process of this run, to resume
   * @throws org.fedometer.datasets.UnknownDatasetException naming the available datasets
   * @throws IllegalArgumentException if a dataset parameter is invalid, or the run is to end by a
   *     disk that is not visible
   */
  public static LoadJob ofRun(
      RunOptions options, ResumableRun earlierOrNull, JobListener listener) {
    StackTraits traits =
        earlierOrNull == null
            ? StackTraits.of(options.profile())
            : StackTraits.of(earlierOrNull.stack(), earlierOrNull.record().stack().profile());
    Dataset dataset = open(options.load(), traits.datasetOptions(), listener);
    IngestOptions load = options.ingest(dataset, traits);
    return new LoadJob(
        options,
        dataset,
        load,
        earlierOrNull == null ? null : earlierOrNull.record(),
        new ManagedStack(options, earlierOrNull, traits, dataset, load),
        listener);
  }

  /**
   * Creates a load of an existing Fedora. Validates the options; sends nothing yet.
   *
   * @param earlierOrNull state of an earlier process of this ingest, to resume
   * @throws org.fedometer.datasets.UnknownDatasetException naming the available datasets
   */
  public static LoadJob ofIngest(
      IngestJobOptions options, JobRecord earlierOrNull, JobListener listener) {
    Dataset dataset = open(options.load(), options.pids(), listener);
    IngestOptions load = options.ingest(dataset);
    if (earlierOrNull != null && !options.isResumable()) {
      throw new IllegalArgumentException(
          earlierOrNull.runName() + " was started without --mix; resume it without it");
    }
    if (earlierOrNull != null && options.load().plan().steps() != null) {
      throw new IllegalArgumentException(
          earlierOrNull.runName()
              + " was a load in steps, which cannot be resumed; start a new run");
    }
    return new LoadJob(
        options,
        dataset,
        load,
        earlierOrNull,
        new ExternalRepository(options, earlierOrNull, dataset, load),
        listener);
  }

  private static Dataset open(LoadSpec load, DatasetOptions how, JobListener listener) {
    Dataset dataset = Datasets.open(load.dataset(), how);
    SkippedDocuments.report(dataset, listener);
    load.content().requireFor(dataset);
    return dataset;
  }

  /** Skips the preflight checks. Call before {@link #run}. */
  public void leaveOutPreflight() {
    preflight = false;
  }

  /** Makes it a run of an experiment, with the plan. Call before {@link #run}. */
  public void belongTo(RunDocument.Experiment place, byte[] plan) {
    experiment = place;
    experimentPlan = plan.clone();
  }

  /**
   * Requests the end of the job: it stops what it started, seals the run and returns from {@link
   * #run}.
   */
  public void interrupt() {
    interruption.raise();
  }

  /** Returns a scale study's measurements so far; empty without one. */
  public Optional<ScaleStudyResult> scaleStudy() {
    return ingest == null ? Optional.empty() : ingest.scaleStudy();
  }

  /** Returns a datastream study's measurements; empty without one. */
  public Optional<DatastreamStudyResult> datastreamStudy() {
    return ingest == null ? Optional.empty() : ingest.datastreamStudy();
  }

  /**
   * @throws StepFailure if no collector is available, so that there is no run folder; any later
   *     failure is in the outcome
   * @throws InterruptedException if interrupted before there was a run folder
   */
  public RunOutcome run() throws StepFailure, InterruptedException {
    interruption.conductedBy(Thread.currentThread());
    interruption.check();
    openJournal(); // first: while another driver has it, the run belongs to that one
    try (OpenRun opened = openRun()) {
      run = opened;
      runId = run.collector().runId();
      run.listen(controlId(), partName(), this::interrupt, listener);
      document = newDocument(run.shipment(), run.checkExistingRun());
      steps.recordIn(run.shipment(), document);
      target.opened(
          new LoadContext(
              runId,
              runName,
              preflight,
              run,
              document,
              journal,
              steps,
              failures,
              interruption,
              listener));
      try {
        StepFailure failure =
            failures.during(
                () -> {
                  describe();
                  conduct();
                });
        boolean interrupted = interruption.raised();
        interruption.cleanUp();
        return end(failure, interrupted);
      } finally {
        try {
          target.close();
        } finally {
          journal.close(listener); // last: no other driver may resume a run that has not ended
        }
      }
    }
  }

  // The run and its journal.

  private void openJournal() throws StepFailure {
    if (isManaged() && !options.isResumable()) {
      journal = JobJournal.none(clock);
      return;
    }
    failures.within(
        Step.COLLECT,
        () ->
            journal =
                JobJournal.open(
                    JobRecord.folderOf(options.store(), partName()),
                    earlier,
                    options.shard().stride()));
  }

  /** Returns whether Fedora is the run's own. */
  private boolean isManaged() {
    return target.profile() != null;
  }

  /** Returns the name of the folder of journal and record: one per shard. */
  private String partName() {
    return RunName.ofPart(runName, options.shard());
  }

  /** Returns the control address: one per shard. */
  private String controlId() {
    return options.shard().isPart() ? runId + "." + options.shard().number() : runId;
  }

  private OpenRun openRun() throws StepFailure, InterruptedException {
    try {
      if (earlier != null && RunState.DONE.is(earlier.ended())) {
        requireReachable();
      }
      if (options.join()) {
        requireFittingRun();
      }
      return openByName();
    } catch (StepFailure | InterruptedException | RuntimeException e) {
      journal.close(listener);
      throw e;
    }
  }

  /** Keeps a run that has ended well from being recorded as failed because Fedora is stopped. */
  private void requireReachable() throws StepFailure {
    try {
      target.requireReachable();
    } catch (IOException e) {
      throw failure(Step.START, e);
    }
  }

  private void requireFittingRun() throws StepFailure, InterruptedException {
    try {
      new SharedRun(runName, options.shard(), earlier != null, listener)
          .requireCompatible(
              CollectorLink.storeOf(options.collector()).run(runName),
              () -> newDocument(null, Map.of()).document(RunState.RUNNING, null));
    } catch (NoSuchRunException e) {
      if (earlier == null && !options.shard().isPart()) {
        throw new IllegalArgumentException("--join: " + e.getMessage(), e);
      }
    } catch (IOException e) {
      throw failures.of(Step.COLLECT, e);
    }
  }

  /** Opens the run; replaces an ingest of the same name whose load never began. */
  private OpenRun openByName() throws StepFailure, InterruptedException {
    try {
      return OpenRun.open(options.collector(), runId, runName, steps, failures, listener);
    } catch (StepFailure e) {
      boolean candidate =
          earlier == null && !options.join() && options.name() != null && NamedRun.isRefusal(e);
      Optional<NamedRun> there =
          candidate ? NamedRun.find(options.collector(), runName) : Optional.empty();
      if (there.isEmpty()) {
        throw e;
      }
      if (isManaged() || !there.get().isIngestWithoutLoad()) {
        throw e.withAdvice(there.get().advice(options.collector(), !isManaged()));
      }
      runId = there.get().id();
      return OpenRun.open(options.collector(), runId, runName, steps, failures, listener);
    }
  }

  /** Returns a new document, which is not sent if the shipment is null. */
  private RunDocumentWriter newDocument(RunShipment shipment, Map<String, String> environment) {
    Map<String, String> facts = new LinkedHashMap<>(environment);
    facts.putAll(target.facts());
    Map<String, String> workload = new LinkedHashMap<>(options.workload());
    workload.putAll(MixChoice.resolvedFacts(load));
    RunDocumentWriter writer =
        new RunDocumentWriter(
            shipment,
            runName,
            RunDocument.builder(runName, RunState.RUNNING.id())
                .id(runId)
                .profile(target.profile())
                .dataset(new RunDocument.Dataset(dataset.name(), dataset.parameters()))
                .workers(options.load().plan().workers())
                .ratePerSecond(options.load().plan().ratePerSecond())
                .workload(workload)
                .started(earlier == null ? started : earlier.started())
                .experiment(experiment),
            journal.clock(),
            options.shard(),
            objects == Long.MAX_VALUE ? 0 : options.shard().countOf(0, objects),
            facts);
    journal.describe(writer);
    return writer;
  }

  private void describe() throws StepFailure {
    failures.within(
        Step.COLLECT,
        () -> {
          run.describe(
              runId,
              runName,
              isManaged()
                  ? Map.of("collector.port", Integer.toString(run.collector().port()))
                  : Map.of());
          target.describe(run.record());
          run.record().toolJars(System.getProperty("java.class.path"));
          run.shipRecord();
          if (experiment != null) {
            run.shipment().document(StoredExperiment.PLAN, experimentPlan);
          }
          SkippedDocuments.ship(dataset, run.shipment());
        });
  }

  // The steps, in order.

  private void conduct() throws StepFailure, InterruptedException {
    failures.within(Step.COLLECT, document::shipRunning);
    target.prepare();
    steps.run(Step.START, this::start, login -> "Fedora answers at " + login.url());
    failures.within(Step.START, document::shipRunning);
    IngestResult result;
    target.loadBegins();
    try {
      result = steps.run(Step.INGEST, this::load, ResultSummary::of);
      interruption.check();
      steps.run(Step.DRAIN, this::drain, summary -> summary);
    } finally {
      target.loadEnds();
    }
    if (options.load().verification().wanted() && options.shard().isPart()) {
      listener.note(
          "A part of a run is not verified, as objects of other parts would be counted too.");
    } else if (options.load().verification().wanted()) {
      steps.run(Step.VERIFY, () -> verify(result), ResultSummary::of);
    }
    target.afterLoad(ingest);
  }

  private FedoraLogin start() throws StepFailure, InterruptedException {
    try {
      IngestOptions ofTarget = target.start();
      if (ofTarget.flushEvery() > 0 && !ofTarget.triples()) {
        document.note("--flush-every has no effect, as this Fedora has no triplestore.", listener);
      }
      FedoraLogin login = target.login();
      ingest =
          new MeasuredIngest(
              login,
              dataset,
              ofTarget.withContent(
                  MeasuredIngest.openContent(options.load().content(), dataset, listener)),
              options.isResumable() ? journal.journal() : Journal.inMemory(0),
              journal,
              run.collector().client(),
              run.shipment(),
              document,
              listener,
              isManaged()
                  ? options.load().verification()
                  : options.load().verification().withOthers());
      interruption.onInterrupt(ingest::cancelRequests);
      if (earlier != null) {
        resume(ofTarget.triples());
      } else {
        begin();
      }
      return login;
    } catch (IOException e) {
      throw failure(Step.START, e);
    }
  }

  private void begin() throws IOException {
    ingest.countBefore();
    if (options.isResumable()) {
      journal.record(target.onRecord(ingest.begun(runId, runName, options.arguments(), started)));
    }
  }

  private void resume(boolean triples) throws IOException {
    if (!triples && earlier.triplesBefore() != null) {
      throw new IOException(
          "Fedora's triplestore answered when "
              + partName()
              + " started, but does not answer now, so lost objects cannot be found. Repair it,"
              + " then resume.");
    }
    ingest.resume(options.arguments(), triples);
  }

  private IngestResult load() throws StepFailure {
    try {
      return target.load(ingest);
    } catch (IOException e) {
      throw failure(Step.INGEST, e);
    }
  }

  private String drain() throws StepFailure {
    try {
      ingest.drain();
      return target.drained();
    } catch (IOException e) {
      throw failure(Step.DRAIN, e);
    }
  }

  private Verification verify(IngestResult result) throws StepFailure, InterruptedException {
    Verification found = ingest.verify(result, interruption);
    failures.within(Step.VERIFY, () -> target.verified(found));
    return found;
  }

  private StepFailure failure(Step step, IOException e) {
    return failures.of(step, target.explained(step, e));
  }

  // The end, which every job reaches.

  private RunOutcome end(StepFailure failure, boolean interrupted) {
    JobEnd end = new JobEnd(steps, failure);
    if (ingest != null) {
      end.attempt(Step.STOP, ingest::close);
    }
    target.stop(end);
    RunState state = end.state(interrupted, this::allIsWell);
    boolean sealed =
        end.attempt(
            Step.SEAL,
            () ->
                end.replaceFailure(
                    steps.run(
                        Step.SEAL,
                        () -> seal(state, end.failure()),
                        same -> run.collector().location())));
    Optional<Path> keptHome = target.leave(state, sealed);
    return new RunOutcome(
        run.collector().runFolder(),
        run.collector().location(),
        state,
        Optional.ofNullable(end.failure()),
        keptHome);
  }

  private boolean allIsWell() {
    return options.load().verification().wanted() && !options.shard().isPart()
        ? document.allIsWell()
        : document.allIngested();
  }

  /** Returns the failure with its log's final location, or null. */
  private StepFailure seal(RunState state, StepFailure failure)
      throws StepFailure, InterruptedException {
    AtomicReference<StepFailure> sealed = new AtomicReference<>();
    if (ingest != null) {
      target.beforeSealing();
    }
    try {
      SealWait.await(
          interruption,
          run.collector(),
          () -> sealed.set(target.seal(state, failure, ingest != null)));
      return sealed.get();
    } catch (IOException e) {
      throw failures.of(Step.SEAL, e);
    }
  }
}
