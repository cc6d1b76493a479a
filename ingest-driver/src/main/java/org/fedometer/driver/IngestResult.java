package org.fedometer.driver;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Counts;
import org.fedometer.driver.load.Failures;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.load.LoadStep;
import org.fedometer.driver.mix.MixResult;
import org.fedometer.driver.request.Latency;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RunStop;

/**
 * What came of an ingest.
 *
 * @param reason what ended it, in a sentence; null if it was the last object
 * @param endIndex index after the last object that was begun; all between were begun
 * @param unrecoverable objects that are not as they should be and that this driver cannot mend, a
 *     sentence each
 * @param steps of a load that has steps, the warm-up first
 * @param latency service times of the requests that made an object
 * @param startNanos {@code System.nanoTime()} when the first worker began
 * @param endNanos when the last worker had ended
 * @param mix what came of the steps of a mix; null where there was none
 */
public record IngestResult(
    EndStatus endStatus,
    String reason,
    long firstIndex,
    long endIndex,
    Counts counts,
    Failures failures,
    List<String> unrecoverable,
    Interruptions interruptions,
    List<LoadStep> steps,
    Latency latency,
    long startNanos,
    long endNanos,
    MixResult mix) {

  public enum EndStatus {
    /** Every object was ingested or given up, or the load is over as was asked for. */
    FINISHED,
    /** Somebody asked for it. */
    STOPPED,
    /** There was no point in going on. */
    GAVE_UP
  }

  /**
   * When a load did not go on as before.
   *
   * @param pauses when nothing was sent since somebody had asked for it
   */
  public record Interruptions(List<Outage> outages, List<Pause> pauses, List<LoadChange> changes) {

    public Interruptions {
      outages = List.copyOf(outages);
      pauses = List.copyOf(pauses);
      changes = List.copyOf(changes);
    }

    /** These, and then those. */
    Interruptions plus(Interruptions then) {
      return new Interruptions(
          joined(outages, then.outages),
          joined(pauses, then.pauses),
          joined(changes, then.changes));
    }
  }

  public IngestResult {
    Objects.requireNonNull(endStatus, "ending");
    unrecoverable = List.copyOf(unrecoverable);
    steps = List.copyOf(steps);
    Objects.requireNonNull(latency, "latency");
  }

  public long count(Count count) {
    return counts.of(count);
  }

  /** Whether every object asked for was ingested, and all else was done that was asked for. */
  public boolean complete() {
    return endStatus == EndStatus.FINISHED
        && count(Count.INGESTED) == count(Count.REQUESTED)
        && count(Count.FAILED_ADDITIONS) == 0
        && unrecoverable.isEmpty()
        && failedOperations() == 0;
  }

  /** Whether it is known of each object that was begun whether it was ingested. */
  public boolean knowsNotIngested() {
    return failures.notIngested().size() < IngestTally.MAX_NOT_INGESTED;
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

  public IngestResult ended(RunStop why) {
    return new IngestResult(
        why.requested() ? EndStatus.STOPPED : EndStatus.GAVE_UP,
        why.getMessage(),
        firstIndex,
        endIndex,
        counts,
        failures,
        unrecoverable,
        interruptions,
        steps,
        latency,
        startNanos,
        endNanos,
        mix);
  }

  /** The same with what was done along with it, or, where that is below 0, is not to count. */
  public IngestResult with(Counts more, List<Outage> moreOutages, long untilNanos) {
    return new IngestResult(
        endStatus,
        reason,
        firstIndex,
        endIndex,
        counts.plus(more),
        failures,
        unrecoverable,
        interruptions.plus(new Interruptions(moreOutages, List.of(), List.of())),
        steps,
        latency,
        startNanos,
        untilNanos,
        mix);
  }

  /** The same with the ingest that came before the mix; latencies are those of the mix alone. */
  public IngestResult after(IngestResult preload) {
    return new IngestResult(
        endStatus,
        reason,
        preload.firstIndex,
        endIndex,
        preload.counts.plus(counts),
        preload.failures.plus(failures),
        joined(preload.unrecoverable, unrecoverable),
        preload.interruptions.plus(interruptions),
        steps,
        latency,
        preload.startNanos,
        endNanos,
        mix);
  }

  private static <T> List<T> joined(List<T> first, List<T> then) {
    return Stream.concat(first.stream(), then.stream()).toList();
  }
}
