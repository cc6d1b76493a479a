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
 * Result of an ingest.
 *
 * @param reason why it ended, a sentence; null if it reached the last object
 * @param endIndex index after the last object that was begun; all before it were begun
 * @param unrecoverable objects that are incomplete and that this driver cannot repair, a sentence
 *     each
 * @param steps steps of a stepped load, the warm-up first
 * @param latency service times of the requests that created an object
 * @param startNanos {@code System.nanoTime()} when the first worker began
 * @param endNanos when the last worker had ended
 * @param mix result of the steps of a mix; null without a mix
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
    /** Every object was ingested or abandoned, or another requested condition ended the load. */
    FINISHED,
    /** Stopped on request. */
    STOPPED,
    /** The ingest could not usefully continue. */
    GAVE_UP
  }

  /**
   * Interruptions and changes of a load.
   *
   * @param pauses requested periods without sending
   */
  public record Interruptions(List<Outage> outages, List<Pause> pauses, List<LoadChange> changes) {

    public Interruptions {
      outages = List.copyOf(outages);
      pauses = List.copyOf(pauses);
      changes = List.copyOf(changes);
    }

    /** Returns these interruptions followed by the given ones. */
    Interruptions plus(Interruptions then) {
      return new Interruptions(
          joined(outages, then.outages),
          joined(pauses, then.pauses),
          joined(changes, then.changes));
    }
  }

  public IngestResult {
    Objects.requireNonNull(endStatus, "endStatus");
    unrecoverable = List.copyOf(unrecoverable);
    steps = List.copyOf(steps);
    Objects.requireNonNull(latency, "latency");
  }

  public long count(Count count) {
    return counts.of(count);
  }

  /**
   * Returns whether every requested object was ingested and every other requested operation
   * succeeded.
   */
  public boolean complete() {
    return endStatus == EndStatus.FINISHED
        && count(Count.INGESTED) == count(Count.REQUESTED)
        && count(Count.FAILED_ADDITIONS) == 0
        && unrecoverable.isEmpty()
        && failedOperations() == 0;
  }

  /** Returns whether the list of objects that were begun but not ingested is complete. */
  public boolean knowsNotIngested() {
    return failures.notIngested().size() < IngestTally.MAX_NOT_INGESTED;
  }

  /**
   * Returns the highest clean rate of a ramp before its first step that was not clean. Null if the
   * load was no ramp or its first step was not clean.
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

  /** Returns the number of a mix's requests other than ingests that were abandoned. */
  public long failedOperations() {
    return mix == null ? 0 : mix.failedOperations();
  }

  /** Returns the number of ingested objects that were purged again on request. */
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

  /** Returns this result with further counts and outages added. A negative count is subtracted. */
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

  /**
   * Returns this result preceded by the ingest before the mix. Latencies remain those of the mix.
   */
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
