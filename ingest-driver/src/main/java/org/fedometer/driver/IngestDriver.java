package org.fedometer.driver;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.journal.JournalState;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.load.LoadEnd;
import org.fedometer.driver.load.LoadWorkers;
import org.fedometer.driver.load.Schedule;
import org.fedometer.driver.load.Work;
import org.fedometer.driver.load.WorkerPool;
import org.fedometer.driver.mix.MixTally;
import org.fedometer.driver.mix.MixWork;
import org.fedometer.driver.object.ObjectIngest;
import org.fedometer.driver.object.ObjectOperations;
import org.fedometer.driver.object.StatementAddition;
import org.fedometer.driver.request.CircuitBreaker;
import org.fedometer.driver.request.FlushConfirmation;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;
import org.fedometer.driver.request.SubjectLocks;
import org.fedometer.driver.request.Worker;

/**
 * Loads a dataset into Fedora. Each worker takes the next index, makes the object, sends it when
 * due, and continues once it is ingested or abandoned.
 *
 * <p>One instance runs one ingest. {@link #run} blocks the conducting thread; all other methods are
 * thread-safe.
 */
public final class IngestDriver implements Controllable {

  private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(10);

  private final FedoraClient client;
  private final Dataset dataset;
  private final IngestOptions options;
  private final RequestSink sink;
  private final RequestListener listener;

  private final StopSignal stop = new StopSignal();
  private final Journal journal;
  private final IndexRanges acknowledgedBefore;
  private final SubjectLocks subjectLocks = new SubjectLocks();

  /** Null for a load of ingests only. */
  private final MixWork.Shared mix;

  private final FlushingWork.Counter flushCounter;
  private final IngestWork.Shared ingests;
  private final CircuitBreaker circuitBreaker;
  private final Pacer pacer;
  private final Schedule schedule;
  private final LoadEnd end;
  private final LoadState state;
  private final AttemptRecords records;
  private final WorkerPool pool;
  private final LoadWorkers loadWorkers;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean running;

  /**
   * @param client client with a connection for each worker and one more for flushes, which
   *     otherwise wait for a worker's
   * @param sink sink that gets every attempt before the run continues; {@link #run} finishes it
   */
  public IngestDriver(
      FedoraClient client,
      Dataset dataset,
      IngestOptions options,
      RequestSink sink,
      RequestListener listener) {
    this(client, dataset, options, Journal.inMemory(options.firstIndex()), sink, listener);
  }

  /**
   * @param journal journal of the same ingest, new or left by an earlier driver; its unconfirmed
   *     objects come first; the caller closes it
   */
  public IngestDriver(
      FedoraClient client,
      Dataset dataset,
      IngestOptions options,
      Journal journal,
      RequestSink sink,
      RequestListener listener) {
    this.client = Objects.requireNonNull(client, "client");
    this.dataset = Objects.requireNonNull(dataset, "dataset");
    this.options = Objects.requireNonNull(options, "options");
    this.sink = Objects.requireNonNull(sink, "sink");
    this.listener = Objects.requireNonNull(listener, "listener");
    long firstObject = options.firstObject();
    long number = options.ingests(dataset.leadingObjects());
    dataset.requireObjects(firstObject, number);
    this.journal = Objects.requireNonNull(journal, "journal");
    JournalState before = journal.state();
    IndexRanges mayBeThere = before.pending().copy();
    mayBeThere.addAll(before.failed());
    this.acknowledgedBefore = before.acknowledged().copy();
    IngestTally tally = new IngestTally(before, options.content().options().path().stays());
    MixTally mixTally = options.mix() == null ? null : new MixTally(options.mix().mix());
    this.mix =
        options.mix() == null
            ? null
            : new MixWork.Shared(dataset, options.mix(), mixTally, tally, stop);
    this.flushCounter = new FlushingWork.Counter(options.flushEvery());
    this.circuitBreaker =
        new CircuitBreaker(client, options.retry().outageLimit(), stop, listener, options.shard());
    circuitBreaker.onRecovery(this::markAllUnconfirmed);
    this.pacer = new Pacer(options, before, tally, stop);
    this.schedule = pacer.schedule;
    this.end = pacer.end;
    this.state = new LoadState(dataset, options, before, tally, mixTally, pacer, circuitBreaker);
    this.records = new AttemptRecords(state, pacer, sink, listener, options.maxErrors());
    long leadingEnd = Math.min(firstObject + number, dataset.leadingObjects());
    this.ingests =
        new IngestWork.Shared(
            dataset,
            options.content(),
            new LeadingObjects(
                dataset.leadingObjects(), countOpenLeading(before, firstObject, leadingEnd)),
            new RemoteLeadingObjects(dataset, options.shard(), firstObject, leadingEnd, listener),
            tally,
            journal,
            mayBeThere,
            this::endsEarly);
    this.pool = pool("fedometer-ingest-");
    this.loadWorkers =
        new LoadWorkers(
            pool,
            pacer.firstWorkers(),
            schedule,
            pacer.numbers,
            mix != null ? 0 : dataset.leadingObjects(),
            tally,
            this::work);
    if (client.options().connections() < options.workers()) {
      throw new IllegalArgumentException(
          options.workers()
              + " workers need as many connections, but the client has "
              + client.options().connections()
              + ".");
    }
  }

  private int countOpenLeading(JournalState before, long firstObject, long end) {
    int open = 0;
    for (long i = options.shard().nextFrom(firstObject);
        i < end;
        i = options.shard().nextFrom(i + 1)) {
      open += before.acknowledged().contains(i) ? 0 : 1;
    }
    return open;
  }

  /**
   * Runs the ingest. The result holds failed objects and the reason of the end.
   *
   * @throws LoginRefusedException if Fedora does not accept user and password
   * @throws IOException if Fedora cannot be reached at all: nothing was sent
   * @throws IllegalStateException if called twice
   */
  public IngestResult run() throws IOException {
    if (started.getAndSet(true)) {
      throw new IllegalStateException("An ingest runs once; create another driver.");
    }
    client.onSessionLost(this::markAllUnconfirmed);
    try (pool) {
      loadWorkers.logIn();
      if (mix != null) {
        mix.learn(loadWorkers.firstSession());
      }
      return runLoggedIn();
    }
  }

  private IngestResult runLoggedIn() {
    begin();
    loadWorkers.startAll();
    try (FlushConfirmation ignored = confirmFlushes()) {
      runLoad();
      // Closing waits for a flush under way: it is not the workers', and a pause does not affect
      // it.
      state.end(System.nanoTime());
    }
    loadWorkers.returnUnsent();
    if (pacer.steps != null) {
      pacer.steps.finish(state.endNanos());
    }
    if (mix == null) {
      recheck(); // would report objects that a mix has purged as missing
    }
    writeJournal(journal::tick); // an ingest is complete only when the journal has all of it
    try {
      sink.finish();
    } catch (IOException e) {
      end.giveUp(RunStop.notRecorded(e));
    }
    return state.result();
  }

  /** Returns the confirmation of flushes; null if none are wanted. */
  private FlushConfirmation confirmFlushes() {
    return options.flushInterval().isZero() || !options.triples()
        ? null
        : new FlushConfirmation(client.newSession(), journal, options.flushInterval());
  }

  /** Not part of the ingest's duration. */
  private void recheck() {
    Recheck recheck =
        new Recheck(
            dataset,
            options,
            journal,
            stop,
            listener,
            task ->
                pool("fedometer-recheck-")
                    .work(Math.max(1, loadWorkers.workerCount()), task, this::flushRecords),
            this::ingestWork,
            state.unrecoverable,
            state.tally::abandon,
            acknowledgedBefore);
    try {
      recheck.run();
    } catch (IOException e) {
      end.giveUp(RunStop.journalNotWritten(e));
    } catch (RunStop e) {
      if (!e.requested()) {
        end.giveUp(e);
      }
    }
  }

  private void begin() {
    long startNanos = System.nanoTime();
    state.begin(startNanos);
    pacer.start(startNanos);
    running = true;
    if (stop.raised()) {
      schedule.stop(); // requested while the workers logged in
    }
  }

  /**
   * Requests the workers to end; requests under way may finish within the options' stop timeout.
   */
  @Override
  public void stop() {
    end.stop();
  }

  @Override
  public void pause() {
    requireLoading();
    if (schedule.pause(System.nanoTime())) {
      reportChange();
    }
  }

  @Override
  public void resume() {
    requireLoading();
    if (schedule.resume(System.nanoTime())) {
      reportChange();
    }
  }

  @Override
  public synchronized void change(Change change) {
    requireNoSteps();
    if (change.workers() != null) {
      setWorkers(change.workers());
      schedule.wake();
    }
    if (change.ratePerSecond() != null) {
      schedule.setRate(change.ratePerSecond(), System.nanoTime());
    } else if (change.closedLoop()) {
      schedule.useClosedModel(System.nanoTime());
    }
    state.changes.add(
        new LoadChange(System.nanoTime(), loadWorkers.workerCount(), schedule.ratePerSecond()));
    reportChange();
  }

  private void setWorkers(int workers) {
    client.allowConnections(workers + 1);
    loadWorkers.setWorkerCount(workers);
  }

  private void reportChange() {
    listener.onChange(schedule.pauses(System.nanoTime()), List.copyOf(state.changes));
  }

  private void requireNoSteps() {
    if (pacer.steps != null) {
      throw new IllegalStateException(
          "This load has steps, which set its workers and its rate; you can only pause or"
              + " stop it.");
    }
    requireLoading();
  }

  private void requireLoading() {
    if (!running || state.ended()) {
      throw new IllegalStateException("The load is not running at the moment; try again later.");
    }
  }

  private WorkerPool pool(String threadName) {
    return new WorkerPool(
        client,
        options.retry(),
        circuitBreaker,
        end,
        options.stopTimeout(),
        CANCEL_TIMEOUT,
        threadName);
  }

  private Work work(Worker worker) {
    boolean flushes = options.flushEvery() > 0 && options.triples();
    if (mix == null && !flushes) {
      return ingestWork(worker);
    }
    ObjectIngest ingest = objectIngest(worker);
    ObjectOperations operations =
        new ObjectOperations(worker, subjectLocks, records::recordOperation);
    if (flushes) {
      return new FlushingWork(
          ingestWork(worker, ingest), ingest, operations, journal, flushCounter, stop);
    }
    return new MixWork(mix, ingestWork(worker, ingest), ingest, operations, worker.session());
  }

  private IngestWork ingestWork(Worker worker) {
    return ingestWork(worker, objectIngest(worker));
  }

  private ObjectIngest objectIngest(Worker worker) {
    return new ObjectIngest(worker, records, options.triples(), journal, state.unrecoverable);
  }

  private IngestWork ingestWork(Worker worker, ObjectIngest ingest) {
    return new IngestWork(
        ingests,
        worker,
        ingest,
        new StatementAddition(worker, subjectLocks, records::recordOperation));
  }

  /** Returns whether the load ends early; the recheck is not part of it, and waits. */
  private boolean endsEarly() {
    return mix == null && end.endReason() != null && !state.ended();
  }

  private void runLoad() {
    boolean interrupted = false;
    long tickedNanos = state.startNanos();
    while (pool.isAnyRunning()) {
      long now = System.nanoTime();
      if (now - tickedNanos >= WorkerPool.TICK_NANOS) {
        tickedNanos = now;
        tick(now);
      }
      if (stop.raised()) {
        if (!pool.enforceStop(now)) {
          break;
        }
      } else {
        pacer.advance(now, this::setWorkers);
        loadWorkers.startMissing();
      }
      try {
        schedule.awaitChange(Math.min(tickedNanos + WorkerPool.TICK_NANOS, pacer.nextEventNanos()));
      } catch (InterruptedException e) {
        interrupted = true;
        stop();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void tick(long now) {
    state.tick(now);
    flushRecords();
  }

  private void flushRecords() {
    writeJournal(journal::tick);
    try {
      sink.flushIfDue();
    } catch (IOException e) {
      end.giveUp(RunStop.notRecorded(e));
    }
  }

  /** Fedora may have restarted and lost what it held in memory. */
  private void markAllUnconfirmed() {
    writeJournal(journal::allUnconfirmed);
  }

  private interface JournalWrite {
    void write() throws IOException;
  }

  private void writeJournal(JournalWrite write) {
    try {
      write.write();
    } catch (IOException e) {
      end.giveUp(RunStop.journalNotWritten(e));
    }
  }

  /** Returns the progress; cheap enough to call several times a second. */
  @Override
  public IngestProgress progress() {
    return state.progress(loadWorkers.workerCount());
  }
}
