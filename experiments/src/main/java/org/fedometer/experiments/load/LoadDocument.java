package org.fedometer.experiments.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.LoadStep;
import org.fedometer.driver.request.Latency;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.store.RunDocument;

/**
 * Converts a driver's result to the run's document, after that of earlier drivers, if any.
 * Stateless, thread-safe.
 */
public final class LoadDocument {
  private LoadDocument() {}

  /**
   * Returns whether a resumed driver had nothing to load, so that the rate is unchanged.
   *
   * @param earlierOrNull work of earlier drivers; null for the first
   */
  public static boolean nothingLoaded(IngestResult result, EarlierLoad earlierOrNull) {
    return earlierOrNull != null && earlierOrNull.loaded() != null && result.count(Count.SENT) == 0;
  }

  /** Returns the driver's counts of objects, without Fedora's; 0 requested means unknown. */
  public static RunDocument.ObjectCounts objects(IngestResult result, long requested) {
    // If time or disk ended it before its last object, no more were requested.
    boolean endedEarly =
        result.endStatus() == IngestResult.EndStatus.FINISHED && result.reason() != null;
    return new RunDocument.ObjectCounts(
        endedEarly || requested == 0 ? result.count(Count.REQUESTED) : requested,
        result.count(Count.INGESTED),
        result.count(Count.FAILED),
        null,
        0,
        result.count(Count.CONTENT_BYTES),
        result.purged());
  }

  /** Returns the requests of this driver alone, and the first failed ones. */
  public static RunDocument.RequestCounts requests(IngestResult result) {
    return new RunDocument.RequestCounts(
        result.count(Count.SENT),
        result.count(Count.RETRIED),
        result.count(Count.FAILED_REQUESTS),
        result.failures().requests().stream().map(LoadDocument::failedRequest).toList());
  }

  private static RunDocument.FailedRequest failedRequest(RequestEvent event) {
    return new RunDocument.FailedRequest(
        event.operation().wireName(),
        event.pid(),
        event.attempt(),
        event.status(),
        event.message());
  }

  /** Returns empty if no statements were to be added. */
  public static Optional<RunDocument.StatementCounts> statements(IngestResult result) {
    return result.count(Count.ADDITIONS) + result.count(Count.FAILED_ADDITIONS) == 0
        ? Optional.empty()
        : Optional.of(
            new RunDocument.StatementCounts(
                result.count(Count.ADDITIONS), result.count(Count.FAILED_ADDITIONS)));
  }

  /**
   * Returns each outage once, and the time without a driver.
   *
   * @param ofProcesses outages known besides those of requests, by start
   */
  public static List<RunDocument.Outage> outages(
      IngestResult result, EarlierLoad earlierOrNull, List<RunDocument.Outage> ofProcesses) {
    List<RunDocument.Outage> all = new ArrayList<>();
    if (earlierOrNull != null) {
      all.addAll(earlierOrNull.history().outages());
      if (!nothingLoaded(result, earlierOrNull)) {
        RunDocument.Outage absence = earlierOrNull.absence();
        all.add(
            new RunDocument.Outage(
                absence.who(), absence.startNanos(), result.startNanos(), absence.reason()));
      }
    }
    all.addAll(KnownOutages.of(ofProcesses, result.interruptions().outages()));
    return all;
  }

  /** Returns an outage of Fedora that requests noticed. */
  public static RunDocument.Outage outage(Outage noticed) {
    return new RunDocument.Outage(
        RunDocument.Outage.FEDORA, noticed.startNanos(), noticed.endNanos(), noticed.reason());
  }

  /**
   * Returns the course of the load.
   *
   * @return null if it went as requested: to the last object, without changes
   */
  public static RunDocument.Load load(IngestResult result, EarlierLoad earlierOrNull) {
    List<RunDocument.Pause> pauses = new ArrayList<>();
    List<RunDocument.LoadChange> changes = new ArrayList<>();
    if (earlierOrNull != null) {
      pauses.addAll(earlierOrNull.history().pauses());
      changes.addAll(earlierOrNull.history().changes());
    }
    pauses.addAll(pauses(result.interruptions().pauses()));
    changes.addAll(changes(result.interruptions().changes()));
    String endedBy = result.endStatus() == IngestResult.EndStatus.FINISHED ? result.reason() : null;
    if (endedBy == null && result.steps().isEmpty() && pauses.isEmpty() && changes.isEmpty()) {
      return null;
    }
    return new RunDocument.Load(
        endedBy,
        result.highestCleanRate(),
        result.steps().stream().map(LoadDocument::step).toList(),
        pauses,
        changes);
  }

  public static List<RunDocument.Pause> pauses(List<Pause> pauses) {
    return pauses.stream()
        .map(pause -> new RunDocument.Pause(pause.startNanos(), pause.endNanos()))
        .toList();
  }

  public static List<RunDocument.LoadChange> changes(List<LoadChange> changes) {
    return changes.stream()
        .map(
            change ->
                new RunDocument.LoadChange(
                    change.atNanos(), change.workers(), change.ratePerSecond()))
        .toList();
  }

  private static RunDocument.LoadStep step(LoadStep step) {
    return new RunDocument.LoadStep(
        outcome(step.outcome()),
        step.workers(),
        step.ratePerSecond(),
        step.startNanos(),
        step.endNanos(),
        step.seconds(),
        step.ingested(),
        step.failedRequests(),
        step.late(),
        percentiles(step.serviceTimes()),
        percentiles(step.responseTimes()),
        step.operations().stream()
            .map(
                kind ->
                    new RunDocument.StepOperation(
                        kind.operation().wireName(),
                        kind.done(),
                        kind.failedRequests(),
                        percentiles(kind.serviceTimes()),
                        percentiles(kind.responseTimes())))
            .toList());
  }

  private static String outcome(LoadStep.Outcome outcome) {
    return switch (outcome) {
      case WARM_UP -> RunDocument.LoadStep.WARM_UP;
      case CLEAN -> RunDocument.LoadStep.CLEAN;
      case ERRORS -> RunDocument.LoadStep.ERRORS;
      case NOT_HELD -> RunDocument.LoadStep.NOT_HELD;
      case CUT -> RunDocument.LoadStep.CUT;
    };
  }

  private static RunDocument.Percentiles percentiles(Latency times) {
    return times.count() == 0
        ? null
        : new RunDocument.Percentiles(
            times.p50Millis(), times.p95Millis(), times.p99Millis(), times.maxMillis());
  }
}
