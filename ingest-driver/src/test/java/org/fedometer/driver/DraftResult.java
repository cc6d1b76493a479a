package org.fedometer.driver;

import java.util.List;
import java.util.Set;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Counts;
import org.fedometer.driver.load.Failures;
import org.fedometer.driver.load.LoadStep;
import org.fedometer.driver.mix.MixResult;
import org.fedometer.driver.request.Latency;

/** A result that a test fills in; of an ingest of nothing, as long as it does not. */
public final class DraftResult {
  public IngestResult.EndStatus endStatus = IngestResult.EndStatus.FINISHED;
  public String reason;
  public long endIndex;
  public Failures failures = new Failures(List.of(), List.of(), Set.of());
  public List<String> unrecoverable = List.of();
  public IngestResult.Interruptions interruptions =
      new IngestResult.Interruptions(List.of(), List.of(), List.of());
  public List<LoadStep> steps = List.of();
  public long startNanos;
  public long endNanos;
  public MixResult mix;
  private Counts counts = Counts.NONE;

  public void count(Count count, long number) {
    counts = counts.plus(count, number);
  }

  public IngestResult result() {
    return new IngestResult(
        endStatus,
        reason,
        0,
        endIndex,
        counts,
        failures,
        unrecoverable,
        interruptions,
        steps,
        new Latency(0, 0, 0, 0, 0),
        startNanos,
        endNanos,
        mix);
  }
}
