package org.fedometer.experiments.measure;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.verify.Verification;
import org.fedometer.driver.verify.Verifier;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.load.EarlierLoad;
import org.fedometer.experiments.load.LoadDocument;
import org.fedometer.experiments.load.LoadRecord;
import org.fedometer.experiments.record.RunDocumentWriter;
import org.fedometer.store.RunDocument;

/**
 * Records the result of a load in the run's document, and for a resume. Confined to the job's
 * thread.
 */
final class ResultRecorder {
  private final RunDocumentWriter document;
  private final JobListener listener;
  private final LoadRecord record;
  private final boolean triples;
  private Supplier<List<RunDocument.Outage>> processOutages = List::of;

  /** Null before it is known. */
  private Verifier.Before before;

  /** Null for the first driver. */
  private EarlierLoad earlier;

  private boolean nothingLoaded;

  /** Start of the check of what Fedora has kept of this driver's load; null without one. */
  private Long checkStartNanos;

  /**
   * @param triples true if there is a triplestore that answers
   */
  ResultRecorder(
      RunDocumentWriter document, JobListener listener, LoadRecord record, boolean triples) {
    this.document = document;
    this.listener = listener;
    this.record = record;
    this.triples = triples;
  }

  void processOutagesFrom(Supplier<List<RunDocument.Outage>> known) {
    processOutages = known;
  }

  /** For the first driver: sets what Fedora held before. */
  void countedBefore(Verifier.Before counted) {
    before = counted;
    noteTriples(null, null);
  }

  /** For a resumed driver: sets the earlier drivers' work. */
  void resume(EarlierLoad begun) {
    earlier = begun;
    before = begun.before();
  }

  boolean isResumed() {
    return earlier != null;
  }

  Verifier.Before before() {
    return before;
  }

  LoadEvents loadEvents(DurabilityCheck check) {
    return new LoadEvents(listener, record, check);
  }

  /** Records the times of the check after a load. */
  void checked(long startNanos, long endNanos) {
    checkStartNanos = startNanos;
    document.phase(Step.CHECK, startNanos, endNanos);
  }

  /** Records the end of a load, in any way. */
  void loaded(IngestResult result) {
    nothingLoaded = LoadDocument.nothingLoaded(result, earlier);
    // From the first object on: the workers' logins are not part of the ingest.
    document.phase(
        Step.INGEST,
        earlier == null ? result.startNanos() : earlier.beganNanos(),
        nothingLoaded ? earlier.loaded().endNanos() : result.endNanos());
    tryToRecord(
        () -> {
          if (nothingLoaded) {
            record.nothingSent();
          } else {
            record.loaded(result.startNanos(), result.endNanos());
          }
        });
    document.objects(LoadDocument.objects(result, document.objects().requested()));
    document.requests(LoadDocument.requests(result));
    LoadDocument.statements(result).ifPresent(document::statements);
    document.outages(LoadDocument.outages(result, earlier, processOutages.get()));
    document.load(LoadDocument.load(result, earlier));
    if (!result.interruptions().pauses().isEmpty()) {
      // the last one ended with the load, unless it was resumed
      tryToRecord(
          () ->
              record.changed(
                  LoadDocument.pauses(result.interruptions().pauses()),
                  LoadDocument.changes(result.interruptions().changes())));
    }
    noteTriples(result.count(Count.EXPECTED_TRIPLES), null);
  }

  /** Records the flush after the load. */
  void drained(long startNanos, long endNanos) {
    if (nothingLoaded) {
      EarlierLoad.Loaded loaded = earlier.loaded();
      if (loaded.checkStartNanos() != null) {
        document.phase(Step.CHECK, loaded.checkStartNanos(), loaded.drainStartNanos());
      }
      document.phase(Step.DRAIN, loaded.drainStartNanos(), loaded.drainEndNanos());
    } else {
      // As recorded: a resume with nothing to load reports the same times.
      if (checkStartNanos != null) {
        document.phase(Step.CHECK, checkStartNanos, startNanos);
      }
      document.phase(Step.DRAIN, startNanos, endNanos);
      tryToRecord(() -> record.drained(checkStartNanos, startNanos, endNanos));
    }
  }

  /**
   * Records the verification of a load.
   *
   * @param problems its problems, and others
   */
  void verified(long expectedTriples, Verification found, List<String> problems) {
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
    noteTriples(expectedTriples, since(before.triples(), found.triplesCounted()));
    found.notes().forEach(text -> document.note(text, listener));
    document.verification(
        new RunDocument.Verification(
            problems.isEmpty(), found.sampledObjects(), found.sampledBytes(), problems));
  }

  private interface RecordAction {
    void run() throws IOException;
  }

  /** Runs an action; a failure is reported, since it only affects a later resume. */
  private void tryToRecord(RecordAction what) {
    try {
      what.run();
    } catch (IOException e) {
      listener.note("The load could not be recorded: " + Reason.of(e));
    }
  }

  private void noteTriples(Long expected, Long counted) {
    document.triples(
        triples ? new RunDocument.TripleCounts(before.triples(), expected, counted) : null);
  }

  private static Long since(long before, Long now) {
    return now == null ? null : now - before;
  }
}
