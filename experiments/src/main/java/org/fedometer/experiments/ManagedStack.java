package org.fedometer.experiments;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.verify.Verification;
import org.fedometer.experiments.host.DiskMonitor;
import org.fedometer.experiments.host.EnvironmentRecord;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.load.DatastreamsChoice;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.MixChoice;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.experiments.load.StudyChoice;
import org.fedometer.experiments.measure.MeasuredIngest;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.experiments.record.ResumableRun;
import org.fedometer.experiments.record.RunHome;
import org.fedometer.experiments.stack.CustomStages;
import org.fedometer.experiments.stack.RestartedTelemetry;
import org.fedometer.experiments.stack.StackLogin;
import org.fedometer.experiments.stack.StackProgress;
import org.fedometer.experiments.stack.StackShipment;
import org.fedometer.experiments.stack.StackSupervisor;
import org.fedometer.experiments.stack.StackTraits;
import org.fedometer.experiments.telemetry.StackTelemetry;
import org.fedometer.profiles.stack.HomeScan;
import org.fedometer.profiles.stack.LostTriplesException;
import org.fedometer.profiles.stack.Provisioner;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.wire.Counted;

/**
 * A Fedora that is provisioned for the load, supervised during it, and removed afterwards. After an
 * incomplete load, its home remains. Confined to the job's thread, and to the supervisor's during
 * the load.
 */
final class ManagedStack implements LoadTarget {
  /** The log that explains failures of Fedora. */
  static final String FEDORA_LOG = "fedora.log";

  private final RunOptions options;

  /** Null for a new run. */
  private final ResumableRun earlier;

  private final StackTraits traits;
  private final Dataset dataset;
  private final IngestOptions load;
  private final long objects;

  private LoadContext job;
  private Path home;
  private String agentArguments;
  private StackShipment files;
  private RunSealing sealing;

  /** Null before it is provisioned or found. */
  private Stack stack;

  private RestartedTelemetry telemetry;

  /** Null before the load has ended, in any way. */
  private IngestResult loadResult;

  /** Null before the objects have been verified. */
  private Verification verification;

  /** False while a batch rebuilds the indexes. */
  private boolean indexesComplete = true;

  ManagedStack(
      RunOptions options,
      ResumableRun earlierOrNull,
      StackTraits traits,
      Dataset dataset,
      IngestOptions load) {
    this.options = options;
    this.earlier = earlierOrNull;
    this.traits = traits;
    this.dataset = dataset;
    this.load = load;
    this.objects = load.allObjects(dataset.leadingObjects());
  }

  @Override
  public RunDocument.Profile profile() {
    return traits.onRecord();
  }

  @Override
  public String generatedName(String runId) {
    return RunName.generate(runId, traits.name(), dataset.name());
  }

  @Override
  public void opened(LoadContext opened) {
    job = opened;
    home =
        earlier != null
            ? earlier.stack().home()
            : RunHome.of(options.store(), job.runName(), job.runId());
    files = new StackShipment(job.run().shipment());
    sealing = new RunSealing(job, files);
    agentArguments =
        options
                .collector()
                .access()
                .agentOptions(job.run().collector().hostAndPort(), options.agentOptions())
            + ",run="
            + job.runId()
            + ",run-name="
            + job.runName()
            + ",source-name=fedora"
            + telemetryArguments();
  }

  /**
   * Returns the telemetry options; the GC log reports pauses more exactly, and none may count
   * twice.
   */
  private String telemetryArguments() {
    return options.telemetryInterval().isZero()
        ? ",telemetry=off"
        : ",gc-events=off,telemetry-interval=" + options.telemetryInterval().toMillis() / 1e3;
  }

  @Override
  public void describe(EnvironmentRecord record) throws IOException {
    record.tool("telemetrySeconds", Double.toString(options.telemetryInterval().toMillis() / 1e3));
    record.toolFile("agent", options.agentJar());
  }

  @Override
  public void prepare() throws StepFailure, InterruptedException {
    if (earlier != null) {
      job.failures().within(Step.START, () -> stack = find());
      return;
    }
    if (job.preflight()) {
      preflight();
    }
    job.steps()
        .run(Step.PROVISION, this::provision, made -> made.profileName() + " in " + made.home());
  }

  private void preflight() throws StepFailure {
    boolean asksTriplestore = options.load().operations() instanceof MixChoice;
    long maxObjects = options.load().plan().ends() ? Long.MAX_VALUE : objects;
    PlannedLoad planned =
        new PlannedLoad(
            dataset,
            maxObjects,
            options.load().plan().workers(),
            options.load().content(),
            asksTriplestore);
    job.failures()
        .within(
            Step.PROVISION,
            () -> Preflight.of(planned, options.profile(), options.store()).require(job::note));
  }

  private Stack provision() throws StepFailure, InterruptedException {
    StackOptions how =
        StackOptions.at(home)
            .withHttpPort(options.httpPort())
            .withExpectedDataBytes(
                PlannedLoad.expectedBytes(
                    options.load().content(), dataset.meanObjectBytes(), expectedObjects()))
            .withAgent(options.agentJar(), agentArguments);
    try {
      stack =
          Provisioner.ofUser()
              .provision(options.profile(), how, new StackProgress(Step.PROVISION, job.listener()));
      return stack;
    } catch (ProvisioningException e) {
      job.interruption().check();
      throw StepFailure.of(Step.PROVISION, e);
    }
  }

  private double expectedObjects() {
    if (objects != Long.MAX_VALUE) {
      return objects;
    }
    LoadPlan plan = options.load().plan();
    return plan.ratePerSecond() == null || plan.maxDuration() == null
        ? LoadPlan.STANDARD_OBJECTS
        : plan.ratePerSecond() * plan.maxDuration().toSeconds();
  }

  /** Finds the stack in its current state, as no other process can use it any more. */
  private Stack find() throws IOException {
    return StackRegistry.ofUser()
        .find(home)
        .orElseThrow(() -> new IOException("Fedora's home " + home + " is gone."));
  }

  @Override
  public IngestOptions start() throws IOException, StepFailure, InterruptedException {
    try {
      if (earlier != null) {
        restart();
      } else {
        stack.useEnvironment(options.collector().access().agentEnvironment());
        stack.start(new StackProgress(Step.START, job.listener()));
      }
    } catch (ProvisioningException e) {
      job.interruption().check();
      throw StepFailure.of(Step.START, e);
    }
    // Objects must not come before the custom stages.
    CustomStages.of(options.agentJar(), options.agentOptions())
        .awaitWoven(stack, job::note, job.listener()::note);
    List<String> configuration = new ArrayList<>(files.configuration(stack));
    files.databaseSettings(stack, job::note).ifPresent(configuration::add);
    job.document().describe(stack, configuration);
    job.run().record().describe(stack, configuration);
    job.run().shipRecord();
    return load;
  }

  /**
   * Restarts a found stack. A running Fedora continues, unless its samples would go to a former
   * collector.
   */
  private void restart() throws ProvisioningException, IOException {
    if (!stack.runsWithAgent(options.agentJar(), agentArguments)) {
      if (stack.fedoraPid().isPresent()) {
        job.listener()
            .note("The running Fedora is stopped, as its samples go to another collector.");
        try {
          StackRegistry.ofUser().down(home);
        } catch (LostTriplesException e) {
          // The check of a resumed load finds their objects.
          job.listener().note(e.getMessage() + ".");
        }
        stack = find();
      }
      stack.useAgent(options.agentJar(), agentArguments);
    }
    stack.useEnvironment(options.collector().access().agentEnvironment());
    stack.bringUp(new StackProgress(Step.START, job.listener()), true);
  }

  @Override
  public FedoraLogin login() throws IOException {
    return StackLogin.of(stack);
  }

  @Override
  public JobRecord onRecord(JobRecord begun) {
    return begun.withStack(JobRecord.RecordedStack.in(stack.home(), traits.onRecord()));
  }

  @Override
  public void loadBegins() {
    telemetry = RestartedTelemetry.open(this::openTelemetry);
    sealing.followGcLog(stack);
  }

  /** Returns null if no telemetry is wanted. */
  private StackTelemetry openTelemetry() {
    return options.telemetryInterval().isZero()
        ? null
        : StackTelemetry.open(stack, job.run().collector().client(), options.telemetryInterval());
  }

  @Override
  public IngestResult load(MeasuredIngest ingest) throws IOException, StepFailure {
    try (StackSupervisor supervisor =
        StackSupervisor.start(
            new SupervisedStack(), options.endurance().maxRestarts(), job.listener())) {
      ingest.processOutagesFrom(supervisor::outages);
      IngestResult result = loaded(ingest, () -> supervisor.failure().isEmpty());
      loadResult = result; // also after a load that gave up: a repair may be necessary first
      supervisor.close();
      if (supervisor.failure().isPresent()) {
        throw job.failures().completed(supervisor.failure().get());
      }
      if (result.endStatus() == IngestResult.EndStatus.GAVE_UP) {
        throw new IOException(result.reason());
      }
      if (result.endStatus() == IngestResult.EndStatus.FINISHED) {
        requireNothingUnconfirmed(result);
      }
      return result;
    }
  }

  private IngestResult loaded(MeasuredIngest ingest, BooleanSupplier fedoraAlive)
      throws IOException {
    if (options.load().operations() instanceof StudyChoice study) {
      return ingest.study(study, job.interruption(), fedoraAlive);
    }
    if (options.load().operations() instanceof DatastreamsChoice study) {
      return ingest.study(study, job.interruption(), fedoraAlive);
    }
    return ingest.ingest(
        job.interruption(), fedoraAlive, job.run().control(), DiskMonitor.of(options.store()));
  }

  /**
   * Fails if a process ended at the last moment, which is not restarted: the driver would not check
   * its loss.
   */
  private void requireNothingUnconfirmed(IngestResult result) throws IOException {
    List<String> missing = stack.missing();
    boolean unconfirmed = !job.journal().journal().state().unconfirmed().isEmpty();
    if (!missing.isEmpty() || unconfirmed && result.unrecoverable().isEmpty()) {
      throw new IOException(
          (missing.isEmpty() ? "Fedora" : String.join(" and ", missing))
              + " ended after all objects had been sent and may have lost some of them.");
    }
  }

  private final class SupervisedStack implements StackSupervisor.Supervised {

    @Override
    public List<String> missing() {
      return stack.missing();
    }

    @Override
    public String kills(List<String> processes) {
      return stack.killCauses(processes);
    }

    @Override
    public void onEnded() {
      telemetry.interrupt();
      try {
        job.journal().journal().allUnconfirmed();
      } catch (IOException e) {
        job.listener().note("The journal could not be written: " + Reason.of(e));
      }
    }

    @Override
    public void bringUp() throws ProvisioningException, IOException {
      URI before = stack.url();
      stack.bringUp(
          new StackProgress(Step.INGEST, job.listener()), false); // the driver waits to log in
      if (!stack.url().equals(before)) {
        throw new IOException(
            "another process has taken port "
                + before.getPort()
                + " of Fedora, which the driver uses.");
      }
      telemetry.resume();
    }
  }

  @Override
  public String drained() throws IOException {
    requireProcesses("the triples were written");
    return traits.triplestore() ? "all triples written" : "no triplestore";
  }

  /** Fails if a process ended; after the load, only a resume restarts it. */
  private void requireProcesses(String meanwhile) throws IOException {
    List<String> missing = stack.missing();
    if (!missing.isEmpty()) {
      String kills = stack.killCauses(missing);
      throw new IOException(
          String.join(" and ", missing)
              + " ended while "
              + meanwhile
              + (kills.isEmpty() ? "." : ": " + kills + "."));
    }
  }

  @Override
  public void loadEnds() {
    telemetry.close();
    telemetry.notes().forEach(job::note);
  }

  @Override
  public void verified(Verification found) throws IOException {
    verification = found;
    requireProcesses("the objects were verified");
  }

  @Override
  public void afterLoad(MeasuredIngest ingest) throws StepFailure, InterruptedException {
    if (options.load().operations() instanceof StudyChoice && loadResult.complete()) {
      job.steps()
          .run(
              Step.INDEX,
              () -> index(ingest),
              times -> Counted.of(times.isEmpty() ? 0 : times.lastKey(), "object") + " reindexed");
    }
  }

  /** Times a batch that indexes the collection while Fedora is stopped. */
  private SortedMap<Long, Long> index(MeasuredIngest ingest)
      throws StepFailure, InterruptedException {
    try {
      stack.stop();
      Stack stopped = find();
      job.interruption().onInterrupt(() -> stopQuietly(stopped));
      job.interruption().check(); // an interrupt during the stop has affected something else
      indexesComplete = false;
      SortedMap<Long, Long> nanos =
          HomeScan.of(stopped)
              .index(
                  ingest.sizesOfStudy(),
                  new StackProgress(Step.INDEX, job.listener()),
                  text -> job.listener().progress(Step.INDEX, Double.NaN, text));
      indexesComplete = true;
      ingest.batchIndexed(nanos);
      if (nanos.size() < ingest.sizesOfStudy().size()) {
        throw new IOException(
            "not every size was indexed, as fewer objects have files than were ingested");
      }
      return nanos;
    } catch (ProvisioningException e) {
      job.interruption().check();
      throw StepFailure.of(Step.INDEX, e);
    } catch (IOException e) {
      job.interruption().check();
      throw job.failures().of(Step.INDEX, e).withLog(stack.logs().get(HomeScan.LOG));
    }
  }

  /** Stops work on the stack's files; a failure is left to the job's end. */
  private void stopQuietly(Stack stack) {
    try {
      stack.stop();
    } catch (IOException e) {
      job.listener().note("The indexing could not be stopped: " + Reason.of(e));
    }
  }

  @Override
  public Path log() {
    return stack == null ? null : stack.logs().get(FEDORA_LOG);
  }

  @Override
  public void stop(JobEnd end) {
    if (stack == null) {
      return;
    }
    end.attempt(
        Step.STOP,
        () ->
            job.steps()
                .run(
                    Step.STOP,
                    () -> {
                      job.failures().within(Step.STOP, stack::stop);
                      return null;
                    },
                    nothing -> "Fedora and its database have ended"));
  }

  @Override
  public StepFailure seal(RunState state, StepFailure failure, boolean begun) throws IOException {
    // Also after a failed provisioning, whose log has the cause.
    Optional<Stack> present =
        stack != null ? Optional.of(stack) : StackRegistry.ofUser().find(home);
    return sealing.seal(state, failure, present, begun && traits.recording());
  }

  @Override
  public Optional<Path> leave(RunState state, boolean sealed) {
    sealing.endGcLog(); // before another driver can open the journal
    new RunHome(options.store(), job.runName(), home, job.journal(), job.listener())
        .finish(state, sealed, isRepairable(), options.keep() || !sealed || sealing.filesMissing());
    if (!indexesComplete && Files.exists(home)) {
      job.listener()
          .note(
              "The indexes of the Fedora in %s are incomplete; 'fedometer stack repair --home %s' completes them."
                  .formatted(home, ShellWord.of(home.toString())));
    }
    return Optional.of(home).filter(Files::exists);
  }

  /** Returns whether a repair of Fedora's home may restore missing data. */
  private boolean isRepairable() {
    return loadResult != null && !loadResult.unrecoverable().isEmpty()
        || verification != null && verification.anyMissing();
  }

  @Override
  public void close() {
    sealing.endGcLog();
  }
}
