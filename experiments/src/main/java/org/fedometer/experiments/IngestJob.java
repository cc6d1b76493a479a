package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.FedoraUnreachableException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.journal.Journal;
import org.fedometer.experiments.check.Doctor;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.collect.SharedRun;
import org.fedometer.experiments.host.DiskWatch;
import org.fedometer.experiments.host.JobClock;
import org.fedometer.experiments.host.ThisHost;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.experiments.load.MixChoice;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.experiments.load.SkippedDocuments;
import org.fedometer.experiments.measure.MeasuredIngest;
import org.fedometer.experiments.measure.ResultWords;
import org.fedometer.experiments.record.JobJournal;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.experiments.record.NamedRun;
import org.fedometer.experiments.record.RunDocumentWriter;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
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
  private final JobFailures failures;
  private final String started = JobClock.begins().timeOfDay();

  private String runId;
  private String runName;
  private OpenRun run;
  private RunDocumentWriter document;
  private MeasuredIngest ingest;
  private JobJournal journal;

  private boolean preflight = true;

  /**
   * Checks what the user asked for; nothing is sent yet.
   *
   * @param earlierOrNull what an earlier process of this ingest has left, to go on with
   * @throws org.fedometer.datasets.UnknownDatasetException naming the datasets there are
   */
  public IngestJob(IngestJobOptions options, JobRecord earlierOrNull, JobListener listener) {
    this.options = options;
    this.listener = listener;
    this.earlier = earlierOrNull;
    this.steps = new JobSteps(listener);
    this.failures = new JobFailures(options.store(), steps, interruption, () -> null);
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
   * @throws StepFailure if there is no collector to be had; any later failure is in the outcome
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
      document = newDocument(run.shipment(), run.lookAround());
      steps.recordIn(run.shipment(), document);
      StepFailure failure =
          failures.during(
              () -> {
                describe();
                conduct();
              });
      boolean interrupted = interruption.raised();
      interruption.cleanUp();
      return end(failure, interrupted);
    }
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

  /** Takes the place of an ingest of the same name whose load never began. */
  private OpenRun openByName() throws StepFailure, InterruptedException {
    try {
      return OpenRun.open(options.collector(), runId, runName, steps, failures, listener);
    } catch (StepFailure e) {
      boolean ownName =
          earlier == null && !options.join() && options.name() != null && NamedRun.isRefusal(e);
      Optional<NamedRun> there =
          ownName ? NamedRun.find(options.collector(), runName) : Optional.empty();
      if (there.isEmpty()) {
        throw e;
      }
      if (!there.get().isIngestWithoutLoad()) {
        throw e.withAdvice(there.get().advice(options.collector(), true));
      }
      runId = there.get().id();
      return OpenRun.open(options.collector(), runId, runName, steps, failures, listener);
    }
  }

  /** Each shard is spoken to by itself. */
  private String controlId() {
    return options.shard().isPart() ? runId + "." + options.shard().number() : runId;
  }

  private void conduct() throws StepFailure, InterruptedException {
    failures.within(Step.COLLECT, document::shipRunning);
    steps.run(Step.START, this::open, nothing -> "Fedora answers at " + options.target().url());
    failures.within(Step.START, document::shipRunning);
    IngestResult result = steps.run(Step.INGEST, this::load, ResultWords::of);
    interruption.check();
    steps.run(Step.DRAIN, this::drain, nothing -> "all triples written");
    if (options.verification().wanted() && options.shard().isPart()) {
      listener.note("A part of a run is not verified: the others' objects would be counted, too.");
    } else if (options.verification().wanted()) {
      steps.run(Step.VERIFY, () -> ingest.verify(result, interruption), ResultWords::of);
    }
  }

  private void requireFittingRun() throws StepFailure, InterruptedException {
    try {
      new SharedRun(runName, options.shard(), earlier != null, listener)
          .requireFitting(
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
              run.collector().client(),
              run.shipment(),
              document,
              listener,
              options.verification().withOthers());
      interruption.cutsBy(ingest::cancelRequests);
      ingest.recordIn(journal);
      if (earlier != null) {
        goOn(triples);
      } else {
        begin();
      }
      return null;
    } catch (LoginRefusedException e) {
      throw failures.of(Step.START, new IOException(e.getMessage() + " " + Doctor.OTHER_LOGIN, e));
    } catch (FedoraUnreachableException e) {
      throw failures.of(Step.START, earlier == null ? e : new IOException(mayBeElsewhere(e), e));
    } catch (IOException e) {
      throw failures.of(Step.START, e);
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
    failures.within(
        Step.COLLECT,
        () ->
            journal =
                JobJournal.open(
                    JobRecord.folderOf(options.store(), partName()),
                    earlier,
                    options.shard().stride()));
  }

  /** Name of the folder of journal and record: each shard has its own. */
  private String partName() {
    return RunName.ofPart(runName, options.shard());
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
        Preflight.of(planned(), options, session, allNew)
            .require(text -> document.note(text, listener));
      }
      return triples;
    }
  }

  private PlannedLoad planned() {
    long all =
        objects == Long.MAX_VALUE || options.plan().ends()
            ? Long.MAX_VALUE
            : options.shard().countOf(0, objects) - journal.journal().state().acknowledged().size();
    return new PlannedLoad(dataset, all, options.workers(), options.content(), load.mix() != null);
  }

  private void begin() throws IOException {
    ingest.countBefore();
    if (canGoOn()) {
      journal.record(ingest.begun(journal, runId, runName, options.arguments(), started));
    }
  }

  private void goOn(boolean triples) throws IOException {
    if (!triples && earlier.triplesBefore() != null) {
      throw new IOException(
          "Its triplestore answered when "
              + partName()
              + " was begun, and does not now: it cannot be seen what Fedora has lost. Mend that"
              + " first.");
    }
    ingest.goOn(journal, options.arguments(), triples);
  }

  private IngestResult load() throws StepFailure {
    try {
      IngestResult result = ingest.ingest(interruption, () -> true, run.control(), diskWatch());
      if (result.ending() == IngestResult.Ending.GAVE_UP) {
        throw new IOException(withHowToGoOn(result.reason()));
      }
      return result;
    } catch (IOException e) {
      throw failures.of(Step.INGEST, e);
    }
  }

  private String withHowToGoOn(String reason) {
    return canGoOn() ? reason + (reason.endsWith(".") ? "" : ".") + howToGoOn() : reason;
  }

  private String howToGoOn() {
    return " " + goOnCommand("") + " goes on from here.";
  }

  private String goOnCommand(String more) {
    return "'fedometer ingest --resume " + partName() + more + StoreHint.of(options.store()) + "'";
  }

  /** Objects may be in and their triples not: going on looks for them, and drains again. */
  private Void drain() throws StepFailure {
    try {
      ingest.drain();
      return null;
    } catch (IOException e) {
      throw failures.of(Step.DRAIN, new IOException(withHowToGoOn(Reason.of(e)), e));
    }
  }

  private RunOutcome end(StepFailure failure, boolean interrupted) {
    JobEnd end = new JobEnd(steps, failure);
    if (ingest != null) {
      end.attempt(Step.STOP, ingest::close);
    }
    RunState state = end.state(interrupted, this::allIsWell);
    try {
      // A run that is not sealed has not ended: whoever goes on with it seals it.
      if (end.attempt(Step.SEAL, () -> seal(state, end.failure()))) {
        journal.recordEnd(state, goOnCommand(""), listener);
      }
    } finally {
      journal.close(listener); // last: nobody else is to take up a run that has not ended
    }
    if (state == RunState.INTERRUPTED && journal.isOnRecord()) {
      listener.note("Ended on request;" + howToGoOn());
    }
    return new RunOutcome(
        run.collector().runFolder(),
        run.collector().location(),
        state,
        Optional.ofNullable(end.failure()),
        Optional.empty());
  }

  private boolean allIsWell() {
    return options.verification().wanted() && !options.shard().isPart()
        ? document.allIsWell()
        : document.allIngested();
  }

  private void seal(RunState state, StepFailure failure)
      throws IOException, StepFailure, InterruptedException {
    steps.run(
        Step.SEAL,
        () -> {
          noteUndelivered();
          try {
            SealWait.await(
                interruption,
                run.collector(),
                () -> {
                  document.shipEnded(state, failure == null ? null : failure.onRecord(null));
                  run.collector().closeRun(held -> steps.tellHeld(failure, held));
                });
          } catch (IOException e) {
            throw failures.of(Step.SEAL, e);
          }
          return null;
        },
        nothing -> run.collector().location());
  }

  /**
   * What the agents hold still is not in the run that is sealed now. Other shards may go on loading
   * the same Fedora, whose agents always hold something then.
   */
  private void noteUndelivered() {
    if (ingest == null || options.shard().isPart()) {
      return;
    }
    UndeliveredSamples.notes(
            interruption, () -> UndeliveredSamples.inFedoraAt(options.target().url()))
        .forEach(text -> document.note(text, listener));
  }

  private void describe() throws StepFailure {
    failures.within(
        Step.COLLECT,
        () -> {
          run.describe(runId, runName, Map.of());
          run.record().toolJars(System.getProperty("java.class.path"));
          run.shipRecord();
          SkippedDocuments.ship(dataset, run.shipment());
        });
  }

  private Map<String, String> workload() {
    Map<String, String> facts = options.workload();
    facts.putAll(MixChoice.resolvedFacts(load));
    return facts;
  }

  /** A null shipment is of a document that stays here. */
  private RunDocumentWriter newDocument(RunShipment shipment, Map<String, String> environment) {
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
}
