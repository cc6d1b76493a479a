package org.fedometer.driver;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.JournalState;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.load.Load;
import org.fedometer.driver.load.LoadEnd;
import org.fedometer.driver.load.RecentLatency;
import org.fedometer.driver.load.Schedule;
import org.fedometer.driver.mix.MixOrder;
import org.fedometer.driver.mix.MixResult;
import org.fedometer.driver.mix.MixTally;
import org.fedometer.driver.object.UnrecoverableObjects;
import org.fedometer.driver.request.CircuitBreaker;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.RunStop;

/**
 * State of a load: counts, and the times of its start, changes and end. The driver's thread and the
 * workers update it; any thread may get progress and result.
 */
final class LoadState {

  final IngestTally tally;

  /** Null for a load of ingests only. */
  private final MixTally mixTally;

  final UnrecoverableObjects unrecoverable = new UnrecoverableObjects();
  final RecentLatency recentLatency = new RecentLatency();
  final List<LoadChange> changes = new CopyOnWriteArrayList<>();
  private final LoadPace pace = new LoadPace();
  private final Dataset dataset;
  private final IngestOptions options;

  /** Objects that earlier drivers of the ingest have abandoned; constant. */
  private final IndexRanges failedBefore;

  /** Number of objects that earlier drivers have acknowledged. */
  private final long ingestedBefore;

  private final Pacer pacer;
  private final Schedule schedule;
  private final LoadEnd end;
  private final CircuitBreaker circuitBreaker;
  private volatile long startNanos;
  private volatile long endNanos;
  private volatile boolean ended;

  /**
   * @param mixTally null for a load of ingests only
   */
  LoadState(
      Dataset dataset,
      IngestOptions options,
      JournalState before,
      IngestTally tally,
      MixTally mixTally,
      Pacer pacer,
      CircuitBreaker circuitBreaker) {
    this.dataset = dataset;
    this.options = options;
    this.failedBefore = before.failed().copy();
    this.ingestedBefore = before.acknowledged().size();
    this.tally = tally;
    this.mixTally = mixTally;
    this.pacer = pacer;
    this.schedule = pacer.schedule;
    this.end = pacer.end;
    this.circuitBreaker = circuitBreaker;
  }

  void begin(long nanos) {
    startNanos = nanos;
  }

  /** Ends the load; later events are not part of it. */
  void end(long nanos) {
    endNanos = nanos;
    ended = true;
  }

  long startNanos() {
    return startNanos;
  }

  long endNanos() {
    return endNanos;
  }

  boolean ended() {
    return ended;
  }

  void tick(long now) {
    pace.note(schedule.loadNanos(now), done() - failed());
    recentLatency.rotateIfDue(now);
  }

  private long done() {
    return tally.done() + (mixTally == null ? 0 : mixTally.settled());
  }

  private long failed() {
    return tally.count(Count.FAILED) + (mixTally == null ? 0 : mixTally.failed());
  }

  IngestProgress progress(int wantedWorkers) {
    boolean over = ended;
    long now = over ? endNanos : System.nanoTime();
    String outage = circuitBreaker.outage();
    long done = done();
    long failed = failed();
    long well = done - failed;
    long loadNanos = startNanos == 0 ? 0 : Math.max(0, schedule.loadNanos(now));
    double overall = loadNanos == 0 ? 0 : (well - ingestedBefore) * 1e9 / loadNanos;
    double recentRate = pace.recentRate(loadNanos, well, overall);
    IngestProgress.Trend trend = pace.trend(loadNanos, well);
    return new IngestProgress(
        new IngestProgress.ObjectCounts(
            mixTally == null ? "object" : "step",
            total(),
            done,
            well,
            failed,
            tally.count(Count.CONTENT_BYTES)),
        tally.count(Count.FAILED_REQUESTS),
        circuitBreaker.outages().size() + (outage == null ? 0 : 1),
        outage,
        new IngestProgress.Rates(overall, recentRate, trend),
        tally.latency(),
        recentLatency.recent(),
        new IngestProgress.LoadState(
            !over && schedule.paused(),
            over || end.stopped() || end.endReason() != null,
            wantedWorkers,
            schedule.ratePerSecond(),
            over || loadNanos == 0 ? 0 : schedule.overdue(loadNanos, 0)),
        loadNanos,
        over ? 0 : etaSeconds(total() - done, loadNanos, recentRate, trend));
  }

  private long total() {
    return endless() ? Long.MAX_VALUE : options.shardObjects();
  }

  private boolean endless() {
    return options.endIndex() == Long.MAX_VALUE;
  }

  private long etaSeconds(
      long remaining, long loadNanos, double recentRate, IngestProgress.Trend trend) {
    long byObjects = endless() ? -1 : RateHistory.etaSeconds(remaining, recentRate, trend);
    if (options.endConditions().maxDuration() == null) {
      return byObjects;
    }
    long byTime =
        Math.max(
            0,
            (options.endConditions().maxDuration().toNanos() - loadNanos + 999_999_999)
                / 1_000_000_000);
    return byObjects < 0 ? byTime : Math.min(byObjects, byTime);
  }

  /**
   * Returns the result. Call once, at the end: objects that an earlier driver left open and this
   * one has not begun are counted here.
   */
  IngestResult result() {
    RunStop reason = end.gaveUp();
    long begun = schedule.next();
    boolean begunAll = begun == pacer.numbers.count();
    boolean asAsked = end.endReason() != null && !end.stopped();
    long numbersAsked =
        asAsked || endless()
            ? ingestedBefore + Math.max(begun, pacer.numbers.leftOpen())
            : options.shardObjects();
    // Without a stop, open objects are those that Fedora did not release afterwards.
    boolean finished = asAsked || !end.stopped() || done() == numbersAsked && !endless();
    pacer
        .numbers
        .unstartedLeftOpen(begun)
        .forEach(index -> tally.addUnstarted(index, failedBefore.contains(index)));
    IngestResult.EndStatus endStatus =
        reason != null
            ? IngestResult.EndStatus.GAVE_UP
            : finished ? IngestResult.EndStatus.FINISHED : IngestResult.EndStatus.STOPPED;
    String why =
        reason != null
            ? reason.getMessage()
            : asAsked && !begunAll
                ? end.endReason()
                : finished ? endOfRamp() : "Stopped on request.";
    long requested =
        mixTally == null
            ? numbersAsked
            : asAsked ? ingestsBefore(begun) : options.ingests(dataset.leadingObjects());
    return new IngestResult(
        endStatus,
        why,
        options.firstObject(),
        endObject(begun),
        tally
            .counts()
            .plus(Count.REQUESTED, requested)
            .plus(Count.EXPECTED_TRIPLES, mixTally == null ? 0 : mixTally.triples()),
        tally.failures(),
        unrecoverable.messages(),
        new IngestResult.Interruptions(
            circuitBreaker.outages(), schedule.pauses(endNanos), changes),
        pacer.steps == null ? List.of() : pacer.steps.results(),
        tally.latency(),
        startNanos,
        endNanos,
        mixResult());
  }

  /** Returns the reason why a ramp that has sent all objects ended; null for any other load. */
  private String endOfRamp() {
    if (!(options.load() instanceof Load.Ramp)) {
      return null;
    }
    return pacer.steps.endReason() != null
        ? pacer.steps.endReason()
        : "The ramp ran out of objects before it reached a limit; give it more with --objects.";
  }

  private long endObject(long begun) {
    return mixTally == null
        ? pacer.numbers.endIndex(begun)
        : options.mix().preload() + ingestsBefore(begun);
  }

  private long ingestsBefore(long begun) {
    return new MixOrder(options.mix(), dataset.leadingObjects()).ingestsBefore(begun);
  }

  private MixResult mixResult() {
    return mixTally == null
        ? null
        : mixTally.result(
            options.mix(),
            options.objects(),
            schedule.next(),
            new MixResult.Counts(
                tally.count(Count.INGESTED),
                tally.count(Count.FAILED),
                tally.count(Count.ABANDONED)));
  }
}
