package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.fedometer.experiments.collect.FedoraLog;
import org.fedometer.experiments.collect.GcLog;
import org.fedometer.experiments.collect.GcLogFollower;
import org.fedometer.experiments.collect.GcPauseSender;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.experiments.record.RunDocumentWriter;
import org.fedometer.experiments.stack.StackShipment;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;

/**
 * Completes the folder of a run with its own Fedora: logs, recordings, the final {@code run.json}.
 * Confined to the job's thread, after that Fedora has ended.
 */
final class RunSealing {
  private static final Duration GC_LOG_INTERVAL = Duration.ofSeconds(5);

  private final LoadContext job;
  private final OpenRun run;
  private final RunDocumentWriter document;
  private final StackShipment files;
  private boolean filesMissing;

  /** Null before it is followed. */
  private GcLogFollower gcLog;

  private final GcPauseSender gcPauses;

  RunSealing(LoadContext job, StackShipment files) {
    this.job = job;
    this.run = job.run();
    this.document = job.document();
    this.files = files;
    this.gcPauses =
        new GcPauseSender(
            run.collector()::openGcLog, until -> job.journal().pausesSent(until, job.listener()));
  }

  /**
   * Ships logs, recordings and the final run.json, and seals the run. The possibly long GC log is
   * read after run.json.
   *
   * @param failure null if nothing has failed
   * @param ended Fedora and its database, if any of them exists
   * @param recorded true if Java Flight Recorder was to record a load
   * @return the failure with its log's final location, or null
   */
  StepFailure seal(RunState state, StepFailure failure, Optional<Stack> ended, boolean recorded)
      throws IOException {
    if (ended.isPresent()) {
      shipFiles(ended.get(), recorded);
    }
    RunDocument.Failure described =
        failure == null
            ? null
            : failure.onRecord(
                failure
                    .log()
                    .map(path -> files.shipped(path).orElse(path.toString()))
                    .orElse(null));
    document.shipEnded(state, described);
    if (ended.isPresent()) {
      int notesSoFar = document.notes();
      sendGcLog(ended.get());
      if (document.notes() > notesSoFar) {
        document.shipEnded(state, described);
      }
    }
    run.collector().closeRun(held -> job.steps().reportSealDelay(failure, held));
    return failure == null ? null : failure.withLog(whereShipped(failure));
  }

  /** Returns whether files of the stack's home may be missing in the run folder. */
  boolean filesMissing() {
    return filesMissing;
  }

  private void shipFiles(Stack ended, boolean recorded) throws IOException {
    filesMissing =
        !attempt("ship the logs", () -> document.logFiles(files.logs(ended)))
            | !attempt("ship the recordings", () -> files.recordings(ended));
    if (recorded && ended.state().recordings().isEmpty()) {
      job.note("Java Flight Recorder was enabled, but Fedora's JVM has left no recording.");
    }
    Path fedoraLog = ended.logs().get(ManagedStack.FEDORA_LOG);
    if (fedoraLog != null) {
      attempt("send " + ManagedStack.FEDORA_LOG + " line by line", () -> sendLog(fedoraLog));
    }
    document.clock().noteOnLogs().ifPresent(job::note);
  }

  private void sendLog(Path log) throws IOException {
    Optional<JobRecord.RecordedStack> before = job.journal().stack();
    FedoraLog.Unsent unsent =
        FedoraLog.unsent(
            log,
            before.map(JobRecord.RecordedStack::sentLogBeginning).orElse(null),
            before.map(JobRecord.RecordedStack::sentLogBytes).orElse(0L));
    run.collector().sendLog(ManagedStack.FEDORA_LOG, unsent.parts());
    job.journal().logSent(Files.size(log), FedoraLog.beginning(log), job.listener());
    if (unsent.gap()) {
      job.note(
          "Lines of "
              + ManagedStack.FEDORA_LOG
              + " are missing: the log has grown beyond the part that is kept.");
    }
  }

  /** Sends the GC pauses of a running Fedora as they are logged. */
  void followGcLog(Stack running) {
    long until =
        job.journal().stack().map(JobRecord.RecordedStack::sentPausesUntilEpochNanos).orElse(0L);
    gcLog =
        GcLogFollower.follow(() -> GcLog.parts(running.logs()), gcPauses, until, GC_LOG_INTERVAL);
  }

  /** Sends the GC log. An unreadable one remains in the run folder, without failing the run. */
  private void sendGcLog(Stack logged) throws IOException {
    attempt(
        "read the log of garbage collections for the table gc",
        () -> {
          if (gcLog == null) {
            followGcLog(logged);
          }
          gcLog
              .finish(
                  fraction ->
                      job.listener().progress(Step.SEAL, fraction, "log of garbage collections"))
              .forEach(job::note);
        });
    endGcLog();
  }

  /** Stops following the log; ends its thread and connection. */
  void endGcLog() {
    if (gcLog != null) {
      gcLog.close();
    }
    gcPauses.close();
  }

  private interface Sending {
    void send() throws IOException;
  }

  /** Notes a failure, which must not prevent the final run.json. */
  private boolean attempt(String what, Sending sending) throws IOException {
    try {
      sending.send();
      return true;
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // A StackOverflowError comes from a regular expression on an unusual log line.
      if (e instanceof IOException lost && !run.collector().client().status().connected()) {
        // Anything else would fail as well, after a long wait each.
        throw lost;
      }
      job.note("Could not " + what + ": " + Reason.of(e));
      return false;
    }
  }

  private Path whereShipped(StepFailure failure) {
    Path log = failure.log().orElse(null);
    Optional<Path> folder = run.collector().runFolder();
    return log == null || folder.isEmpty()
        ? log
        : files.shipped(log).map(folder.get()::resolve).orElse(log);
  }
}
