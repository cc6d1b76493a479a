package org.fedometer.driver;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.fedometer.datasets.FedoraRules;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.load.LoadStep;
import org.fedometer.driver.mix.MixResult;
import org.fedometer.driver.request.Latency;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RequestEvent;

/**
 * What came of an ingest; made by its {@link Draft}, where each number has a name.
 *
 * @param reason what ended it, in a sentence; null if it was the last object
 * @param endIndex index after the last object that was begun; all between were begun
 * @param requested objects asked for; where something else has ended it, those that were begun
 * @param ingested objects that are in Fedora, {@code foundComplete} included
 * @param foundComplete objects that are there and complete, though their request's answer was an
 *     error or lost
 * @param abandoned objects begun whose fate was open when the run stopped; they may be in Fedora
 * @param sent requests, retries included
 * @param retried requests beyond each object's first
 * @param failedRequests requests answered by an error or not at all
 * @param contentBytes content of the ingested objects that Fedora took in
 * @param expectedTriples triples that Fedora should have made of the ingested objects and of what
 *     was added to them
 * @param additions statements that were added to other objects, as the dataset asked for
 * @param failedAdditions statements that could not be added, or may not have been when the run
 *     stopped
 * @param failures the first twenty objects or statements given up, each by its last attempt
 * @param firstFailedRequests the first twenty requests that failed, whatever became of the object
 * @param notIngested indices of the failed and abandoned objects, at most {@link
 *     IngestTally#MOST_NOT_INGESTED}
 * @param halfMade requests to purge an object that was not whole, those that failed included
 * @param stuck objects that are not as they should be and that this driver cannot mend, a sentence
 *     each
 * @param pauses when nothing was sent since somebody had asked for it
 * @param steps of a load that has steps, the warm-up first
 * @param latency service times of the requests that made an object
 * @param startNanos {@code System.nanoTime()} when the first worker began
 * @param endNanos when the last worker had ended
 * @param mix what came of the steps of a mix; null where there was none
 * @param addedToFirst datastreams that a study has added to the first object
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
    long halfMade,
    List<String> stuck,
    List<Pause> pauses,
    List<LoadChange> changes,
    List<LoadStep> steps,
    Latency latency,
    long startNanos,
    long endNanos,
    MixResult mix,
    long addedToFirst) {

  public enum Ending {
    /** Every object was ingested or given up, or the load is over as was asked for. */
    FINISHED,
    /** Somebody asked for it. */
    STOPPED,
    /** There was no point in going on. */
    GAVE_UP
  }

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

  /** Whether every object asked for was ingested, and all else was done that was asked for. */
  public boolean complete() {
    return ending == Ending.FINISHED
        && ingested == requested
        && failedAdditions == 0
        && stuck.isEmpty()
        && failedOperations() == 0;
  }

  /** Whether it is known of each object that was begun whether it was ingested. */
  public boolean knowsNotIngested() {
    return notIngested.size() < IngestTally.MOST_NOT_INGESTED;
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

  /** Requests of a mix besides ingests that were given up. */
  public long failedOperations() {
    return mix == null ? 0 : mix.failedOperations();
  }

  /** Objects that were ingested and are gone again, as was asked for. */
  public long purged() {
    return mix == null ? 0 : mix.purged();
  }

  public IngestResult ended(Ending other, String why) {
    return changed(
        draft -> {
          draft.ending = other;
          draft.reason = why;
        });
  }

  public IngestResult withAddedToFirst(long datastreams) {
    return changed(
        draft -> {
          draft.addedToFirst += datastreams;
          draft.expectedTriples += datastreams * FedoraRules.TRIPLES_OF_A_DATASTREAM;
        });
  }

  /** The same with requests of other kinds that were made along with it. */
  public IngestResult withRequests(
      long more, long moreFailed, List<Outage> moreOutages, long untilNanos) {
    return changed(
        draft -> {
          draft.sent += more;
          draft.failedRequests += moreFailed;
          draft.outages = joined(outages, moreOutages);
          draft.endNanos = untilNanos;
        });
  }

  /** The same before these were ingested, which were purged since and are to be brought back. */
  public IngestResult without(List<? extends RepositoryObject> purged) {
    return changed(
        draft -> {
          draft.requested -= purged.size();
          draft.ingested -= purged.size();
          for (RepositoryObject object : purged) {
            draft.contentBytes -= object.contentBytes();
            draft.expectedTriples -= object.triples();
          }
        });
  }

  /** The same with the ingest that came before the mix; latencies are those of the mix alone. */
  public IngestResult after(IngestResult preload) {
    return changed(
        draft -> {
          draft.firstIndex = preload.firstIndex;
          draft.requested += preload.requested;
          draft.ingested += preload.ingested;
          draft.foundComplete += preload.foundComplete;
          draft.failed += preload.failed;
          draft.abandoned += preload.abandoned;
          draft.sent += preload.sent;
          draft.retried += preload.retried;
          draft.failedRequests += preload.failedRequests;
          draft.contentBytes += preload.contentBytes;
          draft.expectedTriples += preload.expectedTriples;
          draft.additions += preload.additions;
          draft.failedAdditions += preload.failedAdditions;
          draft.halfMade += preload.halfMade;
          draft.failures = kept(joined(preload.failures, failures));
          draft.firstFailedRequests =
              kept(joined(preload.firstFailedRequests, firstFailedRequests));
          Set<Long> missing = new HashSet<>(preload.notIngested);
          missing.addAll(notIngested);
          draft.notIngested = missing;
          draft.outages = joined(preload.outages, outages);
          draft.stuck = joined(preload.stuck, stuck);
          draft.pauses = joined(preload.pauses, pauses);
          draft.changes = joined(preload.changes, changes);
          draft.startNanos = preload.startNanos;
        });
  }

  private static List<RequestEvent> kept(List<RequestEvent> failures) {
    return failures.subList(0, Math.min(failures.size(), IngestTally.FAILURES_KEPT));
  }

  private static <T> List<T> joined(List<T> first, List<T> then) {
    List<T> both = new ArrayList<>(first);
    both.addAll(then);
    return both;
  }

  private IngestResult changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.result();
  }

  /**
   * What somebody fills in who makes a result: so many numbers side by side would not mind being
   * exchanged. One thread at a time.
   */
  public static final class Draft {
    public Ending ending = Ending.FINISHED;
    public String reason;
    public long firstIndex;
    public long endIndex;
    public long requested;
    public long ingested;
    public long foundComplete;
    public long failed;
    public long abandoned;
    public long sent;
    public long retried;
    public long failedRequests;
    public long contentBytes;
    public long expectedTriples;
    public long additions;
    public long failedAdditions;
    public List<RequestEvent> failures = List.of();
    public List<RequestEvent> firstFailedRequests = List.of();
    public Set<Long> notIngested = Set.of();
    public List<Outage> outages = List.of();
    public long halfMade;
    public List<String> stuck = List.of();
    public List<Pause> pauses = List.of();
    public List<LoadChange> changes = List.of();
    public List<LoadStep> steps = List.of();
    public Latency latency = new Latency(0, 0, 0, 0, 0);
    public long startNanos;
    public long endNanos;
    public MixResult mix;
    public long addedToFirst;

    public Draft() {}

    private Draft(IngestResult result) {
      ending = result.ending;
      reason = result.reason;
      firstIndex = result.firstIndex;
      endIndex = result.endIndex;
      requested = result.requested;
      ingested = result.ingested;
      foundComplete = result.foundComplete;
      failed = result.failed;
      abandoned = result.abandoned;
      sent = result.sent;
      retried = result.retried;
      failedRequests = result.failedRequests;
      contentBytes = result.contentBytes;
      expectedTriples = result.expectedTriples;
      additions = result.additions;
      failedAdditions = result.failedAdditions;
      failures = result.failures;
      firstFailedRequests = result.firstFailedRequests;
      notIngested = result.notIngested;
      outages = result.outages;
      halfMade = result.halfMade;
      stuck = result.stuck;
      pauses = result.pauses;
      changes = result.changes;
      steps = result.steps;
      latency = result.latency;
      startNanos = result.startNanos;
      endNanos = result.endNanos;
      mix = result.mix;
      addedToFirst = result.addedToFirst;
    }

    /** Lists and sets are copied. */
    public IngestResult result() {
      return new IngestResult(
          ending,
          reason,
          firstIndex,
          endIndex,
          requested,
          ingested,
          foundComplete,
          failed,
          abandoned,
          sent,
          retried,
          failedRequests,
          contentBytes,
          expectedTriples,
          additions,
          failedAdditions,
          failures,
          firstFailedRequests,
          notIngested,
          outages,
          halfMade,
          stuck,
          pauses,
          changes,
          steps,
          latency,
          startNanos,
          endNanos,
          mix,
          addedToFirst);
    }
  }
}
