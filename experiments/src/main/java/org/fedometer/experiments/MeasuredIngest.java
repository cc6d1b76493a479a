package org.fedometer.experiments;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.CollectorRequestSink;
import org.fedometer.driver.DatastreamFigures;
import org.fedometer.driver.DatastreamStudy;
import org.fedometer.driver.FedoraClient;
import org.fedometer.driver.FedoraClientOptions;
import org.fedometer.driver.FedoraLogin;
import org.fedometer.driver.FedoraSession;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestProgress;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.Outage;
import org.fedometer.driver.RequestEvent;
import org.fedometer.driver.RequestListener;
import org.fedometer.driver.ScaleFigures;
import org.fedometer.driver.ScaleStudy;
import org.fedometer.driver.TripleCounter;
import org.fedometer.driver.Verification;
import org.fedometer.driver.Verifier;
import org.fedometer.store.RunDocument;
import org.fedometer.wire.CollectorClient;

/**
 * The part of a job that talks to Fedora: counts what is there, loads a dataset, flushes, verifies,
 * and notes each result in the run's document. Used by the job's one thread.
 */
final class MeasuredIngest implements AutoCloseable {
  private static final Duration COLLECTOR_PATIENCE = Duration.ofSeconds(60);
  private static final long VERIFICATION_SEED = 1;

  private final FedoraClient client;
  private final Dataset dataset;
  private final IngestOptions options;
  private final CollectorClient collector;
  private final RunShipment shipment;
  private final RunDocumentWriter document;
  private final JobListener listener;
  private final boolean triples;
  private final Verifier verifier;
  private Verifier.Before before;
  private ScaleFigures scaleFigures;
  private DatastreamFigures datastreamFigures;

  /**
   * @param triples whether this Fedora has a triplestore
   */
  MeasuredIngest(
      FedoraLogin login,
      boolean triples,
      Dataset dataset,
      IngestOptions options,
      CollectorClient collector,
      RunShipment shipment,
      RunDocumentWriter document,
      JobListener listener) {
    this.client = FedoraClient.open(login, FedoraClientOptions.forWorkers(options.workers()));
    this.dataset = dataset;
    this.options = options;
    this.collector = collector;
    this.shipment = shipment;
    this.document = document;
    this.listener = listener;
    this.triples = triples;
    Verifier.Options thorough = Verifier.Options.standard(VERIFICATION_SEED);
    this.verifier = new Verifier(client, dataset, triples ? thorough : thorough.withoutTriples());
  }

  /** Logs in, alone, and counts what Fedora holds before the ingest. */
  void countBefore() throws IOException {
    before = verifier.before();
    noteTriples(null, null);
  }

  /**
   * Loads the dataset. The driver waits for a Fedora that is out of reach, but not for one whose
   * process is gone.
   *
   * @param fedoraAlive whether Fedora's process is there
   * @return what came of it, whatever that is
   * @throws IOException if Fedora could not be reached at all
   */
  IngestResult ingest(Interruption interruption, BooleanSupplier fedoraAlive) throws IOException {
    if (options.mix() == null || options.mix().preload() == 0) {
      IngestResult result = drive(options, interruption, fedoraAlive);
      note(result);
      return result;
    }
    IngestResult preload =
        drive(
            IngestOptions.of(options.mix().preload(), options.workers()),
            interruption,
            fedoraAlive);
    note(preload);
    if (preload.ending() != IngestResult.Ending.FINISHED) {
      return preload;
    }
    if (!preload.complete()) {
      throw new IOException(
          "Not all objects that the mix needs before its first step could be ingested: "
              + preload.failed()
              + " failed"
              + (preload.failures().isEmpty()
                  ? "."
                  : ", the first with: " + preload.failures().get(0).message()));
    }
    IngestResult result = drive(options, interruption, fedoraAlive).after(preload);
    note(result);
    return result;
  }

  /**
   * Grows the collection and times operations at each size; what was measured is kept in the run's
   * folder, too.
   *
   * @return what came of the ingest, whatever that is
   * @throws IOException if Fedora could not be reached at all
   */
  IngestResult study(StudyChoice choice, Interruption interruption, BooleanSupplier fedoraAlive)
      throws IOException {
    ScaleProgress progress = new ScaleProgress(listener, shipment, choice.objects());
    ScaleStudy study =
        new ScaleStudy(
            client,
            dataset,
            choice.options(options.workers(), triples),
            new CollectorRequestSink(collector, COLLECTOR_PATIENCE),
            progress);
    interruption.gentleFrom(study::stop);
    Runnable tick =
        () -> {
          progress.show();
          if (!fedoraAlive.getAsBoolean()) {
            study.stop();
          }
        };
    try (Ticker ignored = Ticker.start(tick)) {
      scaleFigures = study.run();
    } finally {
      interruption.gentleEnd();
    }
    note(scaleFigures.ingest());
    shipment.document(StudyJson.SCALE_PATH, StudyJson.of(scaleFigures));
    return scaleFigures.ingest();
  }

  /**
   * Adds datastreams to one object until no more can be; what was measured is kept in the run's
   * folder, too. That there is a limit is a result, no failure.
   *
   * @return what came of the object, whatever that is
   * @throws IOException if Fedora could not be reached at all
   */
  IngestResult study(
      DatastreamsChoice choice, Interruption interruption, BooleanSupplier fedoraAlive)
      throws IOException {
    DatastreamStudy study =
        new DatastreamStudy(
            client,
            dataset,
            choice.upTo(),
            options.retry(),
            new CollectorRequestSink(collector, COLLECTOR_PATIENCE),
            new OutageNotes(listener));
    interruption.gentleFrom(study::stop);
    Runnable tick =
        () -> {
          listener.progress(
              Step.INGEST,
              (double) study.added() / choice.upTo(),
              String.format(
                  Locale.ROOT, "%,d of %,d datastreams added", study.added(), choice.upTo()));
          if (!fedoraAlive.getAsBoolean()) {
            study.stop();
          }
        };
    try (Ticker ignored = Ticker.start(tick)) {
      datastreamFigures = study.run();
    } finally {
      interruption.gentleEnd();
    }
    note(datastreamFigures.ingest());
    shipment.document(StudyJson.DATASTREAMS_PATH, StudyJson.of(datastreamFigures));
    return datastreamFigures.ingest();
  }

  /** What a study of datastreams has measured; empty where there was none. */
  Optional<DatastreamFigures> datastreamFigures() {
    return Optional.ofNullable(datastreamFigures);
  }

  /** What a scale study has measured; empty where there was none. */
  Optional<ScaleFigures> scaleFigures() {
    return Optional.ofNullable(scaleFigures);
  }

  private IngestResult drive(
      IngestOptions asked, Interruption interruption, BooleanSupplier fedoraAlive)
      throws IOException {
    IngestDriver driver =
        new IngestDriver(
            client,
            dataset,
            asked,
            new CollectorRequestSink(collector, COLLECTOR_PATIENCE),
            new OutageNotes(listener));
    interruption.gentleFrom(driver::stop);
    Runnable tick =
        () -> {
          show(driver.progress(), asked.mix() == null ? "objects" : "steps");
          if (!fedoraAlive.getAsBoolean()) {
            driver.stop();
          }
        };
    try (Ticker ignored = Ticker.start(tick)) {
      return driver.run();
    } finally {
      interruption.gentleEnd();
    }
  }

  /** Has Fedora write the triples that it still holds in memory. */
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
   * Counts and reads back; what does not hold is noted, not thrown.
   *
   * @throws InterruptedException if it was cut short, so that there is nothing to note
   */
  Verification verify(IngestResult result, Interruption interruption) throws InterruptedException {
    Verification found = verifier.verify(result, before);
    interruption.check();
    RunDocument.ObjectCounts counts = document.objects();
    document.objects(
        new RunDocument.ObjectCounts(
            counts.requested(),
            counts.ingested(),
            counts.failed(),
            since(before.objects(), found.objectsCounted()),
            found.equalObjects(),
            counts.bytes(),
            counts.purged()));
    noteTriples(result.expectedTriples(), since(before.triples(), found.triplesCounted()));
    List<String> problems = new ArrayList<>(found.problems());
    if (scaleFigures != null && scaleFigures.failed() > 0) {
      problems.add(scaleFigures.failed() + " requests that were to be timed failed for good.");
    }
    document.verification(
        new RunDocument.Verification(
            problems.isEmpty(), found.sampledObjects(), found.sampledBytes(), problems));
    return found;
  }

  /** Ends waiting for Fedora; called by any thread. */
  void cancelRequests() {
    client.cancelRequests();
  }

  @Override
  public void close() {
    client.close();
  }

  private void note(IngestResult result) {
    // From the first object on: the workers' logins before it are not the ingest.
    document.phase(Step.INGEST, result.startNanos(), result.endNanos());
    document.objects(
        new RunDocument.ObjectCounts(
            document.objects().requested(),
            result.ingested(),
            result.failed(),
            null,
            0,
            result.contentBytes(),
            result.purged()));
    document.requests(
        new RunDocument.RequestCounts(
            result.sent(),
            result.retried(),
            result.failedRequests(),
            result.firstFailedRequests().stream().map(MeasuredIngest::failedRequest).toList()));
    if (result.additions() + result.failedAdditions() > 0) {
      document.statements(
          new RunDocument.StatementCounts(result.additions(), result.failedAdditions()));
    }
    document.outages(
        result.outages().stream()
            .map(
                outage ->
                    new RunDocument.Outage(outage.startNanos(), outage.endNanos(), outage.reason()))
            .toList());
    noteTriples(result.expectedTriples(), null);
  }

  private void noteTriples(Long expected, Long counted) {
    document.triples(
        triples ? new RunDocument.TripleCounts(before.triples(), expected, counted) : null);
  }

  private static RunDocument.FailedRequest failedRequest(RequestEvent event) {
    return new RunDocument.FailedRequest(
        event.operation().wireName(),
        event.pid(),
        event.attempt(),
        event.status(),
        event.message());
  }

  private static Long since(long before, Long now) {
    return now == null ? null : now - before;
  }

  private void show(IngestProgress now, String things) {
    String eta = now.etaSeconds() < 0 ? "unknown" : Words.duration(now.etaSeconds());
    String outage = now.outage() == null ? "" : ", waiting for Fedora: " + now.outage();
    String behind =
        now.behindSchedule() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d behind schedule", now.behindSchedule());
    listener.progress(
        Step.INGEST,
        (double) now.done() / now.total(),
        String.format(
            Locale.ROOT,
            "%,d/%,d %s, %.0f/s, p50 %.0f ms, p99 %.0f ms, %,d errors, %s left%s%s",
            now.done(),
            now.total(),
            things,
            now.recentObjectsPerSecond(),
            now.p50Millis(),
            now.p99Millis(),
            now.failedRequests(),
            eta,
            behind,
            outage));
  }

  /** Tells the user when Fedora is out of reach and when it is back. */
  private record OutageNotes(JobListener listener) implements RequestListener {
    @Override
    public void onRequest(RequestEvent event) {
      // Shown as a sum by the progress line, and listed in the report.
    }

    @Override
    public void onOutage(String reason) {
      listener.note("Fedora is out of reach, waiting for it: " + reason);
    }

    @Override
    public void onRecovery(Outage outage) {
      listener.note("Fedora is back.");
    }
  }
}
