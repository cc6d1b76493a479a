package org.fedometer.driver.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.Latency;
import org.fedometer.driver.request.RequestEvent;

/** Counts the requests of one step. Adding is thread-safe; the conducting thread reads. */
final class StepTally {

  private static final long MAX_MICROS = Latency.MAX_MICROS;

  final int workers;
  final Double ratePerSecond;
  final boolean warmUp;
  final long startNanos;
  final long startLoadNanos;
  final long ingestedBefore;
  private final long lateNanos;

  private final LongAdder late = new LongAdder();
  private final Kind all = new Kind(new Recorder(MAX_MICROS, 3), new Recorder(MAX_MICROS, 3));

  private final Map<Operation, Kind> kinds = new ConcurrentHashMap<>();

  /** Set when the step is over. */
  private LoadStep.Outcome outcome;

  private long endNanos;
  private long endLoadNanos;
  private long ingested;
  private long neverBegun;

  /** Counts of all requests, or of one kind. */
  private static final class Kind {
    private final LongAdder failedRequests = new LongAdder();

    /** Null once {@link #freeze frozen}, since a long ramp has many steps. */
    private Recorder service;

    private Recorder response;
    private long done;
    private Latency serviceTimes;
    private Latency responseTimes;

    Kind(Recorder service, Recorder response) {
      this.service = service;
      this.response = response;
    }

    /** Returns a kind with small recorders for similar times, since a mix has many kinds. */
    static Kind small() {
      return new Kind(new Recorder(3), new Recorder(3));
    }

    /**
     * @return false if frozen
     */
    synchronized boolean done(long serviceNanos, long responseNanos) {
      if (service == null) {
        return false;
      }
      done++;
      record(service, serviceNanos);
      record(response, responseNanos);
      return true;
    }

    synchronized void freeze() {
      if (service != null) {
        serviceTimes = latency(service);
        responseTimes = latency(response);
        service = null;
        response = null;
      }
    }

    synchronized LoadStep.Kind result(Operation operation) {
      freeze();
      return new LoadStep.Kind(operation, done, failedRequests.sum(), serviceTimes, responseTimes);
    }
  }

  /**
   * @param ratePerSecond null in a closed model
   * @param lateNanos delay from which an object is late
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
        if (all.done(event.durationNanos(), lateBy + event.durationNanos())) {
          kind(event).done(event.durationNanos(), lateBy + event.durationNanos());
        }
      }
      case FOUND_COMPLETE, RETRIED, FAILED -> {
        all.failedRequests.increment();
        kind(event).failedRequests.increment();
      }
      case ABANDONED -> {
        // Cut by the end of the run, which proves nothing about Fedora.
      }
    }
  }

  private Kind kind(RequestEvent event) {
    return kinds.computeIfAbsent(event.operation(), operation -> Kind.small());
  }

  private static void record(Recorder recorder, long nanos) {
    recorder.recordValue(Math.min(nanos / 1000, MAX_MICROS));
  }

  boolean failed() {
    return all.failedRequests.sum() > 0;
  }

  long late() {
    return late.sum();
  }

  /**
   * Ends the step; its requests may continue.
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

  /**
   * Frees the recorders; from now on only failures count, as hardly a request is still under way.
   */
  void freeze() {
    all.freeze();
    kinds.values().forEach(Kind::freeze);
  }

  private static Latency latency(Recorder recorder) {
    return Latency.ofMicros(recorder.getIntervalHistogram());
  }

  /** Returns the ended step with the requests known by now. */
  LoadStep result() {
    LoadStep.Kind total = all.result(null);
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
        total.failedRequests(),
        late.sum() + neverBegun,
        total.serviceTimes(),
        total.responseTimes(),
        new TreeMap<>(kinds)
            .entrySet().stream().map(kind -> kind.getValue().result(kind.getKey())).toList());
  }
}
