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
 * Notes in the run's document, and for whoever goes on with the ingest, what came of a load. Used
 * by the job's one thread.
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

  /** When it was looked what Fedora has kept of this driver's load; null if it was not. */
  private Long checkStartNanos;

  /** Triples are noted where there is a triplestore that answers. */
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

  /** Of the first driver: what Fedora held before. */
  void countedBefore(Verifier.Before counted) {
    before = counted;
    noteTriples(null, null);
  }

  /** Of a driver that goes on with what others have begun. */
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

  /** At the end of a load it was looked what Fedora has kept of it. */
  void checked(long startNanos, long endNanos) {
    checkStartNanos = startNanos;
    document.phase(Step.CHECK, startNanos, endNanos);
  }

  /** A load is over, however it ended. */
  void loaded(IngestResult result) {
    nothingLoaded = LoadDocument.nothingLoaded(result, earlier);
    // From the first object on: the workers' logins before it are not the ingest.
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
      // the last one ended with the load, if nobody went on
      tryToRecord(
          () ->
              record.changed(
                  LoadDocument.pauses(result.interruptions().pauses()),
                  LoadDocument.changes(result.interruptions().changes())));
    }
    noteTriples(result.count(Count.EXPECTED_TRIPLES), null);
  }

  /** After the load Fedora has written the triples that it held in memory. */
  void drained(long startNanos, long endNanos) {
    if (nothingLoaded) {
      EarlierLoad.Loaded loaded = earlier.loaded();
      if (loaded.checkStartNanos() != null) {
        document.phase(Step.CHECK, loaded.checkStartNanos(), loaded.drainStartNanos());
      }
      document.phase(Step.DRAIN, loaded.drainStartNanos(), loaded.drainEndNanos());
    } else {
      // As they go on record: whoever goes on with nothing to load tells the same times.
      if (checkStartNanos != null) {
        document.phase(Step.CHECK, checkStartNanos, startNanos);
      }
      document.phase(Step.DRAIN, startNanos, endNanos);
      tryToRecord(() -> record.drained(checkStartNanos, startNanos, endNanos));
    }
  }

  /**
   * What a load has brought was counted and read back.
   *
   * @param problems those found, and what else does not hold
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

  /** Whoever goes on with the ingest knows less then; this one goes on. */
  private void tryToRecord(RecordAction what) {
    try {
      what.run();
    } catch (IOException e) {
      listener.note("The load could not be put on record: " + Reason.of(e));
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
