package org.fedometer.driver;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;

/**
 * Loads a dataset into Fedora: each worker takes the next index, makes the object, sends it when it
 * is due, and goes on when it is ingested or given up. One ingest an instance; {@link #run} is
 * called by the thread that conducts the run, {@link #progress} and {@link #stop} by any.
 */
public final class IngestDriver {

  private static final long TICK_MILLIS = 500;
  private static final int RECENT_TICKS = 20;
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(10);

  private final FedoraClient client;
  private final Dataset dataset;
  private final IngestOptions options;
  private final RequestSink sink;
  private final RequestListener listener;

  private final StopSignal stop = new StopSignal();
  private final IngestTally tally = new IngestTally();
  private final FailureStreak failureStreak = new FailureStreak("objects");
  private final FailureStreak additionStreak = new FailureStreak("statements to be added");
  private final Map<Operation, FailureStreak> operationStreaks = new EnumMap<>(Operation.class);
  private final SubjectLocks subjectLocks = new SubjectLocks();
  private final MixTally mixTally;
  private final MixWork.Shared mix;
  private final LeadingObjects leading;
  private final OutageGate gate;
  private final AtomicLong nextIndex;
  private final AtomicReference<RunStop> gaveUp = new AtomicReference<>();
  private final AtomicReference<String> outage = new AtomicReference<>();
  private final Deque<Tick> recent = new ArrayDeque<>();
  private volatile long startNanos;
  private volatile long endNanos;
  private volatile boolean started;
  private volatile boolean ended;

  private record Tick(long nanos, long done) {}

  /**
   * @param client with connections for all workers and one more
   * @param sink hears of every attempt before the run goes on; finished by {@link #run}
   * @param listener hears the same, for whoever looks on
   */
  public IngestDriver(
      FedoraClient client,
      Dataset dataset,
      IngestOptions options,
      RequestSink sink,
      RequestListener listener) {
    this.client = Objects.requireNonNull(client, "client");
    this.dataset = Objects.requireNonNull(dataset, "dataset");
    this.options = Objects.requireNonNull(options, "options");
    this.sink = Objects.requireNonNull(sink, "sink");
    this.listener = Objects.requireNonNull(listener, "listener");
    this.nextIndex = new AtomicLong(options.firstIndex());
    long firstObject = options.firstObject();
    long objects = options.ingests(dataset.leadingObjects());
    dataset.requireObjects(firstObject, objects);
    this.leading = new LeadingObjects(dataset.leadingObjects(), firstObject, firstObject + objects);
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
        new OutageGate(client, options.retry().outageLimit(), stop, outageListener(listener));
    if (client.options().connections() < options.workers()) {
      throw new IllegalArgumentException(
          options.workers()
              + " workers need as many connections, but the client has "
              + client.options().connections()
              + ".");
    }
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
      public void onRecovery(Outage over) {
        outage.set(null);
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
    List<FedoraSession> sessions = new ArrayList<>();
    try {
      for (int i = 0; i < options.workers(); i++) {
        FedoraSession session = client.newSession();
        sessions.add(session);
        session.login(); // one after the other: racing first logins break Fedora's login for good
      }
      if (mix != null) {
        mix.learn(sessions.get(0));
      }
      return runWith(sessions);
    } finally {
      sessions.forEach(FedoraSession::close);
    }
  }

  private IngestResult runWith(List<FedoraSession> sessions) {
    startNanos = System.nanoTime();
    CyclicBarrier start = new CyclicBarrier(sessions.size(), () -> startNanos = System.nanoTime());
    CountDownLatch running = new CountDownLatch(sessions.size());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < sessions.size(); i++) {
      int worker = i;
      Thread thread =
          new Thread(() -> work(worker, sessions.get(worker), start, running), "ingest-" + worker);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    lookAfter(running, threads);
    endNanos = System.nanoTime();
    ended = true;
    try {
      sink.finish();
    } catch (IOException e) {
      giveUp(RunStop.because(sinkFailed(e), e));
    }
    return result();
  }

  /** Asks the workers to end; requests under way may finish within the options' patience. */
  public void stop() {
    stop.raise();
  }

  private void work(
      int worker, FedoraSession session, CyclicBarrier start, CountDownLatch running) {
    try {
      Work work = work(worker, session);
      start.await();
      for (long index = takeIndex(); index >= 0; index = takeIndex()) {
        Work.Step step = work.prepare(index);
        Due due = due(index);
        if (due.scheduled()) {
          awaitDue(step, due);
        }
        step.perform(due);
      }
    } catch (RunStop e) {
      if (!e.requested()) {
        giveUp(e);
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      giveUp(RunStop.because("The start was interrupted.", e));
    } catch (Throwable e) {
      giveUp(RunStop.because("The driver itself failed: " + e, e));
    } finally {
      running.countDown();
    }
  }

  private Work work(int worker, FedoraSession session) {
    ObjectIngest ingest =
        new ObjectIngest(worker, session, options.retry(), gate, stop, this::record);
    StatementAddition addition =
        new StatementAddition(
            worker, session, options.retry(), gate, stop, subjectLocks, this::recordAddition);
    Work ingests = new IngestWork(dataset, ingest, addition, leading, stop, tally);
    if (mix == null) {
      return ingests;
    }
    ObjectOperations operations =
        new ObjectOperations(
            worker, session, options.retry(), gate, stop, subjectLocks, this::recordOperation);
    return new MixWork(mix, ingests, ingest, operations, session);
  }

  private void awaitDue(Work.Step step, Due due) throws RunStop {
    try {
      stop.pauseUntil(due.nanos());
    } catch (RunStop e) {
      step.abandon();
      throw e;
    }
  }

  private long takeIndex() {
    while (!stop.raised()) {
      long index = nextIndex.get();
      if (index >= options.endIndex()) {
        return -1;
      }
      if (nextIndex.compareAndSet(index, index + 1)) {
        return index;
      }
    }
    return -1;
  }

  private Due due(long index) {
    return options.load() instanceof Load.FixedRate rate
        ? Due.at(startNanos + rate.dueNanos(index - options.firstIndex()))
        : Due.whenSent();
  }

  private void record(RequestEvent event, RepositoryObject object) throws RunStop {
    tally.add(event, object);
    ship(event, failureStreak);
  }

  private void recordAddition(RequestEvent event) throws RunStop {
    tally.addAddition(event);
    ship(event, additionStreak);
  }

  private void recordOperation(RequestEvent event) throws RunStop {
    tally.addOperation(event);
    ship(event, operationStreaks.get(event.operation()));
  }

  private void ship(RequestEvent event, FailureStreak streak) throws RunStop {
    try {
      sink.record(event);
    } catch (IOException e) {
      throw RunStop.because(sinkFailed(e), e);
    }
    listener.onRequest(event);
    if (isLast(event.outcome())) {
      String reason = streak.judge(event);
      if (reason != null) {
        giveUp(RunStop.because(reason, null));
      }
    }
  }

  private static boolean isLast(RequestEvent.Outcome outcome) {
    return outcome != RequestEvent.Outcome.RETRIED && outcome != RequestEvent.Outcome.ABANDONED;
  }

  private static String sinkFailed(IOException e) {
    return "The record of the requests could not be handed to the collector: " + Words.of(e);
  }

  private void giveUp(RunStop reason) {
    gaveUp.compareAndSet(null, reason);
    stop.raise();
  }

  /** Waits for the workers; ticks, and after a stop cuts what does not end by itself. */
  private void lookAfter(CountDownLatch running, List<Thread> threads) {
    boolean interrupted = false;
    long stoppedNanos = 0;
    boolean cut = false;
    while (true) {
      try {
        if (running.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
        stop.raise();
      }
      tick();
      if (!stop.raised()) {
        continue;
      }
      long now = System.nanoTime();
      if (stoppedNanos == 0) {
        stoppedNanos = now;
      } else if (now - stoppedNanos > options.stopPatience().toNanos()) {
        client.cancelRequests();
        if (cut && now - stoppedNanos > options.stopPatience().plus(LAST_PATIENCE).toNanos()) {
          threads.forEach(Thread::interrupt);
          break;
        }
        cut = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void tick() {
    synchronized (recent) {
      recent.addLast(new Tick(System.nanoTime(), done() - failed()));
      while (recent.size() > RECENT_TICKS) {
        recent.removeFirst();
      }
    }
    try {
      sink.flushIfDue();
    } catch (IOException e) {
      giveUp(RunStop.because(sinkFailed(e), e));
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
  public IngestProgress progress() {
    long done = done();
    long failed = failed();
    long well = done - failed;
    boolean over = ended;
    long now = over ? endNanos : System.nanoTime();
    long elapsedNanos = startNanos == 0 ? 0 : Math.max(0, now - startNanos);
    double overall = elapsedNanos == 0 ? 0 : well * 1e9 / elapsedNanos;
    double lately = overall;
    synchronized (recent) {
      Tick oldest = recent.peekFirst();
      if (oldest != null && now - oldest.nanos() > 1_000_000_000L) {
        lately = (well - oldest.done()) * 1e9 / (now - oldest.nanos());
      }
    }
    long left = options.objects() - done;
    IngestResult.Latency latency = tally.latency();
    return new IngestProgress(
        options.objects(),
        done,
        well,
        failed,
        tally.sent.sum(),
        tally.retried.sum(),
        tally.failedRequests.sum(),
        tally.contentBytes.sum(),
        elapsedNanos,
        overall,
        lately,
        latency.p50Millis(),
        latency.p99Millis(),
        behindSchedule(elapsedNanos, over),
        left == 0 || over ? 0 : lately > 0 ? (long) Math.ceil(left / lately) : -1,
        outage.get());
  }

  /** Objects that are due and not begun. */
  private long behindSchedule(long elapsedNanos, boolean over) {
    if (over || elapsedNanos == 0 || !(options.load() instanceof Load.FixedRate rate)) {
      return 0;
    }
    long due = Math.min(options.objects(), rate.dueWithin(elapsedNanos));
    return Math.max(0, due - (nextIndex.get() - options.firstIndex()));
  }

  private IngestResult result() {
    RunStop reason = gaveUp.get();
    boolean all = done() == options.objects();
    IngestResult.Ending ending =
        reason != null
            ? IngestResult.Ending.GAVE_UP
            : all ? IngestResult.Ending.FINISHED : IngestResult.Ending.STOPPED;
    return new IngestResult(
        ending,
        reason != null ? reason.getMessage() : all ? null : "Stopped on request.",
        options.firstObject(),
        endObject(),
        options.ingests(dataset.leadingObjects()),
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
        tally.latency(),
        startNanos,
        endNanos,
        mixResult());
  }

  /** Index after the last object whose ingest was begun. */
  private long endObject() {
    return options.mix() == null
        ? nextIndex.get()
        : options.mix().preload()
            + new MixOrder(options.mix(), dataset.leadingObjects()).ingestsBefore(nextIndex.get());
  }

  private MixResult mixResult() {
    return mixTally == null
        ? null
        : mixTally.result(
            options.mix(),
            options.objects(),
            nextIndex.get(),
            new MixResult.Counts(tally.ingested.sum(), tally.failed.sum(), tally.abandoned.sum()));
  }
}
