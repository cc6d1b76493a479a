package org.fedometer.experiments.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestProgress;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentServer;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.CollectorRequestSink;
import org.fedometer.driver.study.DatastreamStudy;
import org.fedometer.driver.study.DatastreamStudyResult;
import org.fedometer.driver.study.ScaleStudy;
import org.fedometer.driver.study.ScaleStudyResult;
import org.fedometer.driver.verify.RepositoryCheck;
import org.fedometer.driver.verify.Verification;
import org.fedometer.driver.verify.Verifier;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.host.DiskMonitor;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.Ticker;
import org.fedometer.experiments.load.DatastreamsChoice;
import org.fedometer.experiments.load.FailedPids;
import org.fedometer.experiments.load.ProgressPanel;
import org.fedometer.experiments.load.StudyChoice;
import org.fedometer.experiments.load.StudyJson;
import org.fedometer.experiments.load.VerifyChoice;
import org.fedometer.experiments.record.JobJournal;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.experiments.record.RunControl;
import org.fedometer.experiments.record.RunDocumentWriter;
import org.fedometer.store.RunDocument;
import org.fedometer.wire.Counted;
import org.fedometer.wire.client.CollectorClient;

/**
 * The part of a job that talks to Fedora: counts, loads a dataset, flushes, verifies, and adds each
 * result to the run's document. Confined to the job's thread.
 */
public final class MeasuredIngest implements AutoCloseable {
  private static final Duration COLLECTOR_TIMEOUT = Duration.ofSeconds(60);
  private static final long VERIFICATION_SEED = 1;

  private final FedoraClient client;
  private final Dataset dataset;
  private final IngestOptions options;
  private final Journal journal;
  private final JobJournal jobJournal;
  private final CollectorClient collector;
  private final RunShipment shipment;
  private final RunDocumentWriter document;
  private final JobListener listener;
  private final boolean triples;
  private final Verifier verifier;
  private final ResultRecorder recorder;
  private ScaleStudyResult scaleStudy;
  private DatastreamStudyResult datastreamStudy;

  /**
   * @param journal of this ingest; the opener closes it
   * @param jobJournal record of the load's events
   * @param options with the content delivery, which is closed with this
   */
  public MeasuredIngest(
      FedoraLogin login,
      Dataset dataset,
      IngestOptions options,
      Journal journal,
      JobJournal jobJournal,
      CollectorClient collector,
      RunShipment shipment,
      RunDocumentWriter document,
      JobListener listener,
      VerifyChoice verification) {
    this.client = FedoraClient.open(login, FedoraClientOptions.forWorkers(options.maxWorkers()));
    this.dataset = dataset;
    this.options = options;
    this.journal = journal;
    this.jobJournal = jobJournal;
    this.collector = collector;
    this.shipment = shipment;
    this.document = document;
    this.listener = listener;
    this.triples = options.triples();
    Verifier.Options thorough = verification.options(VERIFICATION_SEED);
    this.verifier =
        new Verifier(
            client, dataset, triples ? thorough : thorough.withoutTriples(), options.content());
    this.recorder = new ResultRecorder(document, listener, jobJournal, triples);
  }

  /** Opens the content delivery; to be closed with the ingest, after the verification. */
  public static ContentDelivery openContent(
      ContentOptions content, Dataset dataset, JobListener listener) throws IOException {
    ContentDelivery delivery = ContentDelivery.open(content, dataset);
    delivery
        .server()
        .map(ContentServer::url)
        .ifPresent(
            url ->
                listener.note(
                    "The content server is at "
                        + url
                        + (content.path().stays()
                            ? ". Ingested objects refer to it, but it stops with the run."
                            : ".")));
    return delivery;
  }

  /** Logs in, alone, and counts what Fedora holds before the ingest. */
  public void countBefore() throws IOException {
    recorder.countedBefore(verifier.before());
  }

  /**
   * Returns the record of a load that is about to begin, for a resume. Call after {@link
   * #countBefore}.
   *
   * @param started time of day, ISO 8601
   */
  public JobRecord begun(String runId, String runName, List<String> arguments, String started) {
    return JobRecord.begun(
        runId,
        runName,
        arguments,
        dataset.parameters(),
        recorder.before().objects(),
        triples ? recorder.before().triples() : null,
        started,
        jobJournal.clock().now().epochMillis());
  }

  /**
   * Resumes an earlier driver's load.
   *
   * @param triples true if there is a triplestore that answers
   */
  public void resume(List<String> arguments, boolean triples) throws IOException {
    recorder.resume(jobJournal.resume(arguments, triples));
    // The earlier driver's purges must not cancel out with this one's additions.
    flush();
    jobJournal.markAllUnconfirmed(listener);
  }

  /** Sets a source of outages, besides those that requests notice. */
  public void processOutagesFrom(Supplier<List<RunDocument.Outage>> known) {
    recorder.processOutagesFrom(known);
  }

  /**
   * Loads the dataset. The driver waits for a Fedora that is out of reach, but not for one without
   * a process.
   *
   * @param disk monitor of the disk that the load fills, or null if on another host
   * @throws IOException if Fedora could not be reached at all
   */
  public IngestResult ingest(
      Interruption interruption, BooleanSupplier fedoraAlive, RunControl control, DiskMonitor disk)
      throws IOException {
    if (options.mix() == null || options.mix().preload() == 0) {
      IngestResult result = drive(options, journal, interruption, fedoraAlive, control, disk);
      recorder.loaded(result);
      if (options.mix() == null) {
        shipFailedPids();
      }
      return result;
    }
    IngestResult preload =
        drive(
            options.withMix(null).withObjects(options.mix().preload()),
            Journal.inMemory(0),
            interruption,
            fedoraAlive,
            control,
            disk);
    recorder.loaded(preload);
    if (preload.endStatus() != IngestResult.EndStatus.FINISHED) {
      return preload;
    }
    if (!preload.complete()) {
      throw new IOException(
          "Not all objects that the mix needs before its first step could be ingested: "
              + preload.count(Count.FAILED)
              + " failed"
              + (preload.failures().givenUp().isEmpty()
                  ? "."
                  : ", the first with: " + preload.failures().givenUp().get(0).message()));
    }
    IngestResult result =
        drive(options, journal, interruption, fedoraAlive, control, disk).after(preload);
    recorder.loaded(result);
    return result;
  }

  /** Replaces an earlier driver's file. A mix is numbered by steps, and has none. */
  private void shipFailedPids() throws IOException {
    FailedPids failed = FailedPids.of(dataset, journal.state().failed(), FailedPids.MAX_PIDS);
    if (failed.failed() > 0 || recorder.isResumed()) {
      shipment.document(document.ofPart(FailedPids.FILE), failed.document());
    }
    failed.leftOut().ifPresent(text -> document.note(text, listener));
  }

  /**
   * Grows the collection and times operations at each size; measurements are also kept in the run's
   * folder.
   *
   * @throws IOException if Fedora could not be reached at all
   */
  public IngestResult study(
      StudyChoice choice, Interruption interruption, BooleanSupplier fedoraAlive)
      throws IOException {
    ScaleProgress progress = new ScaleProgress(listener, shipment, choice.objects());
    ScaleStudy study =
        new ScaleStudy(
            client,
            dataset,
            choice.options(options.workers(), triples),
            new CollectorRequestSink(collector, COLLECTOR_TIMEOUT),
            recorder.loadEvents(new DurabilityCheck()),
            progress);
    interruption.beginGracefulStop(study::stop);
    Runnable tick =
        () -> {
          if (!fedoraAlive.getAsBoolean()) {
            study.stop();
          }
          progress.show();
        };
    try (Ticker ignored = Ticker.start(tick, listener)) {
      scaleStudy = study.run();
    } finally {
      interruption.endGracefulStop();
    }
    recorder.loaded(scaleStudy.ingest());
    shipment.document(StudyJson.SCALE_PATH, StudyJson.of(scaleStudy));
    return scaleStudy.ingest();
  }

  /** Returns the sizes at which a scale study has timed operations, in objects. */
  public List<Long> sizesOfStudy() {
    return scaleStudy.sizes().stream().map(ScaleStudyResult.Size::objects).toList();
  }

  /** Adds the time of a batch that indexed the collection, by size. */
  public void batchIndexed(Map<Long, Long> nanos) throws IOException {
    scaleStudy = scaleStudy.withBatchIndex(nanos);
    shipment.document(StudyJson.SCALE_PATH, StudyJson.of(scaleStudy));
  }

  /**
   * Adds datastreams to one object up to its limit, which is a result, not a failure. Measurements
   * are also kept in the run's folder.
   *
   * @throws IOException if Fedora could not be reached at all
   */
  public IngestResult study(
      DatastreamsChoice choice, Interruption interruption, BooleanSupplier fedoraAlive)
      throws IOException {
    DatastreamStudy study =
        new DatastreamStudy(
            client,
            dataset,
            choice.upTo(),
            triples,
            options.retry(),
            new CollectorRequestSink(collector, COLLECTOR_TIMEOUT),
            recorder.loadEvents(new DurabilityCheck()));
    interruption.beginGracefulStop(study::stop);
    Runnable tick =
        () -> {
          if (!fedoraAlive.getAsBoolean()) {
            study.stop();
          }
          listener.progress(
              Step.INGEST,
              (double) study.added() / choice.upTo(),
              String.format(
                  Locale.ROOT,
                  "%,d of %s added",
                  study.added(),
                  Counted.of(choice.upTo(), "datastream")));
        };
    try (Ticker ignored = Ticker.start(tick, listener)) {
      datastreamStudy = study.run();
    } finally {
      interruption.endGracefulStop();
    }
    recorder.loaded(datastreamStudy.ingest());
    shipment.document(StudyJson.DATASTREAMS_PATH, StudyJson.of(datastreamStudy));
    return datastreamStudy.ingest();
  }

  /** Returns a datastream study's measurements; empty without one. */
  public Optional<DatastreamStudyResult> datastreamStudy() {
    return Optional.ofNullable(datastreamStudy);
  }

  /** Returns a scale study's measurements; empty without one. */
  public Optional<ScaleStudyResult> scaleStudy() {
    return Optional.ofNullable(scaleStudy);
  }

  private IngestResult drive(
      IngestOptions requested,
      Journal asRecorded,
      Interruption interruption,
      BooleanSupplier fedoraAlive,
      RunControl control,
      DiskMonitor disk)
      throws IOException {
    DurabilityCheck check = new DurabilityCheck();
    IngestDriver driver =
        new IngestDriver(
            client,
            dataset,
            requested,
            asRecorded,
            new CollectorRequestSink(collector, COLLECTOR_TIMEOUT),
            recorder.loadEvents(check));
    interruption.beginGracefulStop(driver::stop);
    control.loadBegins(driver);
    Runnable tick =
        () -> {
          if (!fedoraAlive.getAsBoolean()) {
            driver.stop();
          }
          if (check.hasBegun()) {
            show(check.progress());
          } else {
            show(driver.progress(), disk == null ? null : disk.forecast(System.nanoTime()));
          }
        };
    try (Ticker ignored = Ticker.start(tick, listener)) {
      IngestResult result = driver.run();
      if (check.hasBegun()) {
        recorder.checked(check.startNanos(), System.nanoTime());
      }
      return result;
    } finally {
      control.loadEnds();
      interruption.endGracefulStop();
    }
  }

  /** Same as {@link #flush}, as the end of the load. */
  public void drain() throws IOException {
    long startNanos = System.nanoTime();
    flush();
    recorder.drained(startNanos, System.nanoTime());
  }

  /** Makes Fedora write the triples in its memory. */
  void flush() throws IOException {
    if (!triples) {
      return;
    }
    try (FedoraSession session = client.newSession()) {
      session.login();
      new TripleCounter(session).flush();
    }
  }

  /**
   * Counts and reads back; differences are recorded, not thrown.
   *
   * @throws InterruptedException if it was cut short, without a result
   */
  public Verification verify(IngestResult result, Interruption interruption)
      throws InterruptedException {
    Verification found =
        verifier.verify(
            result, recorder.before(), new ShownComparison(listener, new VerifyProgress.Meter()));
    interruption.check();
    List<String> problems = new ArrayList<>(found.problems());
    if (scaleStudy != null && scaleStudy.failed() > 0) {
      problems.add(Counted.of(scaleStudy.failed(), "timed request") + " failed for good.");
    }
    recorder.verified(result.count(Count.EXPECTED_TRIPLES), found, problems);
    return found;
  }

  /** Ends waits for Fedora. Thread-safe. */
  public void cancelRequests() {
    client.cancelRequests();
  }

  @Override
  public void close() {
    client.close();
    options.content().close();
  }

  private void show(IngestProgress now, DiskMonitor.Forecast disk) {
    listener.progress(
        Step.INGEST,
        ProgressPanel.fraction(now),
        ProgressPanel.line(now, disk),
        ProgressPanel.lines(now, disk));
  }

  private void show(VerifyProgress looked) {
    listener.progress(Step.CHECK, looked.fraction(), looked.line(), List.of(looked.line()));
  }

  private record ShownComparison(JobListener listener, VerifyProgress.Meter meter)
      implements RepositoryCheck.Listener {
    @Override
    public void onProgress(String what, long done, long all) {
      VerifyProgress now = meter.at(what, done, all);
      listener.progress(Step.VERIFY, now.fraction(), now.line(), List.of(now.line()));
    }
  }
}
