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
 * One measured ingest: into a Fedora that is provisioned for it and taken down after it, or into
 * one that is somebody's. It can go on with what an earlier process of the same ingest has left.
 * {@link #run} is called once, by the thread that conducts it; {@link #interrupt} by any.
 *
 * <p>Whatever happens, every process that was started is stopped and the run folder is sealed with
 * what there is. A plain ingest that does not come to its end leaves a journal and, of the run's
 * own, Fedora's home, and another process goes on with it.
 */
public final class LoadJob {
  private final JobOptions options;
  private final Dataset dataset;

  /**
   * All objects to ingest, those of other shards, too; {@link Long#MAX_VALUE} where none is last.
   */
  private final long objects;

  /** What the driver is to do; of a mix the numbers are steps. */
  private final IngestOptions load;

  /** Null of a load that begins. */
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

  /** Null of a run that is of no experiment. */
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
   * A load of a Fedora of its own. Checks what the user asked for; nothing is started yet.
   *
   * @param earlierOrNull what an earlier process of this run has left, to go on with
   * @throws org.fedometer.datasets.UnknownDatasetException naming the datasets there are
   * @throws IllegalArgumentException if a parameter of the dataset is wrong, or the run is to end
   *     by a disk that cannot be seen
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
   * A load of a Fedora that is somebody's. Checks what the user asked for; nothing is sent yet.
   *
   * @param earlierOrNull what an earlier process of this ingest has left, to go on with
   * @throws org.fedometer.datasets.UnknownDatasetException naming the datasets there are
   */
  public static LoadJob ofIngest(
      IngestJobOptions options, JobRecord earlierOrNull, JobListener listener) {
    Dataset dataset = open(options.load(), options.pids(), listener);
    IngestOptions load = options.ingest(dataset);
    if (earlierOrNull != null && !options.isResumable()) {
      throw new IllegalArgumentException(
          earlierOrNull.runName() + " was begun without a mix, and goes on without one");
    }
    if (earlierOrNull != null && options.load().plan().steps() != null) {
      throw new IllegalArgumentException(
          earlierOrNull.runName()
              + " went in steps: what they measure cannot be taken up in their midst; begin anew");
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

  /** Has the load begun whatever is found before. To be called before {@link #run}. */
  public void leaveOutPreflight() {
    preflight = false;
  }

  /** Makes it a run of an experiment. Call before {@link #run}; the plan travels with the run. */
  public void belongTo(RunDocument.Experiment place, byte[] plan) {
    experiment = place;
    experimentPlan = plan.clone();
  }

  /** Asks the job to end: it stops what it started, seals the run and returns from {@link #run}. */
  public void interrupt() {
    interruption.raise();
  }

  /** What a scale study has measured so far; empty for a run without. */
  public Optional<ScaleStudyResult> scaleStudy() {
    return ingest == null ? Optional.empty() : ingest.scaleStudy();
  }

  /** What a study of datastreams has measured; empty for a run without. */
  public Optional<DatastreamStudyResult> datastreamStudy() {
    return ingest == null ? Optional.empty() : ingest.datastreamStudy();
  }

  /**
   * @throws StepFailure if there is no collector to be had, so that there is not even a run folder;
   *     any later failure is in the outcome
   * @throws InterruptedException if asked to end before there was a run folder
   */
  public RunOutcome run() throws StepFailure, InterruptedException {
    interruption.conductedBy(Thread.currentThread());
    interruption.check();
    openJournal(); // first of all: while another driver has it, the run is that one's
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
          journal.close(listener); // last: nobody else is to take up a run that has not ended
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

  /** Whether Fedora is the run's own. */
  private boolean isManaged() {
    return target.profile() != null;
  }

  /** Name of the folder of journal and record: each shard has its own. */
  private String partName() {
    return RunName.ofPart(runName, options.shard());
  }

  /** Each shard is spoken to by itself. */
  private String controlId() {
    return options.shard().isPart() ? runId + "." + options.shard().number() : runId;
  }

  private OpenRun openRun() throws StepFailure, InterruptedException {
    try {
      if (options.join()) {
        requireFittingRun();
      }
      return openByName();
    } catch (StepFailure | InterruptedException | RuntimeException e) {
      journal.close(listener);
      throw e;
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

  /** Takes the place of an ingest of the same name whose load never began. */
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

  /** A null shipment is of a document that stays here. */
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
      listener.note("A part of a run is not verified: the others' objects would be counted, too.");
    } else if (options.load().verification().wanted()) {
      steps.run(Step.VERIFY, () -> verify(result), ResultSummary::of);
    }
    target.afterLoad(ingest);
  }

  private FedoraLogin start() throws StepFailure, InterruptedException {
    try {
      IngestOptions ofTarget = target.start();
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
          "Its triplestore answered when "
              + partName()
              + " was begun, and does not now: lost objects cannot be found. Repair that"
              + " first.");
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

  // The end, which every job comes to.

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

  /** The failure with its log where it is now, or null. */
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
