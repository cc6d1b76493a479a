package org.fedometer.experiments;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Datasets;
import org.fedometer.driver.DatastreamFigures;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.ScaleFigures;
import org.fedometer.driver.Verification;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.journal.Stride;
import org.fedometer.experiments.JobRecord.OwnStack;
import org.fedometer.experiments.telemetry.StackTelemetry;
import org.fedometer.profiles.stack.Provisioner;
import org.fedometer.profiles.stack.ProvisioningException;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackOptions;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.store.StoredExperiment;
import org.fedometer.store.Ulid;

/**
 * The main job: one measured ingest into a Fedora that is provisioned for it and taken down after
 * it. {@link #run} is called once, by the thread that conducts it; {@link #interrupt} by any.
 *
 * <p>Whatever happens, every process that was started is stopped and the run folder is sealed with
 * what there is. A plain ingest that does not come to its end leaves Fedora's home and a journal,
 * and another process goes on with it.
 */
public final class MainJob {
  private static final String FEDORA_LOG = "fedora.log";

  /** With less than this left, a failure is put down to the disk. */
  static final long FULL_DISK_BYTES = 32L << 20;

  private final RunOptions options;
  private final JobListener listener;
  private final ResumableRun earlier;
  private final StackTraits traits;
  private final Dataset dataset;

  /** What the driver is to do; of a mix the numbers are steps. */
  private final IngestOptions load;

  /** All objects to ingest. */
  private final long objects;

  private final String runId;
  private final String runName;
  private final Path home;
  private final JobClock clock = JobClock.begins();
  private final String started = clock.timeOfDay();
  private final Interruption interruption = new Interruption();
  private final JobSteps steps;

  /** Null of a run that cannot be taken up in its midst. */
  private JobJournal journal;

  private RunShipment shipment;
  private CollectorLink collector;
  private RunDocumentWriter document;
  private StackShipment stackFiles;
  private Stack stack;
  private EnvironmentRecord environmentRecord;
  private MeasuredIngest ingest;
  private RunControl control;
  private RestartedTelemetry telemetry;

  /** Null before the load has ended. */
  private IngestResult loadResult;

  /** Null before the objects have been verified. */
  private Verification verification;

  /** Whether something of the stack's home may not have reached the run folder. */
  private boolean filesMissing;

  private boolean preflight = true;

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
    this.traits =
        earlier == null
            ? StackTraits.of(options.profile())
            : StackTraits.of(earlier.stack(), earlier.record().stack().profile());
    this.dataset =
        Datasets.open(
            options.dataset(),
            new DatasetOptions(
                DatasetOptions.STANDARD_NAMESPACE, traits.pids(), traits.literalLimitBytes()));
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
    // A folder that no other run can have, since it is deleted in the end.
    this.home =
        earlier != null
            ? earlier.stack().home()
            : homesOf(options.store()).resolve(runName + "-" + runId);
  }

  /** Where the Fedoras of runs are, each in a folder that is called by the run's name and ULID. */
  static Path homesOf(Path store) {
    return store.resolve("homes");
  }

  /** Has the run begun whatever is found before. To be called before {@link #run}. */
  public void leaveOutPreflight() {
    preflight = false;
  }

  /**
   * Makes it a run of an experiment. To be called before {@link #run}.
   *
   * @param place where in the experiment it stands
   * @param plan what the experiment is, a document that travels with the run
   */
  void belongTo(RunDocument.Experiment place, byte[] plan) {
    experiment = place;
    experimentPlan = plan.clone();
  }

  /** Asks the job to end: it stops what it started, seals the run and returns from {@link #run}. */
  public void interrupt() {
    interruption.raise();
  }

  /**
   * Conducts the job from the first step to the last.
   *
   * @throws StepFailure if there is no collector to be had, so that there is not even a run folder;
   *     any later failure is in the outcome
   * @throws InterruptedException if asked to end before there was a run folder
   */
  public RunOutcome run() throws StepFailure, InterruptedException {
    interruption.conductedBy(Thread.currentThread());
    interruption.check();
    openJournal(); // first of all: while another driver has it, the run is that one's
    try {
      collector = step(Step.COLLECT, this::openCollector, CollectorLink::summary);
      collector.pageOf(runName).ifPresent(listener::followable);
    } catch (StepFailure | InterruptedException e) {
      if (journal != null) {
        journal.close(listener);
      }
      throw e;
    }
    control = RunControl.open(runId, runName, this::interrupt);
    try {
      if (control.problem() != null) {
        listener.note(control.problem());
      }
      shipment = new RunShipment(collector.client());
      stackFiles = new StackShipment(shipment);
      Map<String, String> host = HostEnvironment.describe(options.store());
      Map<String, String> moment = HostEnvironment.now(options.store());
      Map<String, String> environment = new LinkedHashMap<>(host);
      environment.putAll(moment);
      document = newDocument(environment);
      steps.recordIn(shipment, document);
      environmentRecord = new EnvironmentRecord(host, moment);
      StepFailure failure = null;
      try {
        describe(environment);
        conduct();
      } catch (StepFailure e) {
        // A step that is cut short fails in words that would mislead.
        failure = interruption.raised() ? endedOnRequest(e) : e;
      } catch (InterruptedException e) {
        failure = endedOnRequest(e);
      } catch (RuntimeException | Error e) {
        // A fault of ours, or no memory left: no reason to leave a Fedora behind.
        failure = new StepFailure(steps.current(), "unexpected: " + e, fedoraLog(), e);
      }
      boolean interrupted = interruption.raised();
      interruption.cleanUp();
      return end(failure, interrupted);
    } finally {
      control.close();
      collector.close();
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
    ship(Step.COLLECT);
    preflight();
    stack = earlier != null ? leftStack() : step(Step.PROVISION, this::provision, MainJob::summary);
    step(Step.START, this::start, nothing -> "Fedora answers at " + stack.url());
    ship(Step.START);
    telemetry = RestartedTelemetry.open(this::openTelemetry);
    try {
      loadResult = step(Step.INGEST, this::load, ResultWords::of);
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
      throw failure(Step.COLLECT, e);
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
    try {
      Preflight.of(planned, options.profile(), options.store()).require(this::note);
    } catch (IOException e) {
      throw failure(Step.PROVISION, e);
    }
  }

  private CollectorLink openCollector() throws StepFailure, InterruptedException {
    try {
      return CollectorLink.open(options.collector(), runId, runName);
    } catch (IOException e) {
      throw StepFailure.of(Step.COLLECT, e);
    }
  }

  private Stack provision() throws StepFailure, InterruptedException {
    try {
      return Provisioner.ofUser()
          .provision(options.profile(), stackOptions(), new StackNews(Step.PROVISION, listener));
    } catch (ProvisioningException e) {
      interruption.check();
      throw failure(Step.PROVISION, e);
    }
  }

  private StackOptions stackOptions() {
    long expectedBytes =
        PlannedLoad.expectedBytes(options.content(), dataset.meanObjectBytes(), expectedObjects());
    return StackOptions.at(home)
        .withHttpPort(options.httpPort())
        .withExpectedDataBytes(expectedBytes)
        .withAgent(options.agentJar(), agentOptions());
  }

  private String agentOptions() {
    return options.collector().access().agentOptions(collector.hostAndPort(), options.agentOptions())
        + ",run="
        + runId
        + ",run-name="
        + runName
        + ",source-name=fedora"
        + telemetryOptions();
  }

  /** Where nobody says how many, as many as are due, or a first few. */
  private double expectedObjects() {
    if (objects != Long.MAX_VALUE) {
      return objects;
    }
    return options.ratePerSecond() == null || options.plan().longest() == null
        ? RunOptions.STANDARD_OBJECTS
        : options.ratePerSecond() * options.plan().longest().toSeconds();
  }

  /**
   * The log of garbage collections tells their pauses, and more exactly: none is to count twice.
   */
  private String telemetryOptions() {
    return options.telemetryInterval().isZero()
        ? ",telemetry=off"
        : ",gc-events=off,telemetry-interval=" + options.telemetryInterval().toMillis() / 1e3;
  }

  private Void start() throws StepFailure, InterruptedException {
    try {
      if (earlier != null) {
        prepareAgain();
      }
      stack.useEnvironment(options.collector().access().agentEnvironment());
      if (earlier != null) {
        stack.bringUp(new StackNews(Step.START, listener), true);
      } else {
        stack.start(new StackNews(Step.START, listener));
      }
      List<String> configuration = new ArrayList<>(stackFiles.configuration(stack));
      shipDatabaseSettings().ifPresent(configuration::add);
      document.describe(stack, configuration);
      environmentRecord.describe(stack, configuration);
      shipment.document(EnvironmentRecord.PATH, environmentRecord.encode());
      ingest =
          new MeasuredIngest(
              StackLogin.of(stack),
              dataset,
              load.withContent(MeasuredIngest.openContent(options.content(), dataset, listener)),
              journal == null ? Journal.inMemory(0) : journal.journal(),
              collector.client(),
              shipment,
              document,
              listener,
              options.verification());
      interruption.cutsBy(ingest::cancelRequests);
      if (journal != null) {
        ingest.recordIn(journal);
      }
      if (earlier != null) {
        journal.takeUp(ingest, options.endurance().arguments(), traits.triplestore(), listener);
      } else {
        begin();
      }
      return null;
    } catch (ProvisioningException e) {
      interruption.check();
      throw failure(Step.START, e);
    } catch (IOException e) {
      throw failure(Step.START, e);
    }
  }

  /** As it is now, since nobody else can be at work on it any more. */
  private Stack leftStack() throws StepFailure {
    try {
      return StackRegistry.ofUser()
          .find(home)
          .orElseThrow(() -> new IOException("Fedora's home " + home + " is gone."));
    } catch (IOException e) {
      throw failure(Step.START, e);
    }
  }

  /**
   * A Fedora that an earlier process has left running goes on, unless its samples would go to a
   * collector that is no more.
   */
  private void prepareAgain() throws IOException, StepFailure {
    if (stack.runsWithAgent(options.agentJar(), agentOptions())) {
      return;
    }
    if (stack.fedoraPid().isPresent()) {
      listener.note("Fedora ran still and is ended: its samples go to another collector.");
      StackRegistry.ofUser().down(home);
      stack = leftStack();
    }
    stack.useAgent(options.agentJar(), agentOptions());
  }

  private void begin() throws IOException {
    ingest.countBefore();
    if (journal != null) {
      journal.record(
          JobRecord.begun(
                  runId,
                  runName,
                  options.endurance().arguments(),
                  dataset.parameters(),
                  ingest.before().objects(),
                  traits.triplestore() ? ingest.before().triples() : null,
                  started,
                  journal.clock().now().epochMillis())
              .withStack(OwnStack.in(stack.home(), traits.onRecord())));
    }
  }

  /** Path below the run folder, if the database is somebody's and tells. */
  private Optional<String> shipDatabaseSettings() throws IOException {
    Optional<String> settings;
    try {
      settings = ExternalDatabaseSettings.of(stack);
    } catch (SQLException e) {
      note("The external database's settings are not in the record: " + Reason.of(e));
      return Optional.empty();
    }
    if (settings.isPresent()) {
      shipment.document(
          ExternalDatabaseSettings.PATH, settings.get().getBytes(StandardCharsets.UTF_8));
    }
    return settings.map(text -> ExternalDatabaseSettings.PATH);
  }

  /** Null where none is wanted. */
  private StackTelemetry openTelemetry() {
    return options.telemetryInterval().isZero()
        ? null
        : StackTelemetry.open(stack, collector.client(), options.telemetryInterval());
  }

  private void note(String missing) {
    document.note(missing);
    listener.note(missing);
  }

  private IngestResult load() throws StepFailure {
    try (StackKeeper keeper =
        StackKeeper.start(new KeptStack(), options.endurance().mostRestarts(), listener)) {
      ingest.processOutagesFrom(keeper::outages);
      IngestResult result = loaded(() -> keeper.failure().isEmpty());
      keeper.close();
      if (keeper.failure().isPresent()) {
        throw endOfProcess(keeper.failure().get());
      }
      if (result.ending() == IngestResult.Ending.GAVE_UP) {
        throw new IOException(result.reason());
      }
      if (result.ending() == IngestResult.Ending.FINISHED) {
        requireNothingLost(result);
      }
      return result;
    } catch (IOException e) {
      throw failure(Step.INGEST, e);
    }
  }

  private StepFailure endOfProcess(StepFailure failure) {
    return new StepFailure(
        failure.step(),
        failure.getMessage() + diskHint(),
        failure.log().orElse(fedoraLog()),
        failure.getCause());
  }

  /** What ends in the last moment is not started again: the driver would not look at its loss. */
  private void requireNothingLost(IngestResult result) throws IOException {
    List<String> missing = stack.missing();
    boolean suspects = journal != null && !journal.journal().state().suspects().isEmpty();
    if (!missing.isEmpty() || suspects && result.stuck().isEmpty()) {
      throw new IOException(
          (missing.isEmpty() ? "Fedora" : String.join(" and ", missing))
              + " ended when all objects had been sent, and may have lost some of them.");
    }
  }

  /** The stack as its keeper sees it. */
  private final class KeptStack implements StackKeeper.Kept {

    @Override
    public List<String> missing() {
      return stack.missing();
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
    return ingest.ingest(interruption, fedoraAlive, control, DiskWatch.of(options.store()));
  }

  private Void drain() throws StepFailure {
    try {
      ingest.drain();
      requireProcesses("the triples were written");
      return null;
    } catch (IOException e) {
      throw failure(Step.DRAIN, e);
    }
  }

  private Verification verify() throws StepFailure, InterruptedException {
    verification = ingest.verify(loadResult, interruption);
    try {
      requireProcesses("the objects were verified");
    } catch (IOException e) {
      throw failure(Step.VERIFY, e);
    }
    return verification;
  }

  /** After the load nothing is started again: whoever goes on with the run does that. */
  private void requireProcesses(String meanwhile) throws IOException {
    List<String> missing = stack.missing();
    if (!missing.isEmpty()) {
      throw new IOException(String.join(" and ", missing) + " ended while " + meanwhile + ".");
    }
  }

  // The end, which every job comes to.

  private RunOutcome end(StepFailure failure, boolean interrupted) {
    StepFailure worst = failure;
    try {
      if (ingest != null) {
        ingest.close();
      }
    } catch (RuntimeException e) {
      worst = steps.firstOf(worst, Step.STOP, e);
    }
    try {
      if (stack != null) {
        step(Step.STOP, this::stop, nothing -> "Fedora and its database have ended");
      }
    } catch (StepFailure | InterruptedException | RuntimeException e) {
      worst = steps.firstOf(worst, Step.STOP, e);
    }
    RunState state = stateOf(worst, interrupted);
    boolean sealed = false;
    try {
      StepFailure reported = worst;
      worst = step(Step.SEAL, () -> seal(state, reported), same -> collector.location());
      sealed = true;
    } catch (StepFailure | InterruptedException | RuntimeException e) {
      worst = steps.firstOf(worst, Step.SEAL, e);
      filesMissing = true;
    }
    leave(state, sealed);
    return new RunOutcome(
        collector.runFolder(),
        collector.location(),
        state,
        Optional.ofNullable(worst),
        Optional.of(home).filter(Files::exists));
  }

  /**
   * What stays on this host, and what goes. Until all of that is done no other driver can take the
   * run up.
   */
  private void leave(RunState state, boolean sealed) {
    // A run that is not sealed has not ended: whoever goes on with it seals it.
    if (sealed && journal != null && journal.isOnRecord()) {
      record(journal.record().ended(state.id()));
    }
    boolean goesOn = goesOn(state, sealed);
    if (goesOn) {
      listener.note(howToGoOn());
    } else if (!options.keep() && !filesMissing) {
      deleteHome();
      deleteJournal();
    }
    if (journal != null) {
      journal.close(listener);
    }
  }

  /** Whether there is something to go on with, as against a run that failed before its load. */
  private boolean goesOn(RunState state, boolean sealed) {
    return journal != null
        && journal.isOnRecord()
        && (!sealed || state == RunState.FAILED || state == RunState.INTERRUPTED || canBeMended());
  }

  /** Whether a repair of Fedora's home may bring in what is not there. */
  private boolean canBeMended() {
    return isAnyStuck() || verification != null && verification.anyMissing();
  }

  /** Whether objects wait for a repair of Fedora's home. */
  private boolean isAnyStuck() {
    return loadResult != null && !loadResult.stuck().isEmpty();
  }

  private String howToGoOn() {
    return howToGoOn(runName, options.store(), home, journal.folder(), canBeMended());
  }

  /**
   * Commands to be copied into a shell, one of which deletes.
   *
   * @param mend whether Fedora's home is to be repaired before
   */
  static String howToGoOn(String runName, Path store, Path home, Path journal, boolean mend) {
    String quotedHome = ShellWord.of(home.toString());
    return runName
        + " can go on: "
        + (mend ? "'fedometer repair --home " + quotedHome + "', then " : "")
        + "'fedometer run --resume "
        + runName
        + StoreHint.of(store)
        + "'. To throw it away: 'fedometer down --home "
        + quotedHome
        + " --delete' and 'rm -r "
        + ShellWord.of(journal.toString())
        + "'.";
  }

  private void record(JobRecord record) {
    try {
      journal.record(record);
    } catch (IOException e) {
      listener.note("The record in " + journal.folder() + " could not be written: " + Reason.of(e));
    }
  }

  private void deleteJournal() {
    if (journal == null) {
      return;
    }
    try {
      journal.delete();
    } catch (IOException e) {
      listener.note(
          "The journal in " + journal.folder() + " could not be deleted: " + Reason.of(e));
    }
  }

  private Void stop() throws StepFailure {
    try {
      stack.stop();
      return null;
    } catch (IOException e) {
      throw failure(Step.STOP, e);
    }
  }

  private RunState stateOf(StepFailure failure, boolean interrupted) {
    if (interrupted) {
      return RunState.INTERRUPTED;
    }
    if (failure != null) {
      return RunState.FAILED;
    }
    boolean well = options.verification().wanted() ? document.allIsWell() : document.allIngested();
    return well ? RunState.DONE : RunState.DONE_WITH_ERRORS;
  }

  /**
   * Ships logs and recordings and the last run.json, and has the run sealed. The log of garbage
   * collections, which may be long, is read when run.json is there.
   *
   * @return the failure with its log where it is now, or null
   */
  private StepFailure seal(RunState state, StepFailure failure) throws StepFailure {
    try {
      Optional<Stack> found = stack != null ? Optional.of(stack) : provisionedPart();
      if (found.isPresent()) {
        shipFiles(found.get());
      }
      RunDocument.Failure described = failure == null ? null : describe(failure);
      document.shipEnded(state, described);
      if (found.isPresent()) {
        int notesSoFar = document.notes();
        sendGcLog(found.get());
        if (document.notes() > notesSoFar) {
          document.shipEnded(state, described);
        }
      }
      collector.closeRun(held -> steps.tellHeld(failure, held));
      return failure == null ? null : failure.withLog(whereShipped(failure));
    } catch (IOException e) {
      throw failure(Step.SEAL, e);
    }
  }

  private void shipFiles(Stack ended) throws IOException {
    filesMissing =
        !tryTo("ship the logs", () -> document.logFiles(stackFiles.logs(ended)))
            | !tryTo("ship the recordings", () -> stackFiles.recordings(ended));
    if (ingest != null && traits.recording() && ended.recordings().isEmpty()) {
      note("Java Flight Recorder was to record, and Fedora's JVM has left no recording.");
    }
    Path fedoraLog = ended.logs().get(FEDORA_LOG);
    if (fedoraLog != null) {
      tryTo("send " + FEDORA_LOG + " line by line", () -> sendLog(fedoraLog));
    }
  }

  private void sendLog(Path log) throws IOException {
    OwnStack before = sentBefore();
    FedoraLog.Unsent unsent =
        FedoraLog.unsent(log, before.sentLogBeginning(), before.sentLogBytes());
    collector.sendLog(FEDORA_LOG, unsent.parts());
    recordSent(before.withLogSent(Files.size(log), FedoraLog.beginning(log)));
    if (unsent.gap()) {
      note("Lines of " + FEDORA_LOG + " are missing: it has grown more than is kept of it.");
    }
  }

  /** What earlier processes of this run have sent of the logs that Fedora adds to. */
  private OwnStack sentBefore() {
    return journal != null && journal.isOnRecord()
        ? journal.record().stack()
        : OwnStack.in(home, traits.onRecord());
  }

  private void recordSent(OwnStack sent) {
    if (journal != null && journal.isOnRecord()) {
      record(journal.record().withStack(sent));
    }
  }

  /** A log that cannot be read is in the run folder as it is; no run fails for it. */
  private void sendGcLog(Stack logged) throws IOException {
    tryTo(
        "read the log of garbage collections for the table gc",
        () -> {
          List<Path> parts = GcLog.parts(logged.logs());
          if (parts.isEmpty()) {
            return;
          }
          GcLog.Reading read =
              GcLog.read(
                  parts,
                  fraction -> listener.progress(Step.SEAL, fraction, "log of garbage collections"));
          read.notes().forEach(this::note);
          OwnStack before = sentBefore();
          List<GcLog.Pause> pauses =
              read.pauses().stream()
                  .filter(pause -> pause.startEpochNanos() > before.sentPausesUntilEpochNanos())
                  .toList();
          collector.sendGcLog(pauses);
          if (!pauses.isEmpty()) {
            long last = pauses.get(pauses.size() - 1).startEpochNanos();
            recordSent(before.withPausesSent(last));
          }
        });
  }

  private interface Sending {
    void send() throws IOException;
  }

  /** What is missing in the record of a run is no reason to leave it without its last run.json. */
  private boolean tryTo(String what, Sending sending) throws IOException {
    try {
      sending.send();
      return true;
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // The last is of a regular expression that a strange line of a log takes too deep.
      if (e instanceof IOException lost && !collector.client().status().connected()) {
        // Nothing else would reach it either, after a long wait for each.
        throw lost;
      }
      note("Could not " + what + ": " + Reason.of(e));
      return false;
    }
  }

  /** What a provisioning that failed has left; its log tells why. */
  private Optional<Stack> provisionedPart() throws IOException {
    return StackRegistry.ofUser().find(home);
  }

  private RunDocument.Failure describe(StepFailure failure) {
    String log =
        failure.log().map(path -> stackFiles.shipped(path).orElse(path.toString())).orElse(null);
    return new RunDocument.Failure(failure.step().id(), failure.getMessage(), log);
  }

  private Path whereShipped(StepFailure failure) {
    Path log = failure.log().orElse(null);
    Optional<Path> folder = collector.runFolder();
    return log == null || folder.isEmpty()
        ? log
        : stackFiles.shipped(log).map(folder.get()::resolve).orElse(log);
  }

  private void deleteHome() {
    try {
      Optional<Stack> found = StackRegistry.ofUser().find(home);
      if (found.isPresent()) {
        found.get().delete();
      }
    } catch (IOException e) {
      listener.note("Fedora's home " + home + " could not be deleted: " + Reason.of(e));
    }
  }

  // What the steps share.

  private <T> T step(Step step, JobSteps.Work<T> work, Function<T, String> summary)
      throws StepFailure, InterruptedException {
    return steps.run(step, work, summary);
  }

  private void ship(Step step) throws StepFailure {
    try {
      document.shipRunning();
    } catch (IOException e) {
      throw failure(step, e);
    }
  }

  private void describe(Map<String, String> environment) throws StepFailure {
    try {
      shipment.environment(environment);
      environmentRecord.ownRun(runId, runName);
      environmentRecord.own("collector.port", Integer.toString(collector.port()));
      environmentRecord.own("store", options.store().toAbsolutePath().normalize().toString());
      environmentRecord.tool(
          "telemetrySeconds", Double.toString(options.telemetryInterval().toMillis() / 1e3));
      environmentRecord.tool("collector", collector.place());
      environmentRecord.toolFile("agent", options.agentJar());
      environmentRecord.toolJars(System.getProperty("java.class.path"));
      shipment.document(EnvironmentRecord.PATH, environmentRecord.encode());
      if (experiment != null) {
        shipment.document(StoredExperiment.PLAN, experimentPlan);
      }
      SkippedDocuments.ship(dataset, shipment);
    } catch (IOException e) {
      throw failure(Step.COLLECT, e);
    }
  }

  private Map<String, String> workload() {
    Map<String, String> facts = new LinkedHashMap<>(options.workload());
    facts.putAll(MixChoice.resolvedFacts(load));
    return facts;
  }

  private RunDocumentWriter newDocument(Map<String, String> environment) {
    RunDocumentWriter writer =
        new RunDocumentWriter(
            shipment,
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

  private static StepFailure failure(Step step, ProvisioningException e) {
    return new StepFailure(step, Reason.of(e), e.log().orElse(null), e);
  }

  private StepFailure failure(Step step, IOException e) {
    return new StepFailure(step, Reason.of(e) + diskHint(), fedoraLog(), e);
  }

  /** A full disk shows itself in many ways, few of which say so. */
  private String diskHint() {
    long usableBytes = options.store().toFile().getUsableSpace();
    return usableBytes > FULL_DISK_BYTES || !Files.exists(options.store())
        ? ""
        : " The disk of " + options.store() + " is full: " + Words.bytes(usableBytes) + " left.";
  }

  private StepFailure endedOnRequest(Exception cause) {
    return new StepFailure(steps.current(), "ended on request", fedoraLog(), cause);
  }

  private Path fedoraLog() {
    return stack == null ? null : stack.logs().get(FEDORA_LOG);
  }

  private static String summary(Stack stack) {
    return stack.profileName() + " in " + stack.home();
  }
}
