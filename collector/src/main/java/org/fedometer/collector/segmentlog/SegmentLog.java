package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.collector.segmentlog.SourceConnection.PauseReason;
import org.fedometer.store.RunStore;
import org.fedometer.store.StoreIdentity;
import org.fedometer.store.segment.SegmentWriter.Carried;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes frames durable.
 *
 * <p>Network threads queue events. One writer thread appends all queued frames to the runs'
 * segments, syncs each run once (several in parallel), and then acknowledges. Another thread seals.
 *
 * <p>If a run cannot be written, its frames stay unacknowledged, its sources get the reason with
 * every heartbeat, and writing is retried. Other runs continue.
 */
public final class SegmentLog {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentLog.class);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final int ATTEMPTS_WHILE_STOPPING = 3;
  private static final long BATCH_BYTES = 4L * 1024 * 1024;

  /** Backlog above which runs are not sealed for their age or their end. */
  private static final int SEALER_BACKLOG = 4;

  /** For a run that cannot be sealed: one segment's rollups hold at most some hours. */
  private static final long MAX_SEGMENT_AGE_NANOS = TimeUnit.HOURS.toNanos(1);

  private final RunStore store;
  private final String hostName;
  private final SegmentLogOptions options;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final Set<SourceConnection> pausedForQueue = ConcurrentHashMap.newKeySet();
  private final Thread writer = new Thread(this::runWriter, "fedometer-segment-log");
  private final SealScheduler sealScheduler;
  private final CountDownLatch stopped = new CountDownLatch(1);

  // On the writer's thread only:
  private final Runs runs;
  private final Connections connections;
  private final Committer committer;
  private final ClosingSources closingSources;
  private final DayRollover dayRollover;
  private final ReleaseQueue releaseQueue;
  private long lastTickNanos = System.nanoTime();
  private boolean stopping;
  private volatile boolean incomplete;
  private volatile boolean failed;

  // Statistics, written by the writer's thread only.
  private final AtomicLong segmentsSealed = new AtomicLong();
  private volatile Map<String, String> failures = Map.of();
  private volatile int notWritable;
  private volatile int runsOpen;

  private sealed interface Event {}

  /**
   * @param sameMoment milliseconds since 1970 at the nanoseconds of the hello
   */
  private record HelloReceived(SourceConnection connection, Hello hello, long sameMoment)
      implements Event {}

  private record FrameReceived(SourceConnection connection, Frame frame) implements Event {}

  private record ConnectionClosed(SourceConnection connection) implements Event {}

  private record SealingEnded(SealScheduler.Outcome outcome) implements Event {}

  private record Release(ReleaseQueue.Request request) implements Event {}

  private record Stop() implements Event {}

  private SegmentLog(
      RunStore store, String hostName, SegmentLogOptions options, DurableFrames listener)
      throws IOException {
    this.store = store;
    this.hostName = hostName;
    this.options = options;
    this.runs = new Runs(store, listener);
    this.sealScheduler =
        new SealScheduler(
            StoreIdentity.of(store.directory()).id(),
            options.mergeMemoryBytes(),
            options.retryPause(),
            outcome -> events.add(new SealingEnded(outcome)));
    this.connections = new Connections(options.heartbeat());
    this.committer = new Committer(options, sealScheduler);
    this.closingSources = new ClosingSources(committer);
    this.dayRollover = new DayRollover(runs, connections, committer, sealScheduler, options);
    this.releaseQueue = new ReleaseQueue(runs, committer, sealScheduler);
  }

  /**
   * Recovers an earlier collector's segments and starts the threads. The caller holds the store's
   * lock.
   */
  public static SegmentLog start(RunStore store, String hostName, SegmentLogOptions options)
      throws IOException {
    return start(store, hostName, options, DurableFrames.NONE);
  }

  /**
   * As {@link #start(RunStore, String, SegmentLogOptions)}; the listener observes durable frames.
   */
  public static SegmentLog start(
      RunStore store, String hostName, SegmentLogOptions options, DurableFrames listener)
      throws IOException {
    PrivateFiles.createFolders(store.runsDirectory());
    SegmentLog segmentLog = new SegmentLog(store, hostName, options, listener);
    segmentLog.runs.recover();
    segmentLog.runs.all().forEach(segmentLog.committer::markDirty);
    segmentLog.writer.start();
    return segmentLog;
  }

  // ---- network threads ----

  /**
   * Registers a source that has introduced itself; replies go to the connection. The caller has
   * already checked {@link #refusalReason}.
   */
  public void sourceConnected(SourceConnection connection, Hello hello) {
    events.add(new HelloReceived(connection, hello, System.currentTimeMillis()));
  }

  /**
   * As {@link #sourceConnected(SourceConnection, Hello)}, for a source that sends events.
   *
   * @param hello has the attribute {@link EventConnection#TRANSPORT}
   * @param sameMoment milliseconds since 1970 at the nanoseconds of the hello
   */
  public void sourceConnected(EventConnection connection, Hello hello, long sameMoment) {
    events.add(new HelloReceived(connection, hello, sameMoment));
  }

  /**
   * Queues a frame of a registered connection. Sequence 0 is for dictionaries of an {@link
   * EventConnection}; others' such frames are ignored.
   */
  public void frameReceived(SourceConnection connection, Frame frame) {
    long queued = queuedBytes.addAndGet(frame.sizeBytes());
    events.add(new FrameReceived(connection, frame));
    if (queued > options.queueBytes() && pausedForQueue.add(connection)) {
      connection.pause(PauseReason.QUEUE_FULL);
    }
  }

  /** Returns whether received data exceeds the queue's limit; any thread. */
  public boolean isFull() {
    return queuedBytes.get() > options.queueBytes();
  }

  /** Reports that a registered connection has ended. */
  public void sourceDisconnected(SourceConnection connection) {
    events.add(new ConnectionClosed(connection));
  }

  /** Returns why an introduction is refused, or null; any thread. */
  public String refusalReason(Hello hello) {
    if (hello.minProtocolVersion() > Hello.PROTOCOL_VERSION
        || hello.maxProtocolVersion() < Hello.PROTOCOL_VERSION) {
      return "the client speaks protocol versions %d to %d, this collector speaks %d"
          .formatted(
              hello.minProtocolVersion(), hello.maxProtocolVersion(), Hello.PROTOCOL_VERSION);
    }
    byte[] expected = options.token().getBytes(StandardCharsets.UTF_8);
    byte[] given = hello.token().getBytes(StandardCharsets.UTF_8);
    return expected.length == 0 || MessageDigest.isEqual(expected, given)
        ? null
        : "the token is missing or wrong";
  }

  /** Returns statistics, up to some 250 ms old; any thread. */
  public SegmentLogStats stats() {
    return new SegmentLogStats(
        stopped.getCount() > 0,
        runsOpen,
        connections.count(),
        queuedBytes.get(),
        committer.syncs(),
        committer.syncNanos(),
        segmentsSealed.get(),
        System.nanoTime() - committer.lastDurableNanos(),
        notWritable,
        failures);
  }

  /** Returns connected sources by run name, up to some 250 ms old; any thread. */
  public Map<String, Set<UUID>> connectedSources() {
    return connections.byRun();
  }

  /** Returns a welcome for peers outside any run; any thread. */
  public Welcome welcomeWithoutRun() {
    return welcome(0, "", "");
  }

  /** Returns whether data of that run is still to be written or sealed here. */
  public boolean isOpen(String runName) {
    return runs.isOpen(runName);
  }

  /**
   * Watches whether a source opens the run; any thread. For checks before {@link #release(String,
   * Runnable)} that take longer than the segment log may block.
   */
  public ReopenWatch watchReopening(String runName) {
    return runs.watchReopening(runName);
  }

  /**
   * Seals and releases a run without connected sources, so that its folder may be moved, archived
   * or deleted. Blocks.
   *
   * @return false while a source is connected or if the run cannot be sealed; the folder must then
   *     stay
   */
  public boolean release(String runName) throws InterruptedException {
    return release(runName, () -> {});
  }

  /**
   * As {@link #release(String)}.
   *
   * @param action called on the segment log's thread after the release and before any source can
   *     reopen the run. It blocks everything, so it should only rename a folder
   */
  public boolean release(String runName, Runnable action) throws InterruptedException {
    try {
      return releaseAsync(runName, action).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Cannot release the run " + runName, e.getCause());
    }
  }

  /**
   * As {@link #release(String, Runnable)}, without blocking.
   *
   * @return fails with the exception of {@code action}, and is false once the segment log has
   *     stopped; a cancelled request has no effect
   */
  public CompletableFuture<Boolean> releaseAsync(String runName, Runnable action) {
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    events.add(new Release(new ReleaseQueue.Request(runName, action, released)));
    if (stopped.getCount() == 0) {
      // The queue is no longer read.
      released.complete(false);
    }
    return released;
  }

  /**
   * Stores queued frames, seals open segments, and stops. Blocks.
   *
   * @return false if not all was stored and sealed; the next collector completes it
   */
  public boolean stop(Duration timeout) throws InterruptedException {
    events.add(new Stop());
    return stopped.await(timeout.toMillis(), TimeUnit.MILLISECONDS) && !incomplete && !failed;
  }

  /**
   * Waits until the segment log has stopped, on request or after an unrecoverable failure.
   *
   * @return false on timeout
   */
  public boolean awaitEnd(long timeoutMillis) throws InterruptedException {
    return stopped.await(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Returns whether the store may still be written: until stopped, and then while an
   * uninterruptible seal or merge runs; any thread.
   */
  public boolean mayWrite() {
    return stopped.getCount() > 0 || !sealScheduler.hasEnded();
  }

  /** Waits until {@link #mayWrite()} is permanently false. */
  public void awaitLastWrite() throws InterruptedException {
    stopped.await();
    sealScheduler.awaitEnd();
  }

  /** Returns whether it has stopped, or is stopping, after an unrecoverable failure; any thread. */
  public boolean hasFailed() {
    return failed;
  }

  // ---- the writer's thread ----

  private void runWriter() {
    List<Event> batch = new ArrayList<>();
    try {
      runs.all().forEach(sealScheduler::submit);
      sealScheduler.compactAll(store);
      while (!stopping || sealScheduler.isBusy()) {
        batch.clear();
        drainInto(batch);
        dayRollover.update();
        long bytes = 0;
        for (Event event : batch) {
          bytes += handle(event);
        }
        closingSources.rotate();
        finishClosing();
        committer.commit();
        queuedBytes.addAndGet(-bytes);
        resumeReading();
        tickIfDue();
        releaseQueue.completeReady(stopping);
      }
    } catch (InterruptedException e) {
      failed = true;
      LOG.error("The segment log was interrupted; sources resend unacknowledged frames");
    } catch (RuntimeException | Error e) {
      failed = true;
      LOG.error("The segment log has failed; sources resend unacknowledged frames", e);
    } finally {
      committer.close();
      sealScheduler.close();
      new ArrayList<>(runs.all()).forEach(runs::forget);
      releaseQueue.rejectAll();
      stopped.countDown();
      // Later callers see that it has stopped.
      rejectReleases(batch);
      rejectReleases(events);
    }
  }

  private static void rejectReleases(Collection<Event> unprocessed) {
    for (Event event : unprocessed) {
      if (event instanceof Release release) {
        release.request().released().complete(false);
      }
    }
  }

  /** Removes a batch large enough to be worth a sync, and small enough to fit into memory twice. */
  private void drainInto(List<Event> batch) throws InterruptedException {
    Event next = events.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
    long bytes = 0;
    while (next != null) {
      batch.add(next);
      if (next instanceof FrameReceived received) {
        bytes += received.frame().sizeBytes();
      }
      next = bytes < BATCH_BYTES ? events.poll() : null;
    }
  }

  /** Returns the number of queued bytes that the event held. */
  private long handle(Event event) throws InterruptedException {
    if (event instanceof FrameReceived received) {
      handle(received);
      return received.frame().sizeBytes();
    }
    if (event instanceof HelloReceived arrived) {
      handle(arrived);
    } else if (event instanceof ConnectionClosed closedConnection) {
      disconnect(closedConnection.connection());
    } else if (event instanceof SealingEnded ended) {
      handle(ended.outcome());
    } else if (event instanceof Release release) {
      releaseQueue.add(release.request());
    } else if (event instanceof Stop) {
      beginStop();
    }
    return 0;
  }

  private void handle(HelloReceived arrived) {
    SourceConnection connection = arrived.connection();
    Hello hello = arrived.hello();
    if (stopping) {
      connection.refuse(new Rejected(true, "the collector is stopping"));
    } else if (hello.sourceKind().equals(Hello.PROBE)) {
      connection.welcome(welcomeWithoutRun());
    } else {
      try {
        connect(connection, hello, arrived.sameMoment());
      } catch (RunConflictException e) {
        LOG.warn("Refused {}: {}", connection.peer(), e.getMessage());
        connection.refuse(new Rejected(false, e.getMessage()));
      } catch (IOException e) {
        String cause = FailureText.of(e);
        LOG.error("Cannot open the run of {}: {}", connection.peer(), cause);
        connection.refuse(
            new Rejected(true, "the collector cannot open the run in its store: " + cause));
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.error("Cannot open the run of {}", connection.peer(), e);
        connection.refuse(
            new Rejected(
                true, "the collector cannot open the run in its store: " + FailureText.of(e)));
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
      throws IOException, RunConflictException {
    RunSegmentLog run = runs.of(hello, dayRollover.today());
    sealScheduler.submit(run);
    Source source = run.source(hello, sameMoment);
    committer.markDirty(run);
    if (source.hasSequenceGaps != connection instanceof EventConnection) {
      connection.refuse(
          new Rejected(
              false, "the source " + hello.source() + " has used another transport before"));
      return;
    }
    if (source.connection != null) {
      // The source has reconnected before its broken connection was noticed.
      SourceConnection old = source.connection;
      disconnect(old);
      old.refuse(new Rejected(true, "the source has opened a new connection"));
    }
    source.connection = connection;
    source.monitored = hello.runId().isEmpty() && hello.runName().isEmpty();
    source.firstAvailable = hello.firstAvailableSequence();
    source.notStored = "";
    closingSources.forget(source);
    connections.put(connection, source);
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
    if (run.writing.isPaused()) {
      connection.pause(PauseReason.RUN_NOT_WRITABLE);
    }
  }

  private void disconnect(SourceConnection connection) {
    pausedForQueue.remove(connection);
    Source source = connections.remove(connection);
    if (source == null) {
      return;
    }
    source.connection = null;
    closingSources.forget(source);
    source.run.disconnected();
    LOG.info("{}: {} left", source.run.folder().name(), source.describeForLog());
  }

  private void handle(FrameReceived received) {
    Source source = connections.sourceOf(received.connection());
    if (source == null) {
      // Refused or replaced meanwhile.
      return;
    }
    if (received.frame().sequence() == 0) {
      // From others, it is a session frame of a later version.
      if (received.connection() instanceof EventConnection) {
        name(source, received.frame());
      }
      return;
    }
    if (!closingSources.hold(source, received.frame())) {
      accept(source, received.frame());
    }
  }

  private void name(Source source, Frame dictionary) {
    try {
      source.run.appendNames(source, dictionary);
      committer.markDirty(source.run);
    } catch (RuntimeException | OutOfMemoryError e) {
      refuse(source, dictionary, e);
    }
  }

  private void accept(Source before, Frame frame) {
    Source source = before;
    try {
      if (frame.type() == FrameType.CLOSE_RUN && frame.sequence() > source.lastAppended) {
        closingSources.begin(source, frame);
      } else {
        source = dayRollover.moveToToday(before, frame);
        source.run.append(source, frame);
        committer.markDirty(source.run);
      }
    } catch (MalformedFrameException e) {
      refuse(source, e.getMessage());
    } catch (RuntimeException | OutOfMemoryError e) {
      refuse(source, frame, e);
    }
  }

  private void refuse(Source source, Frame frame, Throwable failure) {
    LOG.error("A frame of {} cannot be stored", source.describeForLog(), failure);
    refuse(
        source,
        new Rejected(
            failure instanceof OutOfMemoryError,
            "the collector cannot store frame "
                + frame.sequence()
                + ": "
                + FailureText.of(failure)));
  }

  private void refuse(Source source, String reason) {
    refuse(source, new Rejected(false, reason));
  }

  private void refuse(Source source, Rejected refused) {
    LOG.warn(
        "{}: refused {}: {}",
        source.run.folder().name(),
        source.describeForLog(),
        refused.reason());
    SourceConnection connection = source.connection;
    disconnect(connection);
    connection.refuse(refused);
  }

  // ---- closing a run ----

  private void finishClosing() {
    for (Source source : closingSources.fullySealed()) {
      ClosingSources.Closed closed = closingSources.remove(source);
      try {
        source.run.append(source, closed.frame());
        committer.markDirty(source.run);
      } catch (MalformedFrameException e) {
        refuse(source, e.getMessage());
        continue;
      } catch (RuntimeException | OutOfMemoryError e) {
        refuse(source, closed.frame(), e);
        continue;
      }
      acceptDeferred(source, closed.held());
    }
  }

  /** Accepts held frames; the first may move the source to another run. */
  private void acceptDeferred(Source closed, Deque<Frame> held) {
    SourceConnection connection = closed.connection;
    Source source = closed;
    while (source != null && !closingSources.isClosing(source) && !held.isEmpty()) {
      accept(source, held.remove());
      source = connections.sourceOf(connection);
    }
    if (source == null) {
      return;
    }
    if (closingSources.isClosing(source)) {
      for (Frame frame : held) {
        closingSources.hold(source, frame);
      }
    } else {
      connection.resume(PauseReason.RUN_CLOSING);
    }
  }

  // ---- sealing ----

  private void handle(SealScheduler.Outcome outcome) throws InterruptedException {
    if (outcome instanceof SealScheduler.Damaged damaged) {
      handleDamage(damaged);
      return;
    }
    if (!sealScheduler.complete(outcome)) {
      incomplete |= stopping;
      return;
    }
    closingSources.sealed(outcome.segment());
    segmentsSealed.incrementAndGet();
    runs.notifySealed(outcome.run().folder(), outcome.segment());
  }

  /** Records losses durably before the segment is deleted, and makes closing sources wait. */
  private void handleDamage(SealScheduler.Damaged damaged) throws InterruptedException {
    RunSegmentLog run = damaged.run();
    if (run.noteDamage(damaged.segment(), damaged.readableFrames())) {
      committer.commit(List.of(run));
      committer.rotateAndSeal(run);
      closingSources.awaitUnsealed(run);
    }
    sealScheduler.resubmit(damaged);
  }

  // ---- periodic work ----

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
    connections.heartbeatIfDue();
    long now = System.nanoTime();
    if (stopping || now - lastTickNanos < TICK.toNanos()) {
      return;
    }
    lastTickNanos = now;
    updateStats();
    noteEnds();
    for (RunSegmentLog run : new ArrayList<>(runs.all())) {
      if (run.idleFor(options.runIdle().toNanos())
          && !run.hasUnsealedFrames()
          && run.unsealed().isEmpty()
          && run.notDurableBytes() == 0) {
        LOG.info("Run {} is closed after its idle time", run.folder().name());
        releaseQueue.forget(run);
      }
    }
    sealOldest(now);
  }

  private void noteEnds() {
    runs.all().forEach(run -> runs.noteEnd(run, options.clock().instant(), options.retryPause()));
  }

  private void updateStats() {
    Map<String, String> found = new HashMap<>();
    for (RunSegmentLog run : runs.all()) {
      if (!run.notice().isEmpty()) {
        found.put(run.folder().name(), run.notice());
      }
    }
    failures = Map.copyOf(found);
    notWritable = committer.failing().size();
    runsOpen = runs.all().size();
    connections.updateStats();
  }

  /** Seals aged segments as far as the sealer keeps up; with very many runs each waits longer. */
  private void sealOldest(long now) {
    if (sealScheduler.backlog() >= SEALER_BACKLOG) {
      return;
    }
    List<RunSegmentLog> ripe = new ArrayList<>();
    for (RunSegmentLog run : runs.all()) {
      // If a run cannot be sealed, more segments only wait. So few are made, though each within the
      // hours that rollups can hold.
      boolean worthIt =
          !sealScheduler.isBlocked(run) || now - run.oldestInOpenNanos() >= MAX_SEGMENT_AGE_NANOS;
      if (run.hasUnsealedFrames() && !committer.isFailing(run) && worthIt && isRipe(run, now)) {
        ripe.add(run);
      }
    }
    ripe.sort(Comparator.comparingLong(run -> run.oldestInOpenNanos() - now));
    for (RunSegmentLog run : ripe) {
      if (sealScheduler.backlog() >= SEALER_BACKLOG) {
        return;
      }
      committer.rotateAndSeal(run);
    }
  }

  private boolean isRipe(RunSegmentLog run, long now) {
    return now - run.oldestInOpenNanos() >= options.sealAge().toNanos()
        || run.idleFor(options.runIdle().toNanos())
        || run.allFinished();
  }

  private void beginStop() throws InterruptedException {
    stopping = true;
    committer.stop();
    for (SourceConnection connection : connections.all()) {
      disconnect(connection);
      connection.refuse(new Rejected(true, "the collector is stopping"));
    }
    sealScheduler.stopRetrying();
    committer.commit(new ArrayList<>(runs.all()));
    for (int i = 1; i < ATTEMPTS_WHILE_STOPPING && !committer.failing().isEmpty(); i++) {
      Thread.sleep(options.retryPause().toMillis());
      committer.commit(committer.failing());
    }
    noteEnds();
    for (RunSegmentLog run : runs.all()) {
      if (committer.isFailing(run) || !committer.rotateAndSeal(run)) {
        incomplete = true;
        LOG.error(
            "{}: not stored before the shutdown; sources resend unacknowledged frames",
            run.folder().name());
      }
    }
  }
}
