package org.fedometer.driver.load;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;
import org.fedometer.driver.request.Latency;
import org.fedometer.driver.request.RequestEvent;

/** Counts what happens to the requests of one step. Workers add, the conductor reads. */
final class StepTally {

  private static final long LONGEST_MICROS = Latency.LONGEST_MICROS;

  final int workers;
  final Double ratePerSecond;
  final boolean warmUp;
  final long startNanos;
  final long startLoadNanos;
  final long ingestedBefore;
  private final long lateNanos;

  private final LongAdder failedRequests = new LongAdder();
  private final LongAdder late = new LongAdder();

  /** Null once the figures are {@link #freeze frozen}: a long ramp has many steps. */
  private volatile Recorder service = new Recorder(LONGEST_MICROS, 3);

  private volatile Recorder response = new Recorder(LONGEST_MICROS, 3);
  private Latency serviceTimes;
  private Latency responseTimes;

  /** Set when the step is over. */
  private LoadStep.Outcome outcome;

  private long endNanos;
  private long endLoadNanos;
  private long ingested;
  private long neverBegun;

  /**
   * @param ratePerSecond null in a closed loop
   * @param ingestedBefore objects acknowledged before the step
   * @param lateNanos begun later than this, an object is late
   */
  StepTally(
      boolean warmUp,
      int workers,
      Double ratePerSecond,
      long startNanos,
      long startLoadNanos,
      long ingestedBefore,
      long lateNanos) {
    this.warmUp = warmUp;
    this.workers = workers;
    this.ratePerSecond = ratePerSecond;
    this.startNanos = startNanos;
    this.startLoadNanos = startLoadNanos;
    this.ingestedBefore = ingestedBefore;
    this.lateNanos = lateNanos;
  }

  void add(RequestEvent event) {
    long lateBy = event.startNanos() - event.intendedStartNanos();
    if (event.attempt() == 1 && lateBy > lateNanos) {
      late.increment();
    }
    switch (event.outcome()) {
      case INGESTED, DONE -> {
        record(service, event.durationNanos());
        record(response, lateBy + event.durationNanos());
      }
      case FOUND_COMPLETE, RETRIED, FAILED -> failedRequests.increment();
      case ABANDONED -> {
        // Cut by the end of the run, which says nothing of Fedora.
      }
    }
  }

  private static void record(Recorder recorder, long nanos) {
    if (recorder != null) {
      recorder.recordValue(Math.min(nanos / 1000, LONGEST_MICROS));
    }
  }

  boolean failed() {
    return failedRequests.sum() > 0;
  }

  /** Objects that were begun late, so far. */
  long late() {
    return late.sum();
  }

  /**
   * The step is over; its requests may not be.
   *
   * @param neverBegun objects that were due long enough and were not begun
   */
  void end(
      LoadStep.Outcome outcome, long nanos, long loadNanos, long ingestedSoFar, long neverBegun) {
    this.outcome = outcome;
    this.endNanos = nanos;
    this.endLoadNanos = loadNanos;
    this.ingested = ingestedSoFar - ingestedBefore;
    this.neverBegun = neverBegun;
  }

  /** From here on only failures count: hardly a request can still be under way. */
  synchronized void freeze() {
    if (service != null) {
      serviceTimes = latency(service);
      responseTimes = latency(response);
      service = null;
      response = null;
    }
  }

  private static Latency latency(Recorder recorder) {
    return Latency.ofMicros(recorder.getIntervalHistogram());
  }

  /** The step as it ended, with what is known of its requests by now. */
  synchronized LoadStep figures() {
    freeze();
    LoadStep.Outcome known =
        failed() && (outcome == LoadStep.Outcome.CLEAN || outcome == LoadStep.Outcome.CUT)
            ? LoadStep.Outcome.ERRORS
            : outcome;
    return new LoadStep(
        known,
        workers,
        ratePerSecond,
        startNanos,
        endNanos,
        (endLoadNanos - startLoadNanos) / 1e9,
        ingested,
        failedRequests.sum(),
        late.sum() + neverBegun,
        serviceTimes,
        responseTimes);
  }
}
