package org.fedometer.experiments;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.journal.Stride;
import org.fedometer.driver.study.DatastreamFigures;
import org.fedometer.driver.study.ScaleFigures;
import org.fedometer.driver.verify.Verification;
import org.fedometer.experiments.host.DiskWatch;
import org.fedometer.experiments.host.EnvironmentRecord;
import org.fedometer.experiments.host.JobClock;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.load.DatastreamsChoice;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.MixChoice;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.experiments.load.SkippedDocuments;
import org.fedometer.experiments.load.StudyChoice;
import org.fedometer.experiments.measure.MeasuredIngest;
import org.fedometer.experiments.measure.ResultWords;
import org.fedometer.experiments.record.JobJournal;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.experiments.record.JobRecord.OwnStack;
import org.fedometer.experiments.record.NamedRun;
import org.fedometer.experiments.record.ResumableRun;
import org.fedometer.experiments.record.RunDocumentWriter;
import org.fedometer.experiments.record.RunHome;
import org.fedometer.experiments.record.SentLogs;
import org.fedometer.experiments.stack.RestartedTelemetry;
import org.fedometer.experiments.stack.StackKeeper;
import org.fedometer.experiments.stack.StackLogin;
import org.fedometer.experiments.stack.StackNews;
import org.fedometer.experiments.stack.StackShipment;
import org.fedometer.experiments.stack.StackTraits;
import org.fedometer.experiments.telemetry.StackTelemetry;
import org.fedometer.profiles.stack.HomeScan;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.store.StoredExperiment;
import org.fedometer.store.Ulid;
import org.fedometer.wire.Counted;

/**
 * The main job: one measured ingest into a Fedora that is provisioned for it and taken down after
 * it. {@link #run} is called once, by the thread that conducts it; {@link #interrupt} by any.
 *
 * <p>Whatever happens, every process that was started is stopped and the run folder is sealed with
 * what there is. A plain ingest that does not come to its end leaves Fedora's home and a journal,
 * and another process goes on with it.
 */
public final class MainJob {
  private final RunOptions options;
  private final JobListener listener;
  private final ResumableRun earlier;
  private final StackTraits traits;
  private final Dataset dataset;

  /** What the driver is to do; of a mix the numbers are steps. */
  private final IngestOptions load;

  private final long objects;

  private final String runId;
  private final String runName;
  private final Path home;
  private final JobClock clock = JobClock.begins();
  private final String started = clock.timeOfDay();
  private final Interruption interruption = new Interruption();
  private final JobSteps steps;
  private final JobFailures failures;

  /** Null of a run that cannot be taken up in its midst. */
  private JobJournal journal;

  private OpenRun run;
  private RunDocumentWriter document;
  private StackShipment stackFiles;
  private RunSealing sealing;
  private RunStack fedora;
  private MeasuredIngest ingest;
  private RestartedTelemetry telemetry;

  /** Null before the load has ended, in whatever way. */
  private IngestResult loadResult;

  /** Null before the objects have been verified. */
  private Verification verification;

  private boolean preflight = true;

  /** False from the begin of a batch that makes the indexes anew to its end. */
  private boolean indexesWhole = true;

  /** Null of a run that is of no experiment. */
  private RunDocument.Experiment experiment;

  private byte[] experimentPlan;

  /**
   * Checks what the user asked for; nothing is started yet.
   *
   * @param earlierOrNull what an earlier process of this run has left, to go on with
   * @throws org.fedometer.datasets.UnknownDatasetException naming the datasets there are
   * @throws IllegalArgumentException if a parameter of the dataset is wrong, or the run is to end
   *     by a disk that cannot be seen
   */
  public MainJob(RunOptions options, ResumableRun earlierOrNull, JobListener listener) {
    this.options = options;
    this.earlier = earlierOrNull;
    this.listener = listener;
    this.steps = new JobSteps(listener);
    this.failures = new JobFailures(options.store(), steps, interruption, this::fedoraLog);
    this.traits =
        earlier == null
            ? StackTraits.of(options.profile())
            : StackTraits.of(earlier.stack(), earlier.record().stack().profile());
    this.dataset = Datasets.open(options.dataset(), traits.datasetOptions());
    SkippedDocuments.tell(dataset, listener);
    options.content().requireFor(dataset);
    this.load = options.ingest(dataset, traits, options.plan().driverEnds(options.store()));
    this.objects = load.allObjects(dataset.leadingObjects());
    if (earlier != null) {
      earlier.record().requireSameDataset(dataset.parameters());
    }
    this.runId = earlier != null ? earlier.record().runId() : Ulid.next();
    this.runName =
        earlier != null
            ? earlier.record().runName()
            : options.name() != null
                ? options.name()
                : RunName.made(runId, traits.name(), dataset.name());
    this.home =
        earlier != null ? earlier.stack().home() : RunHome.of(options.store(), runName, runId);
  }

  /** Has the run begun whatever is found before. To be called before {@link #run}. */
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
      run.listen(runId, runName, this::interrupt, listener);
      stackFiles = new StackShipment(run.shipment());
      document = newDocument(run.lookAround());
      steps.recordIn(run.shipment(), document);
      SentLogs sent = new SentLogs(journal, home, traits.onRecord(), listener);
      sealing = new RunSealing(run, document, stackFiles, sent, steps, listener);
      fedora = new RunStack(options, home, runId, runName, run.collector().hostAndPort(), listener);
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
        sealing.endGcLog();
      }
    }
  }

  private OpenRun openRun() throws StepFailure, InterruptedException {
    try {
      return openByName();
    } catch (StepFailure | InterruptedException | RuntimeException e) {
      if (journal != null) {
        journal.close(listener);
      }
      throw e;
    }
  }

  private OpenRun openByName() throws StepFailure, InterruptedException {
    try {
      return OpenRun.open(options.collector(), runId, runName, steps, failures, listener);
    } catch (StepFailure e) {
      if (earlier != null || options.name() == null || !NamedRun.isRefusal(e)) {
        throw e;
      }
      throw NamedRun.find(options.collector(), runName)
          .map(there -> e.withAdvice(there.advice(options.collector(), false)))
          .orElse(e);
    }
  }

  /** What a scale study has measured so far; empty for a run without. */
  public Optional<ScaleFigures> scaleFigures() {
    return ingest == null ? Optional.empty() : ingest.scaleFigures();
  }

  /** What a study of datastreams has measured; empty for a run without. */
  public Optional<DatastreamFigures> datastreamFigures() {
    return ingest == null ? Optional.empty() : ingest.datastreamFigures();
  }

  // The steps, in order.

  private void conduct() throws StepFailure, InterruptedException {
    failures.within(Step.COLLECT, document::shipRunning);
    preflight();
    if (earlier != null) {
      failures.within(Step.START, fedora::find);
    } else {
      step(Step.PROVISION, this::provision, made -> made.profileName() + " in " + made.home());
    }
    step(Step.START, this::start, nothing -> "Fedora answers at " + fedora.stack().url());
    failures.within(Step.START, document::shipRunning);
    telemetry = RestartedTelemetry.open(this::openTelemetry);
    sealing.followGcLog(fedora.stack());
    try {
      step(Step.INGEST, this::load, ResultWords::of);
      interruption.check();
      step(
          Step.DRAIN,
          this::drain,
          nothing -> traits.triplestore() ? "all triples written" : "no triplestore");
    } finally {
      telemetry.close();
      telemetry.notes().forEach(this::note);
    }
    if (options.verification().wanted()) {
      step(Step.VERIFY, this::verify, ResultWords::of);
    }
    if (options.operations() instanceof StudyChoice && loadResult.complete()) {
      step(
          Step.INDEX,
          this::index,
          times -> Counted.of(times.isEmpty() ? 0 : times.lastKey(), "object") + " indexed anew");
    }
  }

  private void openJournal() throws StepFailure {
    if (!options.canGoOn()) {
      return;
    }
    try {
      journal =
          JobJournal.open(
              JobRecord.folderOf(options.store(), runName),
              earlier == null ? null : earlier.record(),
              Stride.ALL);
    } catch (IOException e) {
      throw failures.of(Step.COLLECT, e);
    }
  }

  private void preflight() throws StepFailure {
    if (!preflight || earlier != null) {
      return;
    }
    boolean questions = options.operations() instanceof MixChoice;
    long most = options.plan().ends() ? Long.MAX_VALUE : objects;
    PlannedLoad planned =
        new PlannedLoad(dataset, most, options.workers(), options.content(), questions);
    failures.within(
        Step.PROVISION,
        () -> Preflight.of(planned, options.profile(), options.store()).require(this::note));
  }

  private Stack provision() throws StepFailure, InterruptedException {
    try {
      return fedora.provision(
          PlannedLoad.expectedBytes(
              options.content(), dataset.meanObjectBytes(), expectedObjects()));
    } catch (ProvisioningException e) {
      interruption.check();
      throw StepFailure.of(Step.PROVISION, e);
    }
  }

  private double expectedObjects() {
    if (objects != Long.MAX_VALUE) {
      return objects;
    }
    return options.ratePerSecond() == null || options.plan().longest() == null
        ? LoadPlan.STANDARD_OBJECTS
        : options.ratePerSecond() * options.plan().longest().toSeconds();
  }

  private Void start() throws StepFailure, InterruptedException {
    try {
      if (earlier != null) {
        fedora.startAgain();
      } else {
        fedora.start();
      }
      fedora.awaitOwnStages(this::note);
      describe(fedora.stack());
      ingest =
          new MeasuredIngest(
              StackLogin.of(fedora.stack()),
              dataset,
              load.withContent(MeasuredIngest.openContent(options.content(), dataset, listener)),
              journal == null ? Journal.inMemory(0) : journal.journal(),
              run.collector().client(),
              run.shipment(),
              document,
              listener,
              options.verification());
      interruption.cutsBy(ingest::cancelRequests);
      if (journal != null) {
        ingest.recordIn(journal);
      }
      if (earlier != null) {
        ingest.goOn(journal, options.endurance().arguments(), traits.triplestore());
      } else {
        begin();
      }
      return null;
    } catch (ProvisioningException e) {
      interruption.check();
      throw StepFailure.of(Step.START, e);
    } catch (IOException e) {
      throw failures.of(Step.START, e);
    }
  }

  private void describe(Stack started) throws IOException, InterruptedException {
    List<String> configuration = new ArrayList<>(stackFiles.configuration(started));
    stackFiles.databaseSettings(started, this::note).ifPresent(configuration::add);
    document.describe(started, configuration);
    run.record().describe(started, configuration);
    run.shipRecord();
  }

  private void begin() throws IOException {
    ingest.countBefore();
    if (journal != null) {
      journal.record(
          ingest
              .begun(journal, runId, runName, options.endurance().arguments(), started)
              .withStack(OwnStack.in(fedora.stack().home(), traits.onRecord())));
    }
  }

  /** Null where none is wanted. */
  private StackTelemetry openTelemetry() {
    return options.telemetryInterval().isZero()
        ? null
        : StackTelemetry.open(
            fedora.stack(), run.collector().client(), options.telemetryInterval());
  }

  private void note(String missing) {
    document.note(missing, listener);
  }

  private IngestResult load() throws StepFailure {
    try (StackKeeper keeper =
        StackKeeper.start(new KeptStack(), options.endurance().mostRestarts(), listener)) {
      ingest.processOutagesFrom(keeper::outages);
      IngestResult result = loaded(() -> keeper.failure().isEmpty());
      loadResult = result; // also of a load that gave up: a repair may have to come first
      keeper.close();
      if (keeper.failure().isPresent()) {
        throw failures.completed(keeper.failure().get());
      }
      if (result.ending() == IngestResult.Ending.GAVE_UP) {
        throw new IOException(result.reason());
      }
      if (result.ending() == IngestResult.Ending.FINISHED) {
        requireNothingLost(result);
      }
      return result;
    } catch (IOException e) {
      throw failures.of(Step.INGEST, e);
    }
  }

  /** What ends in the last moment is not started again: the driver would not look at its loss. */
  private void requireNothingLost(IngestResult result) throws IOException {
    List<String> missing = fedora.stack().missing();
    boolean suspects = journal != null && !journal.journal().state().suspects().isEmpty();
    if (!missing.isEmpty() || suspects && result.stuck().isEmpty()) {
      throw new IOException(
          (missing.isEmpty() ? "Fedora" : String.join(" and ", missing))
              + " ended when all objects had been sent, and may have lost some of them.");
    }
  }

  private final class KeptStack implements StackKeeper.Kept {

    @Override
    public List<String> missing() {
      return fedora.stack().missing();
    }

    @Override
    public String kills(List<String> processes) {
      return fedora.stack().kills(processes);
    }

    @Override
    public void hasEnded() {
      telemetry.interrupt();
      if (journal == null) {
        return;
      }
      try {
        journal.journal().allSuspect();
      } catch (IOException e) {
        listener.note("The journal could not be written: " + Reason.of(e));
      }
    }

    @Override
    public void bringUp() throws ProvisioningException, IOException {
      Stack stack = fedora.stack();
      URI before = stack.url();
      stack.bringUp(new StackNews(Step.INGEST, listener), false); // the driver waits to log in
      if (!stack.url().equals(before)) {
        throw new IOException(
            "port "
                + before.getPort()
                + " was taken by another process meanwhile, and the driver knows Fedora by it.");
      }
      telemetry.goOn();
    }
  }

  private IngestResult loaded(BooleanSupplier fedoraAlive) throws IOException {
    if (options.operations() instanceof StudyChoice study) {
      return ingest.study(study, interruption, fedoraAlive);
    }
    if (options.operations() instanceof DatastreamsChoice study) {
      return ingest.study(study, interruption, fedoraAlive);
    }
    return ingest.ingest(interruption, fedoraAlive, run.control(), DiskWatch.of(options.store()));
  }

  private Void drain() throws StepFailure {
    failures.within(
        Step.DRAIN,
        () -> {
          ingest.drain();
          fedora.requireProcesses("the triples were written");
        });
    return null;
  }

  private Verification verify() throws StepFailure, InterruptedException {
    verification = ingest.verify(loadResult, interruption);
    failures.within(Step.VERIFY, () -> fedora.requireProcesses("the objects were verified"));
    return verification;
  }

  /** Takes the time of a batch that indexes the collection, which Fedora must be stopped for. */
  private SortedMap<Long, Long> index() throws StepFailure, InterruptedException {
    try {
      fedora.stack().stop();
      Stack stopped =
          StackRegistry.ofUser()
              .find(home)
              .orElseThrow(() -> new IOException("Fedora's home " + home + " is gone."));
      interruption.cutsBy(() -> stopQuietly(stopped));
      interruption.check(); // a request during the stop has cut something else
      indexesWhole = false;
      SortedMap<Long, Long> nanos =
          HomeScan.of(stopped)
              .index(
                  ingest.sizesOfStudy(),
                  new StackNews(Step.INDEX, listener),
                  text -> listener.progress(Step.INDEX, Double.NaN, text));
      indexesWhole = true;
      ingest.batchIndexed(nanos);
      if (nanos.size() < ingest.sizesOfStudy().size()) {
        throw new IOException(
            "fewer objects have files than were ingested: not every size was indexed");
      }
      return nanos;
    } catch (ProvisioningException e) {
      interruption.check();
      throw StepFailure.of(Step.INDEX, e);
    } catch (IOException e) {
      interruption.check();
      throw failures.of(Step.INDEX, e).withLog(fedora.stack().logs().get(HomeScan.LOG));
    }
  }

  /** Ends what works on the stack's files; what that cannot end, the job's own end does. */
  private void stopQuietly(Stack stack) {
    try {
      stack.stop();
    } catch (IOException e) {
      listener.note("The indexing could not be ended: " + Reason.of(e));
    }
  }

  // The end, which every job comes to.

  private RunOutcome end(StepFailure failure, boolean interrupted) {
    JobEnd end = new JobEnd(steps, failure);
    if (ingest != null) {
      end.attempt(Step.STOP, ingest::close);
    }
    if (fedora.stack() != null) {
      end.attempt(
          Step.STOP,
          () -> step(Step.STOP, this::stop, nothing -> "Fedora and its database have ended"));
    }
    RunState state = end.state(interrupted, this::allIsWell);
    boolean sealed =
        end.attempt(
            Step.SEAL,
            () ->
                end.nowKnownAs(
                    step(
                        Step.SEAL,
                        () -> seal(state, end.failure()),
                        same -> run.collector().location())));
    sealing.endGcLog(); // before the journal is another driver's
    new RunHome(options.store(), runName, home, journal, listener)
        .leave(state, sealed, canBeMended(), options.keep() || !sealed || sealing.filesMissing());
    if (!indexesWhole && Files.exists(home)) {
      listener.note(
          "The indexes of the Fedora in %s are not whole; 'fedometer repair --home %s' makes them so."
              .formatted(home, ShellWord.of(home.toString())));
    }
    return new RunOutcome(
        run.collector().runFolder(),
        run.collector().location(),
        state,
        Optional.ofNullable(end.failure()),
        Optional.of(home).filter(Files::exists));
  }

  /** Whether a repair of Fedora's home may bring in what is not there. */
  private boolean canBeMended() {
    return isAnyStuck() || verification != null && verification.anyMissing();
  }

  private boolean isAnyStuck() {
    return loadResult != null && !loadResult.stuck().isEmpty();
  }

  private Void stop() throws StepFailure {
    failures.within(Step.STOP, fedora.stack()::stop);
    return null;
  }

  private boolean allIsWell() {
    return options.verification().wanted() ? document.allIsWell() : document.allIngested();
  }

  /** The failure with its log where it is now, or null. */
  private StepFailure seal(RunState state, StepFailure failure)
      throws StepFailure, InterruptedException {
    AtomicReference<StepFailure> sealed = new AtomicReference<>();
    try {
      SealWait.await(
          interruption,
          run.collector(),
          () ->
              sealed.set(
                  sealing.seal(
                      state, failure, fedora.left(), ingest != null && traits.recording())));
      return sealed.get();
    } catch (IOException e) {
      throw failures.of(Step.SEAL, e);
    }
  }

  // What the steps share.

  private <T> T step(Step step, JobSteps.Work<T> work, Function<T, String> summary)
      throws StepFailure, InterruptedException {
    return steps.run(step, work, summary);
  }

  private void describe() throws StepFailure {
    failures.within(
        Step.COLLECT,
        () -> {
          run.describe(
              runId, runName, Map.of("collector.port", Integer.toString(run.collector().port())));
          EnvironmentRecord record = run.record();
          record.tool(
              "telemetrySeconds", Double.toString(options.telemetryInterval().toMillis() / 1e3));
          record.toolFile("agent", options.agentJar());
          record.toolJars(System.getProperty("java.class.path"));
          run.shipRecord();
          if (experiment != null) {
            run.shipment().document(StoredExperiment.PLAN, experimentPlan);
          }
          SkippedDocuments.ship(dataset, run.shipment());
        });
  }

  private Map<String, String> workload() {
    Map<String, String> facts = new LinkedHashMap<>(options.workload());
    facts.putAll(MixChoice.resolvedFacts(load));
    return facts;
  }

  private RunDocumentWriter newDocument(Map<String, String> environment) {
    RunDocumentWriter writer =
        new RunDocumentWriter(
            run.shipment(),
            runId,
            runName,
            traits.onRecord(),
            new RunDocument.Dataset(dataset.name(), dataset.parameters()),
            options.workers(),
            options.ratePerSecond(),
            workload(),
            objects == Long.MAX_VALUE ? 0 : objects,
            environment);
    writer.startedAt(
        earlier == null ? started : earlier.record().started(),
        journal == null ? clock : journal.clock());
    writer.experiment(experiment);
    if (journal != null) {
      journal.describe(writer);
    }
    return writer;
  }

  private Path fedoraLog() {
    return fedora == null ? null : fedora.log();
  }
}
