package org.fedometer.driver;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.journal.JournalState;

/**
 * Loads a dataset into Fedora: each worker takes the next index, makes the object, sends it when it
 * is due, and goes on when it is ingested or given up. One ingest an instance; {@link #run} is
 * called by the thread that conducts the run, everything else by any.
 */
public final class IngestDriver implements Controllable {

  private static final long TICK_NANOS = 500_000_000;
  private static final long DISK_LOOK_NANOS = 1_000_000_000;
  private static final int RECENT_TICKS = 20;
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(10);

  private final FedoraClient client;
  private final Dataset dataset;
  private final IngestOptions options;
  private final RequestSink sink;
  private final RequestListener listener;

  private final StopSignal stop = new StopSignal();
  private final Journal journal;
  private final IndexRanges mayBeThere;
  private final IndexRanges acknowledgedBefore;
  private final IndexRanges failedBefore;
  private final long ingestedBefore;
  private final Numbers numbers;
  private final IngestTally tally;
  private final StuckObjects stuck = new StuckObjects();
  private final FailureStreak failureStreak = new FailureStreak("objects");
  private final FailureStreak additionStreak = new FailureStreak("statements to be added");
  private final Map<Operation, FailureStreak> operationStreaks = new EnumMap<>(Operation.class);
  private final SubjectLocks subjectLocks = new SubjectLocks();
  private final MixTally mixTally;
  private final MixWork.Shared mix;
  private final LeadingObjects leading;
  private final OthersLeadingObjects othersLeading;
  private final OutageGate gate;
  private final Schedule schedule;

  /** Null where the load has no steps. */
  private final LoadSteps steps;

  private final AtomicReference<RunStop> gaveUp = new AtomicReference<>();
  private final AtomicReference<String> outage = new AtomicReference<>();
  private final Deque<Tick> recent = new ArrayDeque<>();
  private final RateHistory history = new RateHistory();
  private final RecentLatency recentLatency = new RecentLatency();
  private final List<LoadChange> changes = new CopyOnWriteArrayList<>();

  /** What was taken and made ready, but is not to be sent any more. */
  private final ConcurrentLinkedQueue<NotSent> notSent = new ConcurrentLinkedQueue<>();

  /** Workers by number; guards itself. */
  private final Map<Integer, Thread> crew = new TreeMap<>();

  private final List<FedoraSession> sessions = new CopyOnWriteArrayList<>();

  /** Workers of higher numbers end after their present object. */
  private volatile int wantedWorkers;

  /** What ended the load before its last object, as it was asked to, in a sentence. */
  private volatile String endedBy;

  private volatile long startNanos;
  private volatile long endNanos;
  private volatile boolean started;
  private volatile boolean running;
  private volatile boolean ended;
  private long diskLookedNanos;

  private record Tick(long loadNanos, long done) {}

  /**
   * @param abandon counts it as begun and not sent
   */
  private record NotSent(long position, Runnable abandon) {}

  /**
   * @param client with connections for all workers, and one more for flushes: else they wait for a
   *     worker's
   * @param sink hears of every attempt before the run goes on; finished by {@link #run}
   * @param listener hears the same, for whoever looks on
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
    long ingests = options.ingests(dataset.leadingObjects());
    dataset.requireObjects(firstObject, ingests);
    this.journal = Objects.requireNonNull(journal, "journal");
    JournalState before = journal.state();
    this.mayBeThere = before.inDoubt().copy();
    this.failedBefore = before.failed().copy();
    mayBeThere.addAll(failedBefore);
    this.acknowledgedBefore = before.acknowledged().copy();
    this.ingestedBefore = before.acknowledged().size();
    this.numbers = new Numbers(before, options.firstIndex(), options.endIndex(), options.shard());
    this.tally = new IngestTally(before, options.content().options().path().stays());
    this.leading =
        new LeadingObjects(
            dataset.leadingObjects(), leadingToBring(before, firstObject, firstObject + ingests));
    for (Operation operation : Operation.values()) {
      operationStreaks.put(
          operation, new FailureStreak("requests of the kind " + operation.wireName()));
    }
    this.mixTally = options.mix() == null ? null : new MixTally(options.mix().mix());
    this.mix =
        options.mix() == null
            ? null
            : new MixWork.Shared(dataset, options.mix(), mixTally, tally, stop);
    this.gate =
        new OutageGate(
            client, options.retry().outageLimit(), stop, outageListener(listener), options.shard());
    this.othersLeading =
        new OthersLeadingObjects(
            dataset,
            options.shard(),
            firstObject,
            Math.min(firstObject + ingests, dataset.leadingObjects()),
            gate,
            stop,
            listener);
    this.schedule = new Schedule(numbers.count());
    this.steps =
        options.load() instanceof Load.Stepped stepped
            ? new LoadSteps(stepped, options.workers(), schedule, tally)
            : null;
    this.wantedWorkers = steps != null ? steps.wantedWorkers() : options.workers();
    if (client.options().connections() < options.workers()) {
      throw new IllegalArgumentException(
          options.workers()
              + " workers need as many connections, but the client has "
              + client.options().connections()
              + ".");
    }
  }

  private int leadingToBring(JournalState before, long firstObject, long endObject) {
    long end = Math.min(endObject, dataset.leadingObjects());
    int open = 0;
    for (long i = options.shard().nextFrom(firstObject);
        i < end;
        i = options.shard().nextFrom(i + 1)) {
      open += before.acknowledged().contains(i) ? 0 : 1;
    }
    return open;
  }

  private RequestListener outageListener(RequestListener listener) {
    return new RequestListener() {
      @Override
      public void onRequest(RequestEvent event) {
        listener.onRequest(event);
      }

      @Override
      public void onOutage(String reason) {
        outage.set(reason);
        listener.onOutage(reason);
      }

      @Override
      public void onUnended(Outage soFar) {
        outage.set(null);
        listener.onUnended(soFar);
      }

      @Override
      public void onRecovery(Outage over) {
        outage.set(null);
        loseTrust();
        listener.onRecovery(over);
      }
    };
  }

  /**
   * Ingests. Failures of objects and the end of the run for whatever reason are in the result.
   *
   * @throws LoginRefusedException if Fedora does not accept user and password
   * @throws IOException if Fedora cannot be reached at all: nothing was sent
   * @throws IllegalStateException if called twice
   */
  public IngestResult run() throws IOException {
    synchronized (this) {
      if (started) {
        throw new IllegalStateException("An ingest runs once; make another driver.");
      }
      started = true;
    }
    client.onSessionLost(this::loseTrust);
    try {
      for (int i = 0; i < wantedWorkers; i++) {
        FedoraSession session = client.newSession();
        sessions.add(session);
        session.login(); // one after the other: racing first logins break Fedora's login for good
      }
      if (mix != null) {
        mix.learn(sessions.get(0));
      }
      return runWith(List.copyOf(sessions));
    } finally {
      sessions.forEach(FedoraSession::close);
    }
  }

  private IngestResult runWith(List<FedoraSession> loggedIn) {
    begin();
    for (int i = 0; i < loggedIn.size(); i++) {
      hire(i, loggedIn.get(i));
    }
    try (FlushConfirmation ignored = confirmFlushes()) {
      conduct();
    }
    endNanos = System.nanoTime();
    ended = true;
    handBack();
    if (steps != null) {
      steps.finish(endNanos);
    }
    if (mix == null) {
      recheck(); // what a mix has purged since would be missed
    }
    try {
      sink.finish();
    } catch (IOException e) {
      giveUp(RunStop.notRecorded(e));
    }
    return result();
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
            gate,
            stop,
            listener,
            new RecheckCrew(),
            stuck,
            acknowledgedBefore);
    try {
      recheck.run();
    } catch (IOException e) {
      giveUp(RunStop.journalNotWritten(e));
    } catch (RunStop e) {
      if (!e.requested()) {
        giveUp(e);
      }
    }
  }

  /** As many workers as the load had, but what they do is not part of it. */
  private final class RecheckCrew implements Recheck.Crew {

    @Override
    public void work(Recheck.Part part) {
      int workers = Math.max(1, wantedWorkers);
      CountDownLatch atWork = new CountDownLatch(workers);
      for (int i = 0; i < workers; i++) {
        int worker = i;
        Thread thread = new Thread(() -> work(worker, part, atWork), "recheck-" + worker);
        thread.setDaemon(true);
        thread.start();
      }
      lookAfter(atWork);
    }

    private void work(int worker, Recheck.Part part, CountDownLatch atWork) {
      try (FedoraSession session = client.newSession()) {
        part.run(worker, session);
      } catch (RunStop e) {
        if (!e.requested()) {
          giveUp(e);
        }
      } catch (Throwable e) {
        giveUp(RunStop.ofDriver(e));
      } finally {
        atWork.countDown();
      }
    }

    @Override
    public IngestWork ingest(int worker, FedoraSession session) {
      return ingestWork(worker, session);
    }
  }

  private void lookAfter(CountDownLatch atWork) {
    boolean interrupted = false;
    long stoppedNanos = 0;
    while (true) {
      try {
        if (atWork.await(TICK_NANOS, TimeUnit.NANOSECONDS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
        stop();
      }
      handOn();
      if (stop.raised()) {
        long now = System.nanoTime();
        stoppedNanos = stoppedNanos == 0 ? now : stoppedNanos;
        if (now - stoppedNanos > options.stopPatience().toNanos()) {
          client.cancelRequests();
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void begin() {
    startNanos = System.nanoTime();
    schedule.start(startNanos);
    if (options.load() instanceof Load.FixedRate rate) {
      schedule.rate(rate.objectsPerSecond(), startNanos);
    }
    if (options.ends().longest() != null) {
      schedule.endAt(options.ends().longest().toNanos());
    }
    if (steps != null) {
      steps.start(startNanos);
    }
    running = true;
    if (stop.raised()) {
      schedule.stop(); // asked for while the workers logged in
    }
  }

  /** Asks the workers to end; requests under way may finish within the options' patience. */
  @Override
  public void stop() {
    stop.raise();
    schedule.stop();
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
      client.allowConnections(change.workers() + 1);
      wantedWorkers = change.workers();
      schedule.wake();
    }
    if (change.ratePerSecond() != null) {
      schedule.rate(change.ratePerSecond(), System.nanoTime());
    } else if (change.closedLoop()) {
      schedule.closedLoop(System.nanoTime());
    }
    changes.add(new LoadChange(System.nanoTime(), wantedWorkers, schedule.ratePerSecond()));
    tellOfChange();
  }

  private void tellOfChange() {
    listener.onChange(schedule.pauses(System.nanoTime()), List.copyOf(changes));
  }

  private void refuseSteps() {
    if (steps != null) {
      throw new IllegalStateException(
          "This load goes in steps, which say how many workers there are and what is due when; it"
              + " can be paused and stopped.");
    }
    requireLoading();
  }

  /** Before it and after it there is nothing to pause or to change. */
  private void requireLoading() {
    if (!running || ended) {
      throw new IllegalStateException("The load does not go on at the moment; ask again later.");
    }
  }

  /** Starts a worker; called by the conductor alone. */
  private void hire(int worker, FedoraSession loggedIn) {
    Thread thread = new Thread(() -> load(worker, loggedIn), "ingest-" + worker);
    thread.setDaemon(true);
    synchronized (crew) {
      crew.put(worker, thread);
    }
    thread.start();
  }

  private void hireMissing() {
    if (schedule.exhausted()) {
      return;
    }
    for (int worker = 0; worker < wantedWorkers; worker++) {
      synchronized (crew) {
        if (crew.containsKey(worker)) {
          continue;
        }
      }
      hire(worker, null);
    }
  }

  private boolean anyAtWork() {
    synchronized (crew) {
      return !crew.isEmpty();
    }
  }

  /**
   * @param loggedIn null for a worker that comes later: it logs in by itself, when the client's
   *     other logins let it
   */
  private void load(int worker, FedoraSession loggedIn) {
    FedoraSession session = loggedIn;
    try {
      if (session == null) {
        session = client.newSession();
        sessions.add(session);
        gate.login(session);
      }
      Work work = work(worker, session);
      for (long position = take(worker); position >= 0; position = take(worker)) {
        long index = numbers.index(position);
        Work.Step step = work.prepare(index);
        if (step == null) {
          notSent.add(new NotSent(position, () -> tally.abandon(index)));
          return;
        }
        Due due = awaitDue(position, step);
        if (due == null) {
          step.release();
          notSent.add(new NotSent(position, step::abandon));
          return;
        }
        step.perform(due);
      }
    } catch (RunStop e) {
      if (!e.requested()) {
        giveUp(e);
      }
    } catch (Throwable e) {
      giveUp(RunStop.ofDriver(e));
    } finally {
      if (session != null) {
        session.close();
        sessions.remove(session);
      }
      synchronized (crew) {
        crew.remove(worker);
      }
      schedule.wake();
    }
  }

  private long take(int worker) throws RunStop {
    return schedule.take(() -> worker < wantedWorkers);
  }

  private Work work(int worker, FedoraSession session) {
    if (mix == null) {
      return ingestWork(worker, session);
    }
    ObjectIngest ingest = objectIngest(worker, session);
    ObjectOperations operations =
        new ObjectOperations(
            worker, session, options.retry(), gate, stop, subjectLocks, this::recordOperation);
    return new MixWork(mix, ingestWork(worker, session, ingest), ingest, operations, session);
  }

  private IngestWork ingestWork(int worker, FedoraSession session) {
    return ingestWork(worker, session, objectIngest(worker, session));
  }

  private ObjectIngest objectIngest(int worker, FedoraSession session) {
    return new ObjectIngest(
        worker,
        session,
        options.retry(),
        gate,
        stop,
        new Recorder(),
        options.triples(),
        journal,
        stuck);
  }

  private IngestWork ingestWork(int worker, FedoraSession session, ObjectIngest ingest) {
    StatementAddition addition =
        new StatementAddition(
            worker, session, options.retry(), gate, stop, subjectLocks, this::recordAddition);
    return new IngestWork(
        dataset,
        options.content(),
        ingest,
        addition,
        leading,
        othersLeading,
        session,
        stop,
        tally,
        journal,
        mayBeThere,
        gate,
        this::endsEarly);
  }

  /** What is looked at afterwards is not part of the load, and waits. */
  private boolean endsEarly() {
    return mix == null && endedBy != null && !ended;
  }

  /** Null if it is not to be sent any more. */
  private Due awaitDue(long position, Work.Step step) throws RunStop {
    // Others wait for one that leads, so that it is sent whatever happens but a stop.
    boolean leads = mix == null && numbers.index(position) < dataset.leadingObjects();
    try {
      return schedule.awaitDue(position, leads);
    } catch (RunStop e) {
      step.release();
      step.abandon();
      throw e;
    }
  }

  /** What was not sent was not begun, unless an object after it was. */
  private void handBack() {
    notSent.stream()
        .sorted(Comparator.comparingLong(NotSent::position).reversed())
        .filter(last -> !schedule.handBack(last.position()))
        .forEach(between -> between.abandon().run());
  }

  /** What becomes of an ingest's attempts. */
  private final class Recorder implements ObjectIngest.AttemptRecorder {

    @Override
    public void record(RequestEvent event, RepositoryObject object) throws RunStop {
      tally.add(event, object);
      if (event.outcome() == RequestEvent.Outcome.DONE) {
        send(event); // says nothing of the object yet
        return;
      }
      ship(event, failureStreak);
      if (event.outcome() == RequestEvent.Outcome.FAILED
          && tally.failed.sum() > options.maxErrors()) {
        giveUp(
            RunStop.because(
                "More than the "
                    + options.maxErrors()
                    + " objects that may fail have failed, the latest "
                    + event.pid()
                    + ": "
                    + event.message(),
                null));
      }
    }

    @Override
    public void recordFound(RepositoryObject object) {
      tally.addFound(object);
    }

    @Override
    public void recordPurge(RequestEvent event) throws RunStop {
      tally.addPurge(event);
      send(event);
    }
  }

  private void recordAddition(RequestEvent event) throws RunStop {
    tally.addAddition(event);
    ship(event, additionStreak);
  }

  private void recordOperation(RequestEvent event) throws RunStop {
    tally.addOperation(event);
    ship(event, operationStreaks.get(event.operation()));
  }

  private void send(RequestEvent event) throws RunStop {
    try {
      sink.record(event);
    } catch (IOException e) {
      throw RunStop.notRecorded(e);
    }
    listener.onRequest(event);
  }

  private void ship(RequestEvent event, FailureStreak streak) throws RunStop {
    if (event.outcome() == RequestEvent.Outcome.INGESTED) {
      recentLatency.record(event.durationNanos());
    }
    if (steps != null && !ended) {
      steps.record(event);
    }
    send(event);
    if (isLast(event.outcome())) {
      // No worker is to begin another object between the verdict and the stop.
      synchronized (streak) {
        String reason = streak.judge(event);
        if (reason != null && (steps == null || !steps.endsByFailures())) {
          giveUp(RunStop.because(reason, null));
        }
      }
    }
  }

  private static boolean isLast(RequestEvent.Outcome outcome) {
    return outcome != RequestEvent.Outcome.RETRIED && outcome != RequestEvent.Outcome.ABANDONED;
  }

  private void giveUp(RunStop reason) {
    gaveUp.compareAndSet(null, reason);
    stop();
  }

  /**
   * Sees to the load until no worker is left: begins its steps and ends it when it should, starts
   * workers that are missing, ticks, and after a stop cuts what does not end by itself.
   */
  private void conduct() {
    boolean interrupted = false;
    long tickedNanos = startNanos;
    long stoppedNanos = 0;
    boolean cut = false;
    while (anyAtWork()) {
      long now = System.nanoTime();
      if (now - tickedNanos >= TICK_NANOS) {
        tickedNanos = now;
        tick(now);
      }
      if (stop.raised()) {
        if (stoppedNanos == 0) {
          stoppedNanos = now;
        } else if (now - stoppedNanos > options.stopPatience().toNanos()) {
          client.cancelRequests();
          if (cut && now - stoppedNanos > options.stopPatience().plus(LAST_PATIENCE).toNanos()) {
            interruptCrew();
            break;
          }
          cut = true;
        }
      } else {
        lookAtLoad(now);
        hireMissing();
      }
      try {
        schedule.awaitChange(Math.min(tickedNanos + TICK_NANOS, nextEventNanos()));
      } catch (InterruptedException e) {
        interrupted = true;
        stop();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void interruptCrew() {
    synchronized (crew) {
      crew.values().forEach(Thread::interrupt);
    }
  }

  private void lookAtLoad(long now) {
    if (endedBy != null || schedule.paused()) {
      return;
    }
    if (steps != null) {
      if (steps.look(now)) {
        client.allowConnections(steps.wantedWorkers() + 1);
        wantedWorkers = steps.wantedWorkers();
        steps.open();
      }
      if (steps.over() != null) {
        end(steps.over());
        return;
      }
    }
    Duration longest = options.ends().longest();
    if (longest != null && schedule.loadNanos(now) >= longest.toNanos()) {
      end("The time it was given is over: " + Words.time(longest) + ".");
    } else if (options.ends().diskLeftBytes() != null && now - diskLookedNanos >= DISK_LOOK_NANOS) {
      diskLookedNanos = now;
      long left = options.ends().diskLeftBytes().getAsLong();
      if (left < options.ends().leastDiskBytes()) {
        end("The disk has no more left than it was to keep: " + (left >> 20) + " MiB.");
      }
    }
  }

  private void end(String why) {
    endedBy = why;
    schedule.end();
  }

  /** When a step or the load ends by its time; while it is paused, at no time. */
  private long nextEventNanos() {
    if (stop.raised() || endedBy != null) {
      return Long.MAX_VALUE;
    }
    long end =
        options.ends().longest() == null ? Long.MAX_VALUE : options.ends().longest().toNanos();
    return schedule.nanosOf(steps == null ? end : Math.min(end, steps.endLoadNanos()));
  }

  private void tick(long now) {
    long well = done() - failed();
    long loadNanos = schedule.loadNanos(now);
    synchronized (recent) {
      // In a pause that time stands still.
      if (recent.isEmpty() || loadNanos > recent.peekLast().loadNanos()) {
        recent.addLast(new Tick(loadNanos, well));
      }
      while (recent.size() > RECENT_TICKS) {
        recent.removeFirst();
      }
    }
    history.note(loadNanos, well);
    recentLatency.turnIfDue(now);
    handOn();
  }

  /** What waits to be written or sent is. */
  private void handOn() {
    writeJournal(journal::tick);
    try {
      sink.flushIfDue();
    } catch (IOException e) {
      giveUp(RunStop.notRecorded(e));
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
      giveUp(RunStop.journalNotWritten(e));
    }
  }

  /** Objects, or steps of a mix, that are settled. */
  private long done() {
    return tally.done() + (mixTally == null ? 0 : mixTally.settled());
  }

  /** Objects, or steps of a mix, that were given up. */
  private long failed() {
    return tally.failed.sum() + (mixTally == null ? 0 : mixTally.failed());
  }

  /** How far it is; cheap enough to ask several times a second. */
  @Override
  public IngestProgress progress() {
    long done = done();
    long failed = failed();
    long well = done - failed;
    boolean over = ended;
    long now = over ? endNanos : System.nanoTime();
    long loadNanos = startNanos == 0 ? 0 : Math.max(0, schedule.loadNanos(now));
    double overall = loadNanos == 0 ? 0 : (well - ingestedBefore) * 1e9 / loadNanos;
    double lately = overall;
    synchronized (recent) {
      Tick oldest = recent.peekFirst();
      if (oldest != null && loadNanos - oldest.loadNanos() > 1_000_000_000L) {
        lately = (well - oldest.done()) * 1e9 / (loadNanos - oldest.loadNanos());
      }
    }
    IngestProgress.Trend trend = history.trend(loadNanos, well);
    String away = outage.get();
    return new IngestProgress(
        total(),
        done,
        well,
        failed,
        tally.sent.sum(),
        tally.retried.sum(),
        tally.failedRequests.sum(),
        tally.contentBytes.sum(),
        loadNanos,
        overall,
        lately,
        tally.latency(),
        recentLatency.lately(),
        trend,
        over || loadNanos == 0 ? 0 : schedule.overdue(loadNanos, 0),
        over ? 0 : etaSeconds(total() - done, loadNanos, lately, trend),
        gate.outages().size() + (away == null ? 0 : 1),
        away,
        !over && schedule.paused(),
        over || stop.raised() || endedBy != null,
        wantedWorkers,
        schedule.ratePerSecond(),
        mix == null ? "object" : "step");
  }

  private long total() {
    return endless() ? Long.MAX_VALUE : options.ownObjects();
  }

  private boolean endless() {
    return options.endIndex() == Long.MAX_VALUE;
  }

  private long etaSeconds(long left, long loadNanos, double lately, IngestProgress.Trend trend) {
    long byObjects = endless() ? -1 : RateHistory.etaSeconds(left, lately, trend);
    if (options.ends().longest() == null) {
      return byObjects;
    }
    long byTime =
        Math.max(0, (options.ends().longest().toNanos() - loadNanos + 999_999_999) / 1_000_000_000);
    return byObjects < 0 ? byTime : Math.min(byObjects, byTime);
  }

  private IngestResult result() {
    RunStop reason = gaveUp.get();
    long begun = schedule.next();
    boolean begunAll = begun == numbers.count();
    boolean asAsked = endedBy != null && !stop.raised();
    long numbersAsked =
        asAsked || endless()
            ? ingestedBefore + Math.max(begun, numbers.leftOpen())
            : options.ownObjects();
    boolean finished = asAsked || done() == numbersAsked && !endless();
    numbers.leftOpenStill(begun).forEach(index -> tally.leave(index, failedBefore.contains(index)));
    IngestResult.Ending ending =
        reason != null
            ? IngestResult.Ending.GAVE_UP
            : finished ? IngestResult.Ending.FINISHED : IngestResult.Ending.STOPPED;
    return new IngestResult(
        ending,
        reason != null
            ? reason.getMessage()
            : asAsked && !begunAll ? endedBy : finished ? endOfRamp() : "Stopped on request.",
        options.firstObject(),
        endObject(begun),
        mix == null
            ? numbersAsked
            : asAsked ? ingestsBefore(begun) : options.ingests(dataset.leadingObjects()),
        tally.ingested.sum(),
        tally.foundComplete.sum(),
        tally.failed.sum(),
        tally.abandoned.sum(),
        tally.sent.sum(),
        tally.retried.sum(),
        tally.failedRequests.sum(),
        tally.contentBytes.sum(),
        tally.expectedTriples.sum() + (mixTally == null ? 0 : mixTally.triples()),
        tally.additions.sum(),
        tally.failedAdditions.sum(),
        tally.failures(),
        tally.firstFailedRequests(),
        tally.notIngested(),
        gate.outages(),
        tally.halfMade.sum(),
        stuck.sentences(),
        schedule.pauses(endNanos),
        changes,
        steps == null ? List.of() : steps.figures(),
        tally.latency(),
        startNanos,
        endNanos,
        mixResult(),
        0);
  }

  /** What ended a ramp that has sent all objects; null for any other load. */
  private String endOfRamp() {
    if (!(options.load() instanceof Load.Ramp)) {
      return null;
    }
    return steps.over() != null
        ? steps.over()
        : "The ramp has ended for want of objects: no limit was reached.";
  }

  /** Index after the last object whose ingest was begun. */
  private long endObject(long begun) {
    return mix == null ? numbers.endIndex(begun) : options.mix().preload() + ingestsBefore(begun);
  }

  /** How many of the first steps of the mix are ingests. */
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
            new MixResult.Counts(tally.ingested.sum(), tally.failed.sum(), tally.abandoned.sum()));
  }
}
