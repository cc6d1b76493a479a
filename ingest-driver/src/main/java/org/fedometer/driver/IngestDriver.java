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
import org.fedometer.driver.load.LoadCrew;
import org.fedometer.driver.load.LoadEnd;
import org.fedometer.driver.load.Schedule;
import org.fedometer.driver.load.Work;
import org.fedometer.driver.load.WorkerPool;
import org.fedometer.driver.mix.MixTally;
import org.fedometer.driver.mix.MixWork;
import org.fedometer.driver.object.ObjectIngest;
import org.fedometer.driver.object.ObjectOperations;
import org.fedometer.driver.object.StatementAddition;
import org.fedometer.driver.request.FlushConfirmation;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.OutageGate;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;
import org.fedometer.driver.request.SubjectLocks;
import org.fedometer.driver.request.Worker;

/**
 * Loads a dataset into Fedora: each worker takes the next index, makes the object, sends it when it
 * is due, and goes on when it is ingested or given up. One ingest an instance; {@link #run} is
 * called by the thread that conducts the run, everything else by any.
 */
public final class IngestDriver implements Controllable {

  private static final Duration LAST_PATIENCE = Duration.ofSeconds(10);

  private final FedoraClient client;
  private final Dataset dataset;
  private final IngestOptions options;
  private final RequestSink sink;
  private final RequestListener listener;

  private final StopSignal stop = new StopSignal();
  private final Journal journal;
  private final IndexRanges acknowledgedBefore;
  private final SubjectLocks subjectLocks = new SubjectLocks();

  /** Null where nothing is done but ingests. */
  private final MixWork.Shared mix;

  private final IngestWork.Shared ingests;
  private final OutageGate gate;
  private final Pacer pacer;
  private final Schedule schedule;
  private final LoadEnd end;
  private final LoadState state;
  private final AttemptRecords records;
  private final WorkerPool pool;
  private final LoadCrew crew;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean running;

  /**
   * @param client with connections for all workers, and one more for flushes: else they wait for a
   *     worker's
   * @param sink hears of every attempt before the run goes on; finished by {@link #run}
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
   * @param journal of the same ingest: a new one, or one that an earlier driver has left, whose
   *     objects in doubt come first; closed by the caller
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
    IndexRanges mayBeThere = before.inDoubt().copy();
    mayBeThere.addAll(before.failed());
    this.acknowledgedBefore = before.acknowledged().copy();
    IngestTally tally = new IngestTally(before, options.content().options().path().stays());
    MixTally mixTally = options.mix() == null ? null : new MixTally(options.mix().mix());
    this.mix =
        options.mix() == null
            ? null
            : new MixWork.Shared(dataset, options.mix(), mixTally, tally, stop);
    this.gate =
        new OutageGate(client, options.retry().outageLimit(), stop, listener, options.shard());
    gate.onRecovery(this::loseTrust);
    this.pacer = new Pacer(options, before, tally, stop);
    this.schedule = pacer.schedule;
    this.end = pacer.end;
    this.state = new LoadState(dataset, options, before, tally, mixTally, pacer, gate);
    this.records = new AttemptRecords(state, pacer, sink, listener, options.maxErrors());
    long leadingEnd = Math.min(firstObject + number, dataset.leadingObjects());
    this.ingests =
        new IngestWork.Shared(
            dataset,
            options.content(),
            new LeadingObjects(
                dataset.leadingObjects(), leadingToBring(before, firstObject, leadingEnd)),
            new OthersLeadingObjects(dataset, options.shard(), firstObject, leadingEnd, listener),
            tally,
            journal,
            mayBeThere,
            this::endsEarly);
    this.pool = pool("fedometer-ingest-");
    this.crew =
        new LoadCrew(
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

  private int leadingToBring(JournalState before, long firstObject, long end) {
    int open = 0;
    for (long i = options.shard().nextFrom(firstObject);
        i < end;
        i = options.shard().nextFrom(i + 1)) {
      open += before.acknowledged().contains(i) ? 0 : 1;
    }
    return open;
  }

  /**
   * Ingests. Failures of objects and the end of the run for whatever reason are in the result.
   *
   * @throws LoginRefusedException if Fedora does not accept user and password
   * @throws IOException if Fedora cannot be reached at all: nothing was sent
   * @throws IllegalStateException if called twice
   */
  public IngestResult run() throws IOException {
    if (started.getAndSet(true)) {
      throw new IllegalStateException("An ingest runs once; make another driver.");
    }
    client.onSessionLost(this::loseTrust);
    try (pool) {
      crew.logIn();
      if (mix != null) {
        mix.learn(crew.firstSession());
      }
      return runLoggedIn();
    }
  }

  private IngestResult runLoggedIn() {
    begin();
    crew.hireAll();
    try (FlushConfirmation ignored = confirmFlushes()) {
      conduct();
      // A flush under way is waited for: it is not the workers', and nobody can pause it.
      state.end(System.nanoTime());
    }
    crew.handBack();
    if (pacer.steps != null) {
      pacer.steps.finish(state.endNanos());
    }
    if (mix == null) {
      recheck(); // what a mix has purged since would be missed
    }
    writeJournal(journal::tick); // an ingest ends well when all of it is in the journal
    try {
      sink.finish();
    } catch (IOException e) {
      end.giveUp(RunStop.notRecorded(e));
    }
    return state.result();
  }

  /** Null where none are wanted. */
  private FlushConfirmation confirmFlushes() {
    return options.flushInterval().isZero() || !options.triples()
        ? null
        : new FlushConfirmation(client.newSession(), journal, options.flushInterval());
  }

  /** Not part of the ingest's time. */
  private void recheck() {
    Recheck recheck =
        new Recheck(
            dataset,
            options,
            journal,
            stop,
            listener,
            task -> pool("fedometer-recheck-").work(Math.max(1, crew.wanted()), task, this::handOn),
            this::ingestWork,
            state.stuck,
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
      schedule.stop(); // asked for while the workers logged in
    }
  }

  /** Asks the workers to end; requests under way may finish within the options' patience. */
  @Override
  public void stop() {
    end.stop();
  }

  @Override
  public void pause() {
    requireLoading();
    if (schedule.pause(System.nanoTime())) {
      tellOfChange();
    }
  }

  @Override
  public void resume() {
    requireLoading();
    if (schedule.resume(System.nanoTime())) {
      tellOfChange();
    }
  }

  @Override
  public synchronized void change(Change change) {
    refuseSteps();
    if (change.workers() != null) {
      want(change.workers());
      schedule.wake();
    }
    if (change.ratePerSecond() != null) {
      schedule.rate(change.ratePerSecond(), System.nanoTime());
    } else if (change.closedLoop()) {
      schedule.closedLoop(System.nanoTime());
    }
    state.changes.add(new LoadChange(System.nanoTime(), crew.wanted(), schedule.ratePerSecond()));
    tellOfChange();
  }

  private void want(int workers) {
    client.allowConnections(workers + 1);
    crew.want(workers);
  }

  private void tellOfChange() {
    listener.onChange(schedule.pauses(System.nanoTime()), List.copyOf(state.changes));
  }

  private void refuseSteps() {
    if (pacer.steps != null) {
      throw new IllegalStateException(
          "This load goes in steps, which say how many workers there are and what is due when; it"
              + " can be paused and stopped.");
    }
    requireLoading();
  }

  private void requireLoading() {
    if (!running || state.ended()) {
      throw new IllegalStateException("The load does not go on at the moment; ask again later.");
    }
  }

  private WorkerPool pool(String threadName) {
    return new WorkerPool(
        client, options.retry(), gate, end, options.stopPatience(), LAST_PATIENCE, threadName);
  }

  private Work work(Worker worker) {
    if (mix == null) {
      return ingestWork(worker);
    }
    ObjectIngest ingest = objectIngest(worker);
    ObjectOperations operations =
        new ObjectOperations(worker, subjectLocks, records::recordOperation);
    return new MixWork(mix, ingestWork(worker, ingest), ingest, operations, worker.session());
  }

  private IngestWork ingestWork(Worker worker) {
    return ingestWork(worker, objectIngest(worker));
  }

  private ObjectIngest objectIngest(Worker worker) {
    return new ObjectIngest(worker, records, options.triples(), journal, state.stuck);
  }

  private IngestWork ingestWork(Worker worker, ObjectIngest ingest) {
    return new IngestWork(
        ingests,
        worker,
        ingest,
        new StatementAddition(worker, subjectLocks, records::recordOperation));
  }

  /** What is looked at afterwards is not part of the load, and waits. */
  private boolean endsEarly() {
    return mix == null && end.reached() != null && !state.ended();
  }

  private void conduct() {
    boolean interrupted = false;
    long tickedNanos = state.startNanos();
    while (pool.anyAtWork()) {
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
        pacer.look(now, this::want);
        crew.hireMissing();
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
    handOn();
  }

  private void handOn() {
    writeJournal(journal::tick);
    try {
      sink.flushIfDue();
    } catch (IOException e) {
      end.giveUp(RunStop.notRecorded(e));
    }
  }

  /** Fedora may have been restarted, and have lost what it held in memory. */
  private void loseTrust() {
    writeJournal(journal::allSuspect);
  }

  private interface JournalWriting {
    void write() throws IOException;
  }

  private void writeJournal(JournalWriting writing) {
    try {
      writing.write();
    } catch (IOException e) {
      end.giveUp(RunStop.journalNotWritten(e));
    }
  }

  /** How far it is; cheap enough to ask several times a second. */
  @Override
  public IngestProgress progress() {
    return state.progress(crew.wanted());
  }
}
