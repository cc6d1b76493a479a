package org.fedometer.driver;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What came of an ingest.
 *
 * @param ending how it ended
 * @param reason what ended it, in a sentence; null if it was the last object
 * @param firstIndex index of the first object
 * @param endIndex index after the last object that was begun; all between were begun
 * @param requested objects asked for; where something else has ended it, those that were begun
 * @param ingested objects that are in Fedora, {@code foundComplete} included
 * @param foundComplete objects that are there and complete, though their request's answer was an
 *     error or lost
 * @param failed objects given up
 * @param abandoned objects begun whose fate was open when the run stopped; they may be in Fedora
 * @param sent requests, retries included
 * @param retried requests beyond each object's first
 * @param failedRequests requests answered by an error or not at all
 * @param contentBytes content of the ingested objects
 * @param expectedTriples triples that Fedora should have made of the ingested objects and of what
 *     was added to them
 * @param additions statements that were added to other objects, as the dataset asked for
 * @param failedAdditions statements that could not be added, or may not have been when the run
 *     stopped
 * @param failures the first twenty objects or statements given up, each by its last attempt
 * @param firstFailedRequests the first twenty requests that failed, whatever became of the object
 * @param notIngested indices of the failed and abandoned objects, at most {@link
 *     #MOST_NOT_INGESTED}
 * @param outages when Fedora was out of reach
 * @param purged half-made objects that were purged to be ingested again
 * @param stuck objects that are not as they should be and that this driver cannot mend, a sentence
 *     each
 * @param pauses when nothing was sent since somebody had asked for it
 * @param changes of workers and rate while it ran
 * @param steps of a load that has steps, the warm-up first
 * @param latency service times of the requests that ingested an object
 * @param startNanos {@code System.nanoTime()} when the first worker began
 * @param endNanos when the last worker had ended
 */
public record IngestResult(
    Ending ending,
    String reason,
    long firstIndex,
    long endIndex,
    long requested,
    long ingested,
    long foundComplete,
    long failed,
    long abandoned,
    long sent,
    long retried,
    long failedRequests,
    long contentBytes,
    long expectedTriples,
    long additions,
    long failedAdditions,
    List<RequestEvent> failures,
    List<RequestEvent> firstFailedRequests,
    Set<Long> notIngested,
    List<Outage> outages,
    long purged,
    List<String> stuck,
    List<Pause> pauses,
    List<LoadChange> changes,
    List<LoadStep> steps,
    Latency latency,
    long startNanos,
    long endNanos) {

  /** More indices of objects that were not ingested are not remembered. */
  public static final int MOST_NOT_INGESTED = 1_000_000;

  /** How an ingest ended. */
  public enum Ending {
    /** Every object was ingested or given up, or the load is over as was asked for. */
    FINISHED,
    /** Somebody asked for it. */
    STOPPED,
    /** There was no point in going on. */
    GAVE_UP
  }

  /**
   * Percentiles of times, service times if nothing else is said; zero if there was no request.
   *
   * @param count requests
   */
  public record Latency(
      long count, double p50Millis, double p95Millis, double p99Millis, double maxMillis) {}

  public IngestResult {
    Objects.requireNonNull(ending, "ending");
    failures = List.copyOf(failures);
    firstFailedRequests = List.copyOf(firstFailedRequests);
    notIngested = Set.copyOf(notIngested);
    outages = List.copyOf(outages);
    stuck = List.copyOf(stuck);
    pauses = List.copyOf(pauses);
    changes = List.copyOf(changes);
    steps = List.copyOf(steps);
    Objects.requireNonNull(latency, "latency");
  }

  /** Whether every object asked for is in Fedora, and all that they add to others. */
  public boolean complete() {
    return ending == Ending.FINISHED
        && ingested == requested
        && failedAdditions == 0
        && stuck.isEmpty();
  }

  /**
   * The highest rate of a ramp's steps that were clean, before one that was not; null if the load
   * was no ramp, or not even the first step was.
   */
  public Double highestCleanRate() {
    Double highest = null;
    for (LoadStep step : steps) {
      if (step.outcome() == LoadStep.Outcome.WARM_UP) {
        continue;
      }
      if (step.outcome() != LoadStep.Outcome.CLEAN || step.ratePerSecond() == null) {
        return highest;
      }
      highest = step.ratePerSecond();
    }
    return highest;
  }
}
