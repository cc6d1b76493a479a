package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Datasets;
import org.fedometer.driver.FedoraClient;
import org.fedometer.driver.FedoraClientOptions;
import org.fedometer.driver.FedoraSession;
import org.fedometer.driver.FedoraUnreachableException;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.Shard;
import org.fedometer.driver.TripleCounter;
import org.fedometer.driver.journal.Journal;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunParts;
import org.fedometer.store.RunState;
import org.fedometer.store.RunView;
import org.fedometer.store.Ulid;

/**
 * The driver alone: loads a dataset into a Fedora that is somebody's, and can go on with what an
 * earlier process of the same ingest has left. {@link #run} is called once, by the thread that
 * conducts it; {@link #interrupt} by any.
 */
public final class IngestJob {
  private final IngestJobOptions options;
  private final JobListener listener;
  private final Dataset dataset;

  /** What the driver is to do; of a mix the numbers are steps. */
  private final IngestOptions load;

  /** All objects to ingest, those of other shards, too. */
  private final long objects;

  private final JobRecord earlier;
  private final Interruption interruption = new Interruption();
  private final JobSteps steps;
  private final String started = JobClock.begins().timeOfDay();

  private String runId;
  private String runName;
  private CollectorLink collector;
  private RunControl control;
  private RunShipment shipment;
  private RunDocumentWriter document;
  private EnvironmentRecord environmentRecord;
  private MeasuredIngest ingest;
  private JobJournal journal;

  private boolean preflight = true;

  /**
   * Checks what the user asked for; nothing is sent yet.
   *
   * @param earlierOrNull what an earlier process of this ingest has left, to go on with
   * @throws org.fedometer.datasets.UnknownDatasetException naming the datasets there are
   * @throws IllegalArgumentException if something cannot be
   */
  public IngestJob(IngestJobOptions options, JobRecord earlierOrNull, JobListener listener) {
    this.options = options;
    this.listener = listener;
    this.earlier = earlierOrNull;
    this.steps = new JobSteps(listener);
    this.dataset =
        Datasets.open(
            options.dataset(),
            new DatasetOptions(
                options.pidNamespace(), options.pidForm(), options.literalLimitBytes()));
    SkippedDocuments.tell(dataset, listener);
    options.content().requireFor(dataset);
    this.load = options.ingest(dataset, options.plan().driverEnds(diskOf(options)));
    this.objects = load.allObjects(dataset.leadingObjects());
    if (earlier != null && options.mix() != null) {
      throw new IllegalArgumentException(
          earlier.runName() + " was begun without a mix, and goes on without one");
    }
    if (earlier != null && options.plan().steps() != null) {
      throw new IllegalArgumentException(
          earlier.runName()
              + " went in steps: what they measure cannot be taken up in their midst; begin anew");
    }
    if (earlier != null) {
      earlier.requireSameDataset(dataset.parameters());
    }
    this.runId = earlier != null ? earlier.runId() : options.join() ? "" : Ulid.next();
    this.runName =
        earlier != null
            ? earlier.runName()
            : options.name() != null ? options.name() : RunName.made(runId, dataset.name());
  }

  /** Fedora's disk can only be seen on this host, and is taken for that of the store; else null. */
  private static Path diskOf(IngestJobOptions options) {
    return ThisHost.isResolvedFrom(options.target().url()) ? options.store() : null;
  }

  private DiskWatch diskWatch() {
    Path disk = diskOf(options);
    return disk == null ? null : DiskWatch.of(disk);
  }

  /** Has the load begun whatever is found of Fedora before. To be called before {@link #run}. */
  public void leaveOutPreflight() {
    preflight = false;
  }

  /** Asks the job to end: requests under way may finish, then the run is sealed. */
  public void interrupt() {
    interruption.raise();
  }

  /**
   * Conducts the job from the first step to the last.
   *
   * @throws StepFailure if there is no collector to be had; any later failure is in the outcome
   * @throws InterruptedException if asked to end before there was a run folder
   */
  public RunOutcome run() throws StepFailure, InterruptedException {
    interruption.conductedBy(Thread.currentThread());
    interruption.check();
    openJournal(); // first of all: while another driver has it, the run is that one's
    try {
      if (options.join()) {
        requireFittingRun();
      }
      collector = steps.run(Step.COLLECT, this::openCollector, CollectorLink::summary);
      collector.pageOf(runName).ifPresent(listener::followable);
    } catch (StepFailure | InterruptedException | RuntimeException e) {
      journal.close(listener);
      throw e;
    }
    try {
      runId = collector.runId();
      control = RunControl.open(controlId(), partName(), this::interrupt);
      if (control.problem() != null) {
        listener.note(control.problem());
      }
      shipment = new RunShipment(collector.client());
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
        failure = interruption.raised() ? endedOnRequest(e) : e;
      } catch (InterruptedException e) {
        failure = endedOnRequest(e);
      } catch (RuntimeException | Error e) {
        failure = new StepFailure(steps.current(), "unexpected: " + e, null, e);
      }
      boolean interrupted = interruption.raised();
      interruption.cleanUp();
      return end(failure, interrupted);
    } finally {
      if (control != null) {
        control.close();
      }
      collector.close();
    }
  }

  /** Each shard is spoken to by itself. */
  private String controlId() {
    return options.shard().isPart() ? runId + "." + options.shard().number() : runId;
  }

  private void conduct() throws StepFailure, InterruptedException {
    ship(Step.COLLECT);
    steps.run(Step.START, this::open, nothing -> "Fedora answers at " + options.target().url());
    ship(Step.START);
    IngestResult result = steps.run(Step.INGEST, this::load, ResultWords::of);
    interruption.check();
    steps.run(Step.DRAIN, this::drain, nothing -> "all triples written");
    if (options.verification().wanted() && options.shard().isPart()) {
      listener.note("A part of a run is not verified: the others' objects would be counted, too.");
    } else if (options.verification().wanted()) {
      steps.run(Step.VERIFY, () -> ingest.verify(result, interruption), ResultWords::of);
    }
  }

  private CollectorLink openCollector() throws StepFailure, InterruptedException {
    try {
      return CollectorLink.open(options.collector(), runId, runName);
    } catch (IOException e) {
      throw failure(Step.COLLECT, e);
    }
  }

  /**
   * Looks at the run that is joined before anything of this driver is in it.
   *
   * @throws IllegalArgumentException one sentence: there is none, or it is not one that this could
   *     be a part of
   */
  private void requireFittingRun() throws StepFailure, InterruptedException {
    try {
      requireFitting(CollectorLink.storeOf(options.collector()).run(runName));
    } catch (NoSuchRunException e) {
      if (earlier == null && !options.shard().isPart()) {
        throw new IllegalArgumentException("--join: " + e.getMessage(), e);
      }
    } catch (IOException e) {
      throw failure(Step.COLLECT, e);
    }
  }

  private void requireFitting(RunView run) throws IOException {
    if (!run.hasDocument()) {
      return;
    }
    Shard shard = options.shard();
    if (!shard.isPart()) {
      if (!run.parts().isEmpty()) {
        throw new IllegalArgumentException(
            runName + " is loaded by several drivers, each with a --shard; give another --name");
      }
      return;
    }
    if (earlier == null && isLoadedByOne(run)) {
      throw new IllegalArgumentException(
          runName + " is there already, loaded by one driver; give the parts another --name");
    }
    Map<String, RunDocument> parts = new TreeMap<>(run.parts());
    if (parts.isEmpty()) {
      return;
    }
    parts.put(
        RunParts.path(shard.number(), shard.count()),
        newDocument(Map.of()).document(RunState.RUNNING, null));
    Optional<String> disagreement = RunParts.disagreement(parts);
    if (disagreement.isPresent() && earlier == null) {
      throw new IllegalArgumentException(
          "this is no part of what the other drivers of "
              + runName
              + " load: "
              + disagreement.get()
              + "; give all of them the same, or this one another --name");
    }
    disagreement.ifPresent(
        text ->
            listener.note(
                "The drivers of "
                    + runName
                    + " do not agree, and it cannot be verified until they do: "
                    + text
                    + "."));
  }

  /** Whether it is the load of one driver, and not the first that there is of several. */
  static boolean isLoadedByOne(RunView run) throws IOException {
    // A part's run.json says so until the part's own document is there, and then that one does: so
    // it is read first, or a part that comes between the two is taken for a whole load.
    RunDocument there = run.document();
    boolean part = there.workload() != null && there.workload().containsKey("shard");
    return there.dataset() != null && !part && run.parts().isEmpty();
  }

  /** Logs in, opens the journal, and counts what is there, unless an earlier driver has. */
  private Void open() throws StepFailure {
    try {
      boolean triples = askFedora();
      ingest =
          new MeasuredIngest(
              options.target(),
              dataset,
              load.withTriples(triples, canGoOn() ? options.confirmEvery() : Duration.ZERO)
                  .withContent(MeasuredIngest.openContent(options.content(), dataset, listener)),
              canGoOn() ? journal.journal() : Journal.inMemory(0),
              collector.client(),
              shipment,
              document,
              listener,
              options.verification().withOthers());
      interruption.cutsBy(ingest::cancelRequests);
      ingest.recordIn(journal);
      if (earlier != null) {
        goOn(triples);
      } else {
        begin(triples);
      }
      return null;
    } catch (FedoraUnreachableException e) {
      throw failure(Step.START, earlier == null ? e : new IOException(mayBeElsewhere(e), e));
    } catch (IOException e) {
      throw failure(Step.START, e);
    }
  }

  private String mayBeElsewhere(FedoraUnreachableException e) {
    return e.getMessage()
        + ". Where Fedora has another address now, "
        + goOnCommand(" --target URL")
        + " goes on there.";
  }

  /** A mix changes objects in ways that no journal has: nobody can take it up in its midst. */
  private boolean canGoOn() {
    return load.mix() == null;
  }

  private void openJournal() throws StepFailure {
    try {
      journal =
          JobJournal.open(
              JobRecord.folderOf(options.store(), partName()), earlier, options.shard().stride());
    } catch (IOException e) {
      throw failure(Step.COLLECT, e);
    }
  }

  /** Name of the folder of journal and record: each shard has its own. */
  private String partName() {
    return partName(runName, options.shard());
  }

  /** The same for whoever looks for it. */
  public static String partName(String runName, Shard shard) {
    return shard.isPart() ? runName + "." + shard.number() + "-of-" + shard.count() : runName;
  }

  /** Whether there is a triplestore; notes the version. */
  private boolean askFedora() throws IOException {
    try (FedoraClient client =
            FedoraClient.open(options.target(), FedoraClientOptions.forWorkers(1));
        FedoraSession session = client.newSession()) {
      session.login();
      session.version().ifPresent(version -> document.version("fedora", version));
      boolean triples = new TripleCounter(session).isThere();
      if (!triples) {
        listener.note("This Fedora has no triplestore that answers: no triples will be counted.");
      }
      if (preflight) {
        // Of another shard's objects, and of those that a mix begins with, some may be there.
        boolean allNew = earlier == null && !options.shard().isPart() && load.mix() == null;
        Preflight.of(planned(), options, session, allNew).require(this::note);
      }
      return triples;
    }
  }

  /** What this driver has still to send. */
  private PlannedLoad planned() {
    long all =
        objects == Long.MAX_VALUE || options.plan().ends()
            ? Long.MAX_VALUE
            : options.shard().countOf(0, objects) - journal.journal().state().acknowledged().size();
    return new PlannedLoad(dataset, all, options.workers(), options.content(), load.mix() != null);
  }

  private void note(String text) {
    document.note(text);
    listener.note(text);
  }

  private void begin(boolean triples) throws IOException {
    ingest.countBefore();
    if (!canGoOn()) {
      return;
    }
    journal.record(
        JobRecord.begun(
            runId,
            runName,
            options.arguments(),
            dataset.parameters(),
            ingest.before().objects(),
            triples ? ingest.before().triples() : null,
            started,
            journal.clock().now().epochMillis()));
  }

  private void goOn(boolean triples) throws IOException {
    if (!triples && earlier.triplesBefore() != null) {
      throw new IOException(
          "Its triplestore answered when "
              + partName()
              + " was begun, and does not now: it cannot be seen what Fedora has lost. Mend that"
              + " first.");
    }
    journal.takeUp(ingest, options.arguments(), triples, listener);
  }

  private IngestResult load() throws StepFailure {
    try {
      IngestResult result = ingest.ingest(interruption, () -> true, control, diskWatch());
      if (result.ending() == IngestResult.Ending.GAVE_UP) {
        throw new IOException(result.reason() + (canGoOn() ? howToGoOn() : ""));
      }
      return result;
    } catch (IOException e) {
      throw failure(Step.INGEST, e);
    }
  }

  private String howToGoOn() {
    return " " + goOnCommand("") + " goes on from here.";
  }

  private String goOnCommand(String more) {
    return "'fedometer ingest --resume " + partName() + more + StoreHint.of(options.store()) + "'";
  }

  private Void drain() throws StepFailure {
    try {
      ingest.drain();
      return null;
    } catch (IOException e) {
      throw failure(Step.DRAIN, e);
    }
  }

  private RunOutcome end(StepFailure failure, boolean interrupted) {
    StepFailure worst = failure;
    try {
      if (ingest != null) {
        ingest.close();
      }
    } catch (RuntimeException e) {
      worst = steps.firstOf(worst, Step.STOP, e);
    }
    RunState state =
        interrupted
            ? RunState.INTERRUPTED
            : worst != null
                ? RunState.FAILED
                : allIsWell() ? RunState.DONE : RunState.DONE_WITH_ERRORS;
    try {
      StepFailure reported = worst;
      steps.run(
          Step.SEAL,
          () -> {
            seal(state, reported);
            return null;
          },
          nothing -> collector.location());
      if (journal.isOnRecord()) {
        journal.record(journal.record().ended(state.id()));
      }
    } catch (IOException | StepFailure | InterruptedException | RuntimeException e) {
      worst = steps.firstOf(worst, Step.SEAL, e);
    } finally {
      journal.close(listener); // last: nobody else is to take up a run that has not ended
    }
    if (state == RunState.INTERRUPTED && journal.isOnRecord()) {
      listener.note("Ended on request;" + howToGoOn());
    }
    return new RunOutcome(
        collector.runFolder(),
        collector.location(),
        state,
        Optional.ofNullable(worst),
        Optional.empty());
  }

  private boolean allIsWell() {
    return options.verification().wanted() && !options.shard().isPart()
        ? document.allIsWell()
        : document.allIngested();
  }

  private void seal(RunState state, StepFailure failure) throws StepFailure {
    try {
      document.shipEnded(
          state,
          failure == null
              ? null
              : new RunDocument.Failure(failure.step().id(), failure.getMessage(), null));
      collector.closeRun(held -> steps.tellHeld(failure, held));
    } catch (IOException e) {
      throw failure(Step.SEAL, e);
    }
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
      environmentRecord.own("store", options.store().toAbsolutePath().normalize().toString());
      environmentRecord.tool("collector", collector.place());
      environmentRecord.toolJars(System.getProperty("java.class.path"));
      shipment.document(EnvironmentRecord.PATH, environmentRecord.encode());
      SkippedDocuments.ship(dataset, shipment);
    } catch (IOException e) {
      throw failure(Step.COLLECT, e);
    }
  }

  private Map<String, String> workload() {
    Map<String, String> facts = options.workload();
    facts.putAll(MixChoice.resolvedFacts(load));
    return facts;
  }

  private RunDocumentWriter newDocument(Map<String, String> environment) {
    Map<String, String> facts = new LinkedHashMap<>(environment);
    facts.put("fedora.url", options.target().url().toString());
    RunDocumentWriter writer =
        new RunDocumentWriter(
            shipment,
            runId,
            runName,
            null,
            new RunDocument.Dataset(dataset.name(), dataset.parameters()),
            options.workers(),
            options.ratePerSecond(),
            workload(),
            objects == Long.MAX_VALUE ? 0 : options.shard().countOf(0, objects),
            facts);
    writer.partOf(options.shard());
    writer.startedAt(earlier == null ? started : earlier.started(), journal.clock());
    journal.describe(writer);
    return writer;
  }

  private StepFailure failure(Step step, IOException e) {
    String reason = Reason.of(e);
    long usableBytes = options.store().toFile().getUsableSpace();
    boolean full = Files.exists(options.store()) && usableBytes < MainJob.FULL_DISK_BYTES;
    return new StepFailure(
        step, full ? reason + " The disk of " + options.store() + " is full." : reason, null, e);
  }

  private StepFailure endedOnRequest(Exception cause) {
    return new StepFailure(steps.current(), "ended on request", null, cause);
  }
}
