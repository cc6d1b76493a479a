package org.fedometer.collector.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.collector.journal.SourceConnection.PauseReason;
import org.fedometer.store.RunStore;
import org.fedometer.store.StoreIdentity;
import org.fedometer.store.segment.SegmentWriter.Carried;
import org.fedometer.wire.Acknowledgement;
import org.fedometer.wire.CloseRun;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.Hello;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.Refused;
import org.fedometer.wire.Welcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes frames durable. Network threads hand in what happens; one writer thread takes all that has
 * gathered, appends it to the runs' segments, puts those on disk with one sync each (side by side,
 * where there are several), and then acknowledges. Another thread seals. When a run cannot be
 * written, its frames are not acknowledged, its sources get the reason with every sign of life, and
 * writing is tried again until it works; the other runs go on.
 */
public final class Journal {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final int ATTEMPTS_WHILE_STOPPING = 3;
  private static final long BATCH_BYTES = 4L * 1024 * 1024;

  /**
   * Beyond so many segments that wait for the sealer, runs are not sealed for their age or their
   * end.
   */
  private static final int SEALER_BACKLOG = 4;

  /** Of a run that cannot be sealed: rollups of one segment hold no more than some hours. */
  private static final long LONGEST_SEGMENT_NANOS = TimeUnit.HOURS.toNanos(1);

  private final RunStore store;
  private final String hostName;
  private final JournalOptions options;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final Set<SourceConnection> pausedForQueue = ConcurrentHashMap.newKeySet();
  private final Thread writer = new Thread(this::runWriter, "fedometer-journal");
  private final Syncing syncing = new Syncing();
  private final Sealing sealing;
  private final CountDownLatch stopped = new CountDownLatch(1);

  // Of the writer's thread only:
  private final Runs runs;
  private final Map<SourceConnection, Source> connected = new HashMap<>();
  private final Set<Source> closing = new LinkedHashSet<>();
  private final List<Release> releasing = new ArrayList<>();

  /** Runs to be written next. */
  private final Set<RunJournal> dirty = new LinkedHashSet<>();

  /** Runs that could not be written, to be tried again. */
  private final Set<RunJournal> inTrouble = new LinkedHashSet<>();

  private String watchPrefixOfToday = "";
  private long lastHeartbeatNanos = System.nanoTime();
  private long lastTickNanos = lastHeartbeatNanos;
  private boolean stopping;
  private volatile boolean leftBehind;
  private volatile boolean failed;

  // For whoever asks how it goes; written by the writer's thread only.
  private final AtomicLong syncs = new AtomicLong();
  private final AtomicLong syncNanos = new AtomicLong();
  private final AtomicLong segmentsSealed = new AtomicLong();
  private volatile long lastDurableNanos = lastTickNanos;
  private volatile Map<String, String> troubles = Map.of();
  private volatile int notWritable;
  private volatile int runsOpen;
  private volatile int sourcesConnected;
  private volatile Map<String, Set<UUID>> connectedSources = Map.of();

  /** Of the writer's thread: whether sources have come or gone since they were last listed. */
  private boolean connectedChanged;

  private sealed interface Event {}

  /**
   * @param sameMoment milliseconds since 1970 at the nanoseconds of the hello
   */
  private record Arrived(SourceConnection connection, Hello hello, long sameMoment)
      implements Event {}

  private record Received(SourceConnection connection, Frame frame) implements Event {}

  private record Left(SourceConnection connection) implements Event {}

  private record SealingEnded(Sealing.Outcome outcome) implements Event {}

  private record Release(String runName, Runnable then, CompletableFuture<Boolean> released)
      implements Event {}

  private record Stop() implements Event {}

  private Journal(RunStore store, String hostName, JournalOptions options, DurableFrames listener)
      throws IOException {
    this.store = store;
    this.hostName = hostName;
    this.options = options;
    this.runs = new Runs(store, listener);
    this.sealing =
        new Sealing(
            StoreIdentity.of(store.directory()).id(),
            options.mergeMemoryBytes(),
            options.retryPause(),
            outcome -> events.add(new SealingEnded(outcome)));
  }

  /**
   * Recovers what an earlier collector left, and starts the threads. The caller holds the store's
   * lock.
   */
  public static Journal start(RunStore store, String hostName, JournalOptions options)
      throws IOException {
    return start(store, hostName, options, DurableFrames.NONE);
  }

  /**
   * As {@link #start(RunStore, String, JournalOptions)}.
   *
   * @param listener learns of each frame when it is durable
   */
  public static Journal start(
      RunStore store, String hostName, JournalOptions options, DurableFrames listener)
      throws IOException {
    Journal journal = new Journal(store, hostName, options, listener);
    journal.runs.recover();
    journal.dirty.addAll(journal.runs.all());
    journal.writer.start();
    return journal;
  }

  // ---- network threads ----

  /**
   * A source has introduced itself; the answer goes to the connection. Whether it may send was
   * decided by whoever took its connection, see {@link #faultOf}.
   */
  public void arrived(SourceConnection connection, Hello hello) {
    events.add(new Arrived(connection, hello, System.currentTimeMillis()));
  }

  /**
   * As {@link #arrived(SourceConnection, Hello)}, of a source that tells events.
   *
   * @param hello has the attribute {@link EventConnection#TRANSPORT}
   * @param sameMoment milliseconds since 1970 at the nanoseconds of the hello
   */
  public void arrived(EventConnection connection, Hello hello, long sameMoment) {
    events.add(new Arrived(connection, hello, sameMoment));
  }

  /**
   * A frame of a connection that has introduced itself. Sequence 0 is for dictionaries of an {@link
   * EventConnection}; of others, such frames are passed over.
   */
  public void received(SourceConnection connection, Frame frame) {
    long queued = queuedBytes.addAndGet(frame.sizeBytes());
    events.add(new Received(connection, frame));
    if (queued > options.queueBytes() && pausedForQueue.add(connection)) {
      connection.pause(PauseReason.QUEUE_FULL);
    }
  }

  /** Whether more has been received than should wait in memory; any thread. */
  public boolean isFull() {
    return queuedBytes.get() > options.queueBytes();
  }

  /** A connection that had introduced itself is gone. */
  public void left(SourceConnection connection) {
    events.add(new Left(connection));
  }

  /** Why an introduction is refused, or null; any thread. */
  public String faultOf(Hello hello) {
    if (hello.minProtocolVersion() > Hello.PROTOCOL_VERSION
        || hello.maxProtocolVersion() < Hello.PROTOCOL_VERSION) {
      return "protocol versions %d to %d are asked for, this collector speaks %d"
          .formatted(
              hello.minProtocolVersion(), hello.maxProtocolVersion(), Hello.PROTOCOL_VERSION);
    }
    byte[] expected = options.token().getBytes(StandardCharsets.UTF_8);
    byte[] given = hello.token().getBytes(StandardCharsets.UTF_8);
    return expected.length == 0 || MessageDigest.isEqual(expected, given)
        ? null
        : "the token is missing or wrong";
  }

  /** How it goes at the moment, to some 250 ms; any thread. */
  public JournalFigures figures() {
    return new JournalFigures(
        stopped.getCount() > 0,
        runsOpen,
        sourcesConnected,
        queuedBytes.get(),
        syncs.get(),
        syncNanos.get(),
        segmentsSealed.get(),
        System.nanoTime() - lastDurableNanos,
        notWritable,
        troubles);
  }

  /** Sources that are connected, by the run's name, to some 250 ms; any thread. */
  public Map<String, Set<UUID>> connectedSources() {
    return connectedSources;
  }

  /** For whoever belongs to no run; any thread. */
  public Welcome welcomeOutsideRuns() {
    return welcome(0, "", "");
  }

  /**
   * Whether the run of that name is open here: something of it is still to be written or sealed.
   */
  public boolean isOpen(String runName) {
    return runs.isOpen(runName);
  }

  /**
   * From now on it is known whether a source opens the run of that name; any thread. What takes
   * longer than the journal can wait is done so before {@link #release(String, Runnable)}.
   */
  public Stillness stillness(String runName) {
    return runs.stillness(runName);
  }

  /**
   * Lets go of a run that no source is connected to, so that its folder may be moved, archived or
   * deleted. What is not sealed yet is sealed first; waits for that.
   *
   * @return false while a source is connected, or when the run cannot be sealed: leave it alone
   */
  public boolean release(String runName) throws InterruptedException {
    return release(runName, () -> {});
  }

  /**
   * As {@link #release(String)}.
   *
   * @param then called on the journal's thread when the run has been let go and before any source
   *     can open it again; everything waits meanwhile, so it should do no more than rename a folder
   */
  public boolean release(String runName, Runnable then) throws InterruptedException {
    CompletableFuture<Boolean> released = releaseLater(runName, then);
    while (true) {
      try {
        return released.get(TICK.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (stopped.getCount() == 0) {
          return false;
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("Could not let go of the run " + runName, e.getCause());
      }
    }
  }

  /**
   * As {@link #release(String, Runnable)}, without waiting.
   *
   * @return fails with what {@code then} threw; nothing is done any more once it is cancelled
   */
  public CompletableFuture<Boolean> releaseLater(String runName, Runnable then) {
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    events.add(new Release(runName, then, released));
    return released;
  }

  /**
   * Stores what has been handed in, seals what is open, and ends. Waits.
   *
   * @return false when not all could be stored and sealed; the next collector will do it
   */
  public boolean stop(Duration timeout) throws InterruptedException {
    events.add(new Stop());
    return stopped.await(timeout.toMillis(), TimeUnit.MILLISECONDS) && !leftBehind && !failed;
  }

  /** Waits until the journal has ended: stopped, or failed in a way that it cannot go on from. */
  public void awaitEnd() throws InterruptedException {
    stopped.await();
  }

  /** Whether it has ended, or is about to, for a failure that it cannot go on from; any thread. */
  public boolean hasFailed() {
    return failed;
  }

  // ---- the writer's thread ----

  private void runWriter() {
    List<Event> batch = new ArrayList<>();
    try {
      runs.all().forEach(sealing::take);
      sealing.tidyAll(store);
      while (!stopping || sealing.isBusy()) {
        batch.clear();
        takeInto(batch);
        watchPrefixOfToday = Runs.watchPrefix(today());
        long bytes = 0;
        for (Event event : batch) {
          bytes += handle(event);
        }
        rotateForClosing();
        commit();
        queuedBytes.addAndGet(-bytes);
        resumeReading();
        tickIfDue();
        releaseIdle();
      }
    } catch (InterruptedException e) {
      failed = true;
      LOG.error("The journal was interrupted; what is not acknowledged will be sent again");
    } catch (RuntimeException | Error e) {
      failed = true;
      LOG.error("The journal has failed; what is not acknowledged will be sent again", e);
    } finally {
      syncing.close();
      sealing.close();
      new ArrayList<>(runs.all()).forEach(runs::forget);
      releasing.forEach(release -> release.released().complete(false));
      stopped.countDown();
    }
  }

  private LocalDate today() {
    return LocalDate.ofInstant(options.clock().instant(), ZoneOffset.UTC);
  }

  /** Takes so much that a sync is worth it, and so little that it fits into memory once more. */
  private void takeInto(List<Event> batch) throws InterruptedException {
    Event next = events.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
    long bytes = 0;
    while (next != null) {
      batch.add(next);
      if (next instanceof Received received) {
        bytes += received.frame().sizeBytes();
      }
      next = bytes < BATCH_BYTES ? events.poll() : null;
    }
  }

  /** Returns how many bytes of the queue the event held. */
  private long handle(Event event) throws InterruptedException {
    if (event instanceof Received received) {
      handle(received);
      return received.frame().sizeBytes();
    }
    if (event instanceof Arrived arrived) {
      handle(arrived);
    } else if (event instanceof Left left) {
      handleLeft(left.connection());
    } else if (event instanceof SealingEnded ended) {
      handle(ended.outcome());
    } else if (event instanceof Release release) {
      releasing.add(release);
    } else if (event instanceof Stop) {
      beginStop();
    }
    return 0;
  }

  private void handle(Arrived arrived) {
    SourceConnection connection = arrived.connection();
    Hello hello = arrived.hello();
    if (stopping) {
      connection.refuse(new Refused(true, "the collector is stopping"));
    } else if (hello.sourceKind().equals(Hello.PROBE)) {
      connection.welcome(welcomeOutsideRuns());
    } else {
      try {
        connect(connection, hello, arrived.sameMoment());
      } catch (RunTakenException e) {
        LOG.warn("Refused {}: {}", connection.peer(), e.getMessage());
        connection.refuse(new Refused(false, e.getMessage()));
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        LOG.error("Cannot open the run of {}", connection.peer(), e);
        connection.refuse(new Refused(true, "the store cannot be written: " + e));
      }
    }
  }

  private Welcome welcome(long lastDurable, String runFolder, String runId) {
    return new Welcome(
        Hello.PROTOCOL_VERSION,
        lastDurable,
        store.directory().toString(),
        hostName,
        runFolder,
        runId);
  }

  private void connect(SourceConnection connection, Hello hello, long sameMoment)
      throws IOException, RunTakenException {
    RunJournal run = runs.of(hello, today());
    sealing.take(run);
    Source source = run.source(hello, sameMoment);
    dirty.add(run);
    if (source.leavesSequencesOut != connection instanceof EventConnection) {
      connection.refuse(
          new Refused(
              false, "the source " + hello.source() + " has come by another transport before"));
      return;
    }
    if (source.connection != null) {
      // The source has come back before its broken connection was noticed.
      SourceConnection old = source.connection;
      handleLeft(old);
      old.refuse(new Refused(true, "the source has connected anew"));
    }
    source.connection = connection;
    source.watched = hello.runId().isEmpty() && hello.runName().isEmpty();
    source.firstAvailable = hello.firstAvailableSequence();
    source.held.clear();
    source.notStored = "";
    source.closing = null;
    source.closingAwaits = null;
    closing.remove(source);
    connected.put(connection, source);
    connectedChanged = true;
    run.connected();
    LOG.info(
        "{}: {} connected from {}, frames known: {}",
        run.folder().name(),
        source.describeForLog(),
        connection.peer(),
        source.lastDurable);
    if (connection instanceof EventConnection events) {
      events.recall(source.lastAppended, source.carried().stream().map(Carried::frame).toList());
    }
    connection.welcome(welcome(source.lastDurable, run.folder().name(), run.runId()));
    if (run.paused) {
      connection.pause(PauseReason.RUN_NOT_WRITABLE);
    }
  }

  private void handleLeft(SourceConnection connection) {
    pausedForQueue.remove(connection);
    Source source = connected.remove(connection);
    if (source == null) {
      return;
    }
    connectedChanged = true;
    source.connection = null;
    closing.remove(source);
    source.closing = null;
    source.held.clear();
    source.run.disconnected();
    LOG.info("{}: {} left", source.run.folder().name(), source.describeForLog());
  }

  private void handle(Received received) {
    Source source = connected.get(received.connection());
    if (source == null) {
      // Refused or replaced meanwhile.
      return;
    }
    if (received.frame().sequence() == 0) {
      // Of others it is something of the session that a later version sends.
      if (received.connection() instanceof EventConnection) {
        name(source, received.frame());
      }
      return;
    }
    if (source.closing != null) {
      source.held.add(received.frame());
      return;
    }
    accept(source, received.frame());
  }

  private void name(Source source, Frame dictionary) {
    try {
      source.run.appendNames(source, dictionary);
      dirty.add(source.run);
    } catch (RuntimeException | OutOfMemoryError e) {
      refuse(source, dictionary, e);
    }
  }

  private void accept(Source before, Frame frame) {
    Source source = before;
    try {
      if (frame.type() == FrameType.CLOSE_RUN && frame.sequence() > source.lastAppended) {
        beginClosing(source, frame);
      } else {
        source = ofToday(before, frame);
        source.run.append(source, frame);
        dirty.add(source.run);
      }
    } catch (MalformedFrameException e) {
      refuse(source, e.getMessage());
    } catch (RuntimeException | OutOfMemoryError e) {
      refuse(source, frame, e);
    }
  }

  private void refuse(Source source, Frame frame, Throwable failure) {
    LOG.error("A frame of {} could not be taken", source.describeForLog(), failure);
    refuse(
        source,
        new Refused(
            failure instanceof OutOfMemoryError,
            "the collector could not take frame " + frame.sequence() + ": " + failure));
  }

  private void refuse(Source source, String reason) {
    refuse(source, new Refused(false, reason));
  }

  private void refuse(Source source, Refused refused) {
    LOG.warn(
        "{}: refused {}: {}",
        source.run.folder().name(),
        source.describeForLog(),
        refused.reason());
    SourceConnection connection = source.connection;
    handleLeft(connection);
    connection.refuse(refused);
  }

  // ---- watch runs ----

  /**
   * A source outside any run goes on in the run of the day. That begins only when all that the
   * source has sent is durable in the run of the day before, so that wherever a crash comes
   * between, the newest run that knows the source also knows its last durable frame.
   */
  private Source ofToday(Source source, Frame frame) {
    if (!source.watched
        || source.has(frame.sequence())
        || !Runs.isOfEarlierDay(source.run, watchPrefixOfToday)
        || System.nanoTime() - source.rollAgainNanos < 0) {
      return source;
    }
    RunJournal before = source.run;
    try {
      before.commit();
      source.lastDurable = source.lastAppended;
      RunJournal next = runs.watchRun(source.hello, today());
      return move(source, next);
    } catch (IOException | RunTakenException | RuntimeException | Error e) {
      LOG.warn(
          "{}: cannot go on in the run of a new day: {}", before.folder().name(), e.toString());
      source.rollAgainNanos = System.nanoTime() + options.retryPause().toNanos();
      return source;
    }
  }

  private Source move(Source source, RunJournal next) {
    Source moved = next.adopt(source);
    RunJournal before = source.run;
    SourceConnection connection = source.connection;
    moved.connection = connection;
    moved.watched = true;
    moved.firstAvailable = source.firstAvailable;
    source.connection = null;
    connected.put(connection, moved);
    connectedChanged = true;
    next.connected();
    before.disconnected();
    sealing.take(next);
    dirty.add(next);
    if (before.paused && !next.paused) {
      connection.resume(PauseReason.RUN_NOT_WRITABLE);
    } else if (next.paused) {
      connection.pause(PauseReason.RUN_NOT_WRITABLE);
    }
    LOG.info("{} goes on in {}", moved.describeForLog(), next.folder().name());
    heartbeatIfDue();
    return moved;
  }

  // ---- closing a run ----

  private void beginClosing(Source source, Frame frame) throws MalformedFrameException {
    String runId = CloseRun.decode(ByteBuffer.wrap(frame.payload())).runId();
    if (!runId.isEmpty() && !runId.equals(source.run.runId())) {
      throw new MalformedFrameException(
          "A source of the run " + source.run.runId() + " cannot close the run " + runId);
    }
    source.closing = frame;
    source.closingAwaits = null;
    closing.add(source);
    source.connection.pause(PauseReason.RUN_CLOSING);
  }

  /** Hands what the closing runs hold to the sealer, so that the writer can go on meanwhile. */
  private void rotateForClosing() throws InterruptedException {
    for (Source source : closing) {
      if (source.closingAwaits == null && !isToBeTriedLater(source.run)) {
        commit(List.of(source.run));
        if (!rotateAndSeal(source.run)) {
          continue;
        }
        source.closingAwaits = new LinkedHashSet<>();
        source.run.unsealed().forEach(file -> source.closingAwaits.add(file.toString()));
      }
    }
    finishClosing();
  }

  private boolean isToBeTriedLater(RunJournal run) {
    return inTrouble.contains(run) && System.nanoTime() - run.writeAgainNanos < 0;
  }

  private void finishClosing() {
    List<Source> done = new ArrayList<>();
    for (Source source : closing) {
      if (source.closingAwaits != null && source.closingAwaits.isEmpty()) {
        done.add(source);
      }
    }
    for (Source source : done) {
      closing.remove(source);
      Frame frame = source.closing;
      source.closing = null;
      try {
        source.run.append(source, frame);
        dirty.add(source.run);
      } catch (MalformedFrameException e) {
        refuse(source, e.getMessage());
        continue;
      } catch (RuntimeException | OutOfMemoryError e) {
        refuse(source, frame, e);
        continue;
      }
      acceptHeld(source);
    }
  }

  /** The first of these frames may be the one with which the source goes on in another run. */
  private void acceptHeld(Source closed) {
    SourceConnection connection = closed.connection;
    ArrayDeque<Frame> held = new ArrayDeque<>(closed.held);
    closed.held.clear();
    Source source = closed;
    while (source != null && source.closing == null && !held.isEmpty()) {
      accept(source, held.remove());
      source = connected.get(connection);
    }
    if (source != null) {
      source.held.addAll(held);
      if (source.closing == null) {
        connection.resume(PauseReason.RUN_CLOSING);
      }
    }
  }

  // ---- sealing ----

  /** False when the disk did not let it; to be tried again. */
  private boolean rotateAndSeal(RunJournal run) {
    if (!run.hasUnsealedFrames()) {
      return true;
    }
    long now = System.nanoTime();
    boolean tooSoon = run.rotating.failures() > 0 && now - run.rotateAgainNanos < 0;
    if (tooSoon || inTrouble.contains(run)) {
      return false;
    }
    try {
      run.rotate();
    } catch (IOException | RuntimeException | Error e) {
      String reason = "the collector cannot begin a segment of " + run.folder().path() + ": " + e;
      if (run.rotating.failed(reason, now)) {
        LOG.error("{}; the old one goes on", reason);
      }
      run.rotateAgainNanos = now + options.retryPause().toNanos();
      return false;
    }
    run.rotating.over();
    sealing.take(run);
    return true;
  }

  private void handle(Sealing.Outcome outcome) throws InterruptedException {
    if (outcome instanceof Sealing.Damaged damaged) {
      noteDamage(damaged);
      return;
    }
    if (!sealing.settle(outcome)) {
      leftBehind |= stopping;
      return;
    }
    for (Source source : closing) {
      if (source.closingAwaits != null) {
        source.closingAwaits.remove(outcome.segment().toString());
      }
    }
    segmentsSealed.incrementAndGet();
    runs.tellSealed(outcome.run().folder(), outcome.segment());
  }

  /** What is lost is on disk as a count before the segment goes, and who closes the run waits. */
  private void noteDamage(Sealing.Damaged damaged) throws InterruptedException {
    RunJournal run = damaged.run();
    if (run.noteDamage(damaged.segment(), damaged.left())) {
      commit(List.of(run));
      rotateAndSeal(run);
      for (Source source : closing) {
        if (source.run == run && source.closingAwaits != null) {
          run.unsealed().forEach(file -> source.closingAwaits.add(file.toString()));
        }
      }
    }
    sealing.again(damaged);
  }

  // ---- commit ----

  private void commit() throws InterruptedException {
    List<RunJournal> due = new ArrayList<>(dirty);
    dirty.clear();
    due.removeIf(inTrouble::contains);
    for (RunJournal run : inTrouble) {
      if (!isToBeTriedLater(run)) {
        due.add(run);
      }
    }
    commit(due);
    holdBackTroubled();
  }

  private void commit(List<RunJournal> due) throws InterruptedException {
    long beginNanos = System.nanoTime();
    Map<RunJournal, Throwable> failures = syncing.commit(due);
    long endNanos = System.nanoTime();
    if (!due.isEmpty()) {
      syncs.incrementAndGet();
      syncNanos.addAndGet(endNanos - beginNanos);
    }
    for (RunJournal run : due) {
      Throwable failure = failures.get(run);
      if (failure == null) {
        dirty.remove(run);
        untroubled(run);
        List<Source> touched = run.takeTouched();
        if (!touched.isEmpty()) {
          lastDurableNanos = endNanos;
        }
        touched.forEach(this::acknowledge);
        run.tellListener();
        if (!stopping && run.grownBytes() >= options.segmentBytes()) {
          rotateAndSeal(run);
        }
      } else {
        troubled(run, "the collector cannot write to " + run.folder().path(), failure);
      }
    }
  }

  private void troubled(RunJournal run, String what, Throwable failure) {
    long now = System.nanoTime();
    String reason = what + ": " + failure;
    if (run.writing.failed(reason, now)) {
      LOG.error("{}; nothing of this run is acknowledged until it works again", reason);
    }
    run.writeAgainNanos = now + options.retryPause().toNanos();
    inTrouble.add(run);
  }

  private void untroubled(RunJournal run) {
    if (!run.writing.over()) {
      return;
    }
    LOG.info("{}: writing works again", run.folder().name());
    inTrouble.remove(run);
    if (run.paused) {
      run.paused = false;
      connectionsOf(run).forEach(connection -> connection.resume(PauseReason.RUN_NOT_WRITABLE));
    }
  }

  /** What waits for a disk is bounded, for each run and for all of them together. */
  private void holdBackTroubled() {
    if (inTrouble.isEmpty()) {
      return;
    }
    long all = inTrouble.stream().mapToLong(RunJournal::notDurableBytes).sum();
    for (RunJournal run : inTrouble) {
      boolean enough =
          all > options.queueBytes() / 2 || run.notDurableBytes() > options.queueBytes() / 8;
      if (enough && !run.paused) {
        run.paused = true;
        connectionsOf(run).forEach(connection -> connection.pause(PauseReason.RUN_NOT_WRITABLE));
      }
    }
  }

  private static List<SourceConnection> connectionsOf(RunJournal run) {
    return run.sources().stream()
        .map(source -> source.connection)
        .filter(Objects::nonNull)
        .toList();
  }

  private void acknowledge(Source source) {
    if (source.connection != null) {
      source.connection.acknowledge(new Acknowledgement(source.lastDurable, source.notice()));
    }
  }

  // ---- letting go of runs ----

  private void releaseIdle() {
    releasing.removeIf(release -> answered(release));
  }

  /** False while the run is being sealed, or files are being merged. */
  private boolean answered(Release release) {
    if (release.released().isDone()) {
      return true;
    }
    RunJournal run = runs.openOrNull(release.runName());
    if (run != null) {
      if (stopping || !run.idleFor(0) || !run.notice().isEmpty()) {
        release.released().complete(false);
        return true;
      }
      if (run.hasUnsealedFrames() && !rotateAndSeal(run)) {
        release.released().complete(false);
        return true;
      }
      if (!run.unsealed().isEmpty()) {
        return false;
      }
    }
    return sealing.whileNothingIsMerged(() -> letGo(run, release));
  }

  private void letGo(RunJournal run, Release release) {
    if (run != null) {
      forget(run);
    }
    try {
      release.then().run();
      release.released().complete(true);
    } catch (RuntimeException e) {
      release.released().completeExceptionally(e);
    }
  }

  // ---- from time to time ----

  private void resumeReading() {
    if (queuedBytes.get() > options.queueBytes() / 2) {
      return;
    }
    for (SourceConnection connection : pausedForQueue) {
      if (pausedForQueue.remove(connection)) {
        connection.resume(PauseReason.QUEUE_FULL);
      }
    }
  }

  private void tickIfDue() {
    heartbeatIfDue();
    long now = System.nanoTime();
    if (stopping || now - lastTickNanos < TICK.toNanos()) {
      return;
    }
    lastTickNanos = now;
    noteFigures();
    for (RunJournal run : new ArrayList<>(runs.all())) {
      if (run.idleFor(options.runIdle().toNanos())
          && !run.hasUnsealedFrames()
          && run.unsealed().isEmpty()
          && run.notDurableBytes() == 0) {
        LOG.info("Run {} is put away", run.folder().name());
        forget(run);
      }
    }
    sealOldest(now);
  }

  private void noteFigures() {
    Map<String, String> found = new HashMap<>();
    for (RunJournal run : runs.all()) {
      if (!run.notice().isEmpty()) {
        found.put(run.folder().name(), run.notice());
      }
    }
    troubles = Map.copyOf(found);
    notWritable = inTrouble.size();
    runsOpen = runs.all().size();
    sourcesConnected = connected.size();
    if (connectedChanged) {
      connectedChanged = false;
      Map<String, Set<UUID>> byRun = new HashMap<>();
      for (Source source : connected.values()) {
        byRun
            .computeIfAbsent(source.run.folder().name(), name -> new HashSet<>())
            .add(source.hello.source());
      }
      connectedSources = Map.copyOf(byRun);
    }
  }

  /** As many as the sealer keeps up with: with very many runs each waits longer for its turn. */
  private void sealOldest(long now) {
    if (sealing.backlog() >= SEALER_BACKLOG) {
      return;
    }
    List<RunJournal> ripe = new ArrayList<>();
    for (RunJournal run : runs.all()) {
      // Of a run that cannot be sealed, further segments wait in vain: few then, though of no more
      // hours than can be rolled up.
      boolean worthIt =
          !sealing.isHeldUp(run) || now - run.oldestInOpenNanos() >= LONGEST_SEGMENT_NANOS;
      if (run.hasUnsealedFrames() && !inTrouble.contains(run) && worthIt && isRipe(run, now)) {
        ripe.add(run);
      }
    }
    ripe.sort(Comparator.comparingLong(run -> run.oldestInOpenNanos() - now));
    for (RunJournal run : ripe) {
      if (sealing.backlog() >= SEALER_BACKLOG) {
        return;
      }
      rotateAndSeal(run);
    }
  }

  private boolean isRipe(RunJournal run, long now) {
    return now - run.oldestInOpenNanos() >= options.sealAge().toNanos()
        || run.idleFor(options.runIdle().toNanos())
        || run.allFinished();
  }

  private void forget(RunJournal run) {
    dirty.remove(run);
    inTrouble.remove(run);
    runs.forget(run);
  }

  private void heartbeatIfDue() {
    long now = System.nanoTime();
    if (now - lastHeartbeatNanos >= options.heartbeat().toNanos()) {
      lastHeartbeatNanos = now;
      connected.values().forEach(this::acknowledge);
    }
  }

  private void beginStop() throws InterruptedException {
    stopping = true;
    for (SourceConnection connection : new ArrayList<>(connected.keySet())) {
      handleLeft(connection);
      connection.refuse(new Refused(true, "the collector is stopping"));
    }
    sealing.stopRetrying();
    commit(new ArrayList<>(runs.all()));
    for (int i = 1; i < ATTEMPTS_WHILE_STOPPING && !inTrouble.isEmpty(); i++) {
      Thread.sleep(options.retryPause().toMillis());
      commit(new ArrayList<>(inTrouble));
    }
    for (RunJournal run : runs.all()) {
      if (inTrouble.contains(run) || !rotateAndSeal(run)) {
        leftBehind = true;
        LOG.error(
            "{}: giving up; what is not acknowledged will be sent again", run.folder().name());
      }
    }
  }
}
