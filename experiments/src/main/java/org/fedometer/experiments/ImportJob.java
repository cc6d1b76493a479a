package org.fedometer.experiments;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.collect.RequestShipment;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.host.BuildInfo;
import org.fedometer.experiments.imported.ImportOverview;
import org.fedometer.experiments.imported.ImportedMeasurements;
import org.fedometer.experiments.imported.MeasuredFile;
import org.fedometer.experiments.imported.MeasurementSink;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.job.Ticker;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunState;
import org.fedometer.store.Ulid;
import org.fedometer.wire.record.RequestEncoder;

/**
 * Imports measurements of other tools as a run: inspects the file, sends each request to a
 * collector like the driver, and seals the run. Call {@link #run} once, on the conducting thread;
 * {@link #interrupt} is thread-safe.
 */
public final class ImportJob {
  private static final int REQUESTS_A_CHECK = 8192;

  private final ImportJobOptions options;
  private final JobListener listener;
  private final Interruption interruption = new Interruption();
  private final JobSteps steps;
  private final String runId = Ulid.next();
  private final String runName;

  private CollectorLink collector;
  private RunShipment shipment;
  private ImportedMeasurements measurements;
  private MeasuredFile file;
  private ImportOverview overview;

  public ImportJob(ImportJobOptions options, JobListener listener) {
    this.options = options;
    this.listener = listener;
    this.steps = new JobSteps(listener);
    this.runName =
        options.name() != null
            ? options.name()
            : RunName.generate(runId, options.choices().format().id());
  }

  /** Requests the end of the job; what was sent until then is sealed. */
  public void interrupt() {
    interruption.raise();
  }

  /**
   * @throws org.fedometer.experiments.imported.UnreadableMeasurementsException if the file is
   *     invalid; there is no run then
   * @throws IOException if the file cannot be read; there is no run then
   * @throws StepFailure if no collector is available; any later failure is in the outcome
   * @throws InterruptedException if interrupted before there was a run
   */
  public ImportOutcome run() throws IOException, StepFailure, InterruptedException {
    interruption.conductedBy(Thread.currentThread());
    interruption.check();
    try (MeasuredFile opened = open()) {
      file = opened;
      measurements = new ImportedMeasurements(file, options.choices());
      overview = inspect();
      interruption.check();
      collector = steps.run(Step.COLLECT, this::openCollector, CollectorLink::summary);
      try {
        shipment = new RunShipment(collector.client());
        return conduct();
      } finally {
        collector.close();
      }
    } catch (ClosedByInterruptException e) {
      interruption.check();
      throw e;
    }
  }

  private MeasuredFile open() throws IOException {
    return options.file() == null
        // Unlike System.in it is interruptible, and has no other reader.
        ? MeasuredFile.copyOf(
            Channels.newInputStream(new FileInputStream(FileDescriptor.in).getChannel()), "-")
        : MeasuredFile.of(options.file());
  }

  /** Runs outside {@link JobSteps}: an invalid file is no failure of a step. */
  private ImportOverview inspect() throws IOException {
    listener.started(Step.READ);
    long startNanos = System.nanoTime();
    ImportOverview found;
    try (Ticker ignored = Ticker.start(() -> showProgress(Step.READ), listener)) {
      found = measurements.inspect();
    }
    listener.finished(
        Step.READ,
        NumberFormats.count(found.requests(), "request") + ": " + ImportedMeasurements.names(found),
        Duration.ofNanos(System.nanoTime() - startNanos));
    return found;
  }

  private CollectorLink openCollector() throws StepFailure, InterruptedException {
    try {
      return CollectorLink.openForImport(options.collector(), runId, runName);
    } catch (IOException e) {
      throw StepFailure.of(Step.COLLECT, e);
    }
  }

  private ImportOutcome conduct() {
    StepFailure failure = null;
    try {
      ship(RunState.RUNNING, null);
      steps.run(
          Step.IMPORT, this::send, nothing -> NumberFormats.count(overview.requests(), "request"));
    } catch (StepFailure e) {
      failure = e;
    } catch (InterruptedException e) {
      failure = new StepFailure(steps.current(), "ended on request", null, e);
    } catch (IOException e) {
      failure = StepFailure.of(steps.current(), e);
    }
    boolean interrupted = interruption.raised();
    interruption.cleanUp();
    RunState state =
        interrupted ? RunState.INTERRUPTED : failure != null ? RunState.FAILED : RunState.IMPORTED;
    failure = seal(state, failure);
    return new ImportOutcome(
        runName,
        collector.location(),
        overview,
        failure != null && state == RunState.IMPORTED ? RunState.FAILED : state,
        Optional.ofNullable(failure));
  }

  private Void send() throws StepFailure, InterruptedException {
    RequestShipment requests = new RequestShipment(collector.client());
    try (Ticker ignored = Ticker.start(() -> showProgress(Step.IMPORT), listener)) {
      measurements.send(overview, untilInterrupted(requests));
      requests.finish();
      return null;
    } catch (IOException e) {
      interruption.check();
      throw StepFailure.of(Step.IMPORT, e);
    }
  }

  private MeasurementSink untilInterrupted(MeasurementSink sink) {
    return (number, operation, worker, startNanos, durationNanos, status, message) -> {
      if (number % REQUESTS_A_CHECK == 0 && interruption.raised()) {
        throw new IOException("ended on request");
      }
      sink.measured(number, operation, worker, startNanos, durationNanos, status, message);
    };
  }

  private void showProgress(Step step) {
    try {
      double fraction = (double) file.bytesRead() / Math.max(1, file.sizeBytes());
      listener.progress(step, Math.min(1, fraction), NumberFormats.bytes(file.bytesRead()));
    } catch (IOException e) {
      // The reader will report it.
    }
  }

  private StepFailure seal(RunState state, StepFailure before) {
    if (before != null && !collector.client().status().connected()) {
      return before; // without a connection; the collector seals it on its return
    }
    try {
      steps.run(
          Step.SEAL,
          () -> {
            try {
              SealWait.await(
                  interruption,
                  collector,
                  () -> {
                    ship(state, before);
                    collector.closeRun(listener::note);
                  });
              return null;
            } catch (IOException e) {
              throw StepFailure.of(Step.SEAL, e);
            }
          },
          nothing -> "run " + runName);
      return before;
    } catch (StepFailure | InterruptedException e) {
      return steps.firstOf(before, Step.SEAL, e);
    }
  }

  private void ship(RunState state, StepFailure failure) throws IOException {
    shipment.document("run.json", RunDocumentJson.write(document(state, failure)));
  }

  private RunDocument document(RunState state, StepFailure failure) throws IOException {
    ImportOverview.Operation ingests = overview.operations().get(RequestEncoder.INGEST);
    boolean complete = state == RunState.IMPORTED;
    BuildInfo build = BuildInfo.current();
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("fedometer", build.version());
    versions.put("fedometer.gitCommit", build.gitCommit());
    return RunDocument.builder(runName, state.id())
        .id(runId)
        .failure(failure == null ? null : failure.onRecord(null))
        .profile(profile())
        .workers(overview.workers())
        .objects(ingests == null ? null : objects(ingests, complete))
        .requests(
            complete
                ? new RunDocument.RequestCounts(
                    overview.requests(), 0, overview.failed(), List.of())
                : new RunDocument.RequestCounts(0, 0, 0, List.of()))
        .phases(
            ingests == null
                ? List.of()
                : List.of(
                    new RunDocument.Phase(
                        Step.INGEST.id(), ingests.firstStartNanos(), ingests.lastEndNanos())))
        .versions(versions)
        .started(time(overview.firstStartNanos()))
        .ended(time(overview.lastEndNanos()))
        .notes(overview.notes())
        .imported(
            new RunDocument.Imported(
                options.choices().format().id(),
                file.name(),
                overview.sha256(),
                file.sizeBytes(),
                options.choices().unit().id(),
                options.choices().ingestLabel(),
                overview.requests(),
                options.resolutionNanos() == null
                    ? (Long) overview.resolutionNanos()
                    : options.resolutionNanos()))
        .build();
  }

  /** Returns the counts of objects; for a part of the file, the table of requests has them. */
  private static RunDocument.ObjectCounts objects(
      ImportOverview.Operation ingests, boolean complete) {
    long failed = complete ? ingests.failed() : 0;
    long ingested = complete ? ingests.count() - failed : 0;
    return new RunDocument.ObjectCounts(ingests.count(), ingested, failed, null, 0, 0);
  }

  /** Returns null if the measured stack was not described. */
  private RunDocument.Profile profile() {
    Map<String, String> choices = options.profileChoices();
    return choices.isEmpty()
        ? null
        : new RunDocument.Profile(String.join("-", choices.values()), choices, Map.of());
  }

  /** Returns null if unknown. */
  private String time(long epochNanos) {
    return overview.timesKnown()
        ? Instant.ofEpochMilli(Math.floorDiv(epochNanos, 1_000_000L)).toString()
        : null;
  }
}
