package org.fedometer.collector.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.collector.journal.SourceConnection.PauseReason;
import org.fedometer.store.Durable;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.seal.SealResult;
import org.fedometer.store.seal.Sealer;
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
 * gathered, appends it to the runs' segments, puts those on disk with one sync each, and then
 * acknowledges. A second thread seals. When the disk fails, nothing is acknowledged, sources get
 * the reason with every sign of life, and writing is tried again until it works.
 */
public final class Journal {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration LONGEST_SEAL_PAUSE = Duration.ofSeconds(60);
  private static final Duration SEALING_END = Duration.ofSeconds(60);
  private static final int ATTEMPTS_WHILE_STOPPING = 3;

  private final RunStore store;
  private final String hostName;
  private final JournalOptions options;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final Set<SourceConnection> pausedForQueue = ConcurrentHashMap.newKeySet();
  private final Thread writer = new Thread(this::runWriter, "fedometer-journal");
  private final ScheduledExecutorService sealing =
      Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "fedometer-sealer"));
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean stopRequested;

  // Of the writer's thread only:
  private final Runs runs;
  private final Map<SourceConnection, Source> connected = new HashMap<>();
  private final Set<Source> closing = new LinkedHashSet<>();
  private final List<Release> releasing = new ArrayList<>();
  private final Set<Path> withSealer = new HashSet<>();
  private final Map<Path, Integer> sealFailures = new HashMap<>();
  private long lastHeartbeatNanos = System.nanoTime();
  private String notice = "";
  private boolean stopping;
  private boolean abandoned;

  private sealed interface Event {}

  private record Arrived(SourceConnection connection, Hello hello) implements Event {}

  private record Received(SourceConnection connection, Frame frame) implements Event {}

  private record Left(SourceConnection connection) implements Event {}

  private record Sealed(RunJournal run, Path segment, SealResult result) implements Event {}

  private record NotSealed(
      RunJournal run, Path segment, Set<Path> unsyncedDocuments, Throwable failure)
      implements Event {}

  private record Release(String runName, Runnable then, CompletableFuture<Boolean> released)
      implements Event {}

  private record Stop() implements Event {}

  private Journal(RunStore store, String hostName, JournalOptions options) {
    this.store = store;
    this.hostName = hostName;
    this.options = options;
    this.runs = new Runs(store);
  }

  /**
   * Recovers what an earlier collector left, and starts the threads. The caller holds the store's
   * lock.
   */
  public static Journal start(RunStore store, String hostName, JournalOptions options)
      throws IOException {
    Journal journal = new Journal(store, hostName, options);
    journal.runs.recover();
    journal.writer.start();
    return journal;
  }

  // ---- network threads ----

  /** A source has introduced itself; the answer goes to the connection. */
  public void arrived(SourceConnection connection, Hello hello) {
    events.add(new Arrived(connection, hello));
  }

  /** A frame of a connection that has introduced itself. */
  public void received(SourceConnection connection, Frame frame) {
    long queued = queuedBytes.addAndGet(frame.sizeBytes());
    events.add(new Received(connection, frame));
    if (queued > options.queueBytes() && pausedForQueue.add(connection)) {
      connection.pause(PauseReason.QUEUE_FULL);
    }
  }

  /** A connection that had introduced itself is gone. */
  public void left(SourceConnection connection) {
    events.add(new Left(connection));
  }

  /**
   * Whether the run of that name is open here: something of it is still to be written or sealed.
   */
  public boolean isOpen(String runName) {
    return runs.isOpen(runName);
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
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    events.add(new Release(runName, then, released));
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
   * Stores what has been handed in, seals what is open, and ends. Waits.
   *
   * @return false when not all could be sealed in time; the next collector will do it
   */
  public boolean stop(Duration timeout) throws InterruptedException {
    stopRequested = true;
    events.add(new Stop());
    return stopped.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Waits until the journal has ended: stopped, or failed in a way that it cannot go on from. */
  public void awaitEnd() throws InterruptedException {
    stopped.await();
  }

  // ---- the writer's thread ----

  private void runWriter() {
    List<Event> batch = new ArrayList<>();
    try {
      runs.all().forEach(this::sealWaiting);
      while (!abandoned && !(stopping && nothingToSeal())) {
        batch.clear();
        takeInto(batch);
        long bytes = 0;
        for (Event event : batch) {
          bytes += handle(event);
        }
        rotateForClosing();
        commit();
        queuedBytes.addAndGet(-bytes);
        resumeReading();
        tick();
        releaseIdle();
      }
    } catch (InterruptedException e) {
      LOG.error("The journal was interrupted; what is not acknowledged will be sent again");
    } catch (RuntimeException | Error e) {
      LOG.error("The journal has failed; what is not acknowledged will be sent again", e);
    } finally {
      endSealing();
      new ArrayList<>(runs.all()).forEach(runs::forget);
      stopped.countDown();
    }
  }

  /** The store's lock must not be given back while a segment is being sealed. */
  private void endSealing() {
    sealing.shutdownNow();
    try {
      if (!sealing.awaitTermination(SEALING_END.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.error("A segment is still being sealed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void takeInto(List<Event> batch) throws InterruptedException {
    Event first = events.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
    if (first != null) {
      batch.add(first);
      events.drainTo(batch);
    }
  }

  /** Returns how many bytes of the queue the event held. */
  private long handle(Event event) {
    if (event instanceof Received received) {
      handle(received);
      return received.frame().sizeBytes();
    }
    if (event instanceof Arrived arrived) {
      handle(arrived);
    } else if (event instanceof Left left) {
      handleLeft(left.connection());
    } else if (event instanceof Sealed sealed) {
      handle(sealed);
    } else if (event instanceof NotSealed notSealed) {
      handle(notSealed);
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
    String fault = faultOf(hello);
    if (fault != null) {
      LOG.warn("Refused {}: {}", connection.peer(), fault);
      connection.refuse(new Refused(false, fault));
    } else if (stopping) {
      connection.refuse(new Refused(true, "the collector is stopping"));
    } else if (hello.sourceKind().equals(Hello.PROBE)) {
      connection.welcome(welcome(0, "", ""));
    } else {
      try {
        connect(connection, hello);
      } catch (RunTakenException e) {
        LOG.warn("Refused {}: {}", connection.peer(), e.getMessage());
        connection.refuse(new Refused(false, e.getMessage()));
      } catch (IOException | RuntimeException e) {
        LOG.error("Cannot open the run of {}", connection.peer(), e);
        connection.refuse(new Refused(true, "the store cannot be written: " + e));
      }
    }
  }

  private String faultOf(Hello hello) {
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

  private Welcome welcome(long lastDurable, String runFolder, String runId) {
    return new Welcome(
        Hello.PROTOCOL_VERSION,
        lastDurable,
        store.directory().toString(),
        hostName,
        runFolder,
        runId);
  }

  private void connect(SourceConnection connection, Hello hello)
      throws IOException, RunTakenException {
    RunJournal run = runs.of(hello);
    sealWaiting(run);
    Source source = run.source(hello);
    if (source.connection != null) {
      // The source has come back before its broken connection was noticed.
      SourceConnection old = source.connection;
      handleLeft(old);
      old.refuse(new Refused(true, "the source has connected anew"));
    }
    source.connection = connection;
    source.firstAvailable = hello.firstAvailableSequence();
    source.held.clear();
    source.closing = null;
    source.closingAwaits = null;
    closing.remove(source);
    connected.put(connection, source);
    run.connected();
    LOG.info(
        "{}: {} connected from {}, frames known: {}",
        run.folder().name(),
        source.describeForLog(),
        connection.peer(),
        source.lastDurable);
    connection.welcome(welcome(source.lastDurable, run.folder().name(), run.runId()));
  }

  private void handleLeft(SourceConnection connection) {
    pausedForQueue.remove(connection);
    Source source = connected.remove(connection);
    if (source == null) {
      return;
    }
    source.connection = null;
    closing.remove(source);
    source.closing = null;
    source.held.clear();
    source.run.disconnected();
    LOG.info("{}: {} left", source.run.folder().name(), source.describeForLog());
  }

  private void handle(Received received) {
    Source source = connected.get(received.connection());
    if (source == null || received.frame().sequence() == 0) {
      // Refused or replaced meanwhile; or something of the session that a later version sends.
      return;
    }
    if (source.closing != null) {
      source.held.add(received.frame());
      return;
    }
    accept(source, received.frame());
  }

  private void accept(Source source, Frame frame) {
    try {
      if (frame.type() == FrameType.CLOSE_RUN && frame.sequence() > source.lastAppended) {
        beginClosing(source, frame);
      } else {
        source.run.append(source, frame);
      }
    } catch (MalformedFrameException e) {
      refuse(source, e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("A frame of {} could not be taken", source.describeForLog(), e);
      refuse(source, "the collector could not take frame " + frame.sequence() + ": " + e);
    }
  }

  private void refuse(Source source, String reason) {
    LOG.warn("{}: refused {}: {}", source.run.folder().name(), source.describeForLog(), reason);
    SourceConnection connection = source.connection;
    handleLeft(connection);
    connection.refuse(new Refused(false, reason));
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
      if (source.closingAwaits == null) {
        commit();
        if (abandoned || !rotateAndSeal(source.run)) {
          continue;
        }
        source.closingAwaits = new LinkedHashSet<>();
        source.run.unsealed().forEach(file -> source.closingAwaits.add(file.toString()));
      }
    }
    finishClosing();
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
      } catch (MalformedFrameException e) {
        refuse(source, e.getMessage());
        continue;
      }
      while (source.connection != null && source.closing == null && !source.held.isEmpty()) {
        accept(source, source.held.remove());
      }
      if (source.connection != null && source.closing == null) {
        source.connection.resume(PauseReason.RUN_CLOSING);
      }
    }
  }

  // ---- sealing ----

  /** False when the disk did not let it; to be tried again. */
  private boolean rotateAndSeal(RunJournal run) {
    if (!run.hasUnsealedFrames()) {
      return true;
    }
    try {
      run.rotate();
    } catch (IOException e) {
      LOG.error("{}: cannot begin a new segment: {}", run.folder().name(), e.toString());
      return false;
    }
    sealWaiting(run);
    return true;
  }

  /**
   * Hands over every segment that the sealer does not have: one that was just rotated, or those
   * that an earlier collector left in a run which could not be opened until now.
   */
  private void sealWaiting(RunJournal run) {
    for (Path segment : run.unsealed()) {
      if (withSealer.add(segment)) {
        seal(run, segment);
      }
    }
  }

  private void seal(RunJournal run, Path segment) {
    int failures = sealFailures.getOrDefault(segment, 0);
    long pauseMillis =
        failures == 0
            ? 0
            : Math.min(
                LONGEST_SEAL_PAUSE.toMillis(),
                options.retryPause().toMillis() << Math.min(failures, 10));
    Set<Path> documents = run.takeUnsyncedDocuments();
    RunFolder folder = run.folder();
    sealing.schedule(
        () -> sealNow(run, folder, segment, documents), pauseMillis, TimeUnit.MILLISECONDS);
  }

  /** On the sealer's thread. */
  private void sealNow(RunJournal run, RunFolder folder, Path segment, Set<Path> documents) {
    if (!Files.exists(segment)) {
      LOG.error("{} is gone: somebody has deleted it, and what it held is lost", segment);
      events.add(new Sealed(run, segment, new SealResult(segment, 0, 0, 0, 0, 0)));
      return;
    }
    try {
      Set<Path> directories = new LinkedHashSet<>();
      for (Path document : documents) {
        if (Files.exists(document)) {
          Durable.syncFile(document);
          for (Path up = document.getParent(); up.startsWith(folder.path()); up = up.getParent()) {
            directories.add(up);
          }
        }
      }
      for (Path directory : directories) {
        Durable.syncDirectory(directory);
      }
      SealResult result = new Sealer(options.sealMemoryLimit()).seal(folder, segment);
      events.add(new Sealed(run, segment, result));
    } catch (IOException | RuntimeException | Error e) {
      // An error too: DuckDB's library that cannot be loaded is one.
      events.add(new NotSealed(run, segment, documents, e));
    }
  }

  private void handle(NotSealed event) {
    Path segment = event.segment();
    sealFailures.merge(segment, 1, Integer::sum);
    LOG.error("{} could not be sealed, it stays as it is for now", segment, event.failure());
    event.run().keepUnsynced(event.unsyncedDocuments());
    event.run().noteSealTrouble("the run cannot be sealed: " + event.failure());
    if (stopping) {
      abandoned = true;
    } else {
      seal(event.run(), segment);
    }
  }

  private void handle(Sealed sealed) {
    RunJournal run = sealed.run();
    Path segment = sealed.segment();
    withSealer.remove(segment);
    sealFailures.remove(segment);
    run.unsealed().remove(segment);
    run.noteSealTrouble("");
    for (Source source : closing) {
      if (source.closingAwaits != null) {
        source.closingAwaits.remove(segment.toString());
      }
    }
    SealResult result = sealed.result();
    LOG.info(
        "{}: sealed {} ({} samples, {} requests, {} traces)",
        run.folder().name(),
        segment.getFileName(),
        result.samples(),
        result.requests(),
        result.traces());
    if (result.unreadableFrames() > 0) {
      LOG.warn("{}: {} frames could not be read", run.folder().name(), result.unreadableFrames());
    }
  }

  // ---- commit ----

  private void commit() throws InterruptedException {
    for (RunJournal run : runs.all()) {
      commit(run);
      if (abandoned) {
        return;
      }
      for (Source source : run.takeTouched()) {
        acknowledge(source);
      }
    }
  }

  private void commit(RunJournal run) throws InterruptedException {
    int attemptsWhileStopping = 0;
    while (true) {
      try {
        run.commit();
        if (!notice.isEmpty()) {
          LOG.info("Writing works again");
          notice = "";
        }
        return;
      } catch (IOException e) {
        String reason = "the collector cannot write to " + run.folder().path() + ": " + e;
        if (!reason.equals(notice)) {
          LOG.error("{}; nothing is acknowledged until it works again", reason);
        }
        notice = reason;
      }
      heartbeatIfDue();
      if (stopRequested && ++attemptsWhileStopping >= ATTEMPTS_WHILE_STOPPING) {
        LOG.error("Giving up: what is not acknowledged will be sent again");
        abandoned = true;
        return;
      }
      Thread.sleep(options.retryPause().toMillis());
    }
  }

  private void acknowledge(Source source) {
    if (source.connection != null) {
      String trouble = notice.isEmpty() ? source.run.sealTrouble() : notice;
      source.connection.acknowledge(new Acknowledgement(source.lastDurable, trouble));
    }
  }

  // ---- letting go of runs ----

  private void releaseIdle() {
    releasing.removeIf(release -> answered(release));
  }

  /** False while the run is being sealed. */
  private boolean answered(Release release) {
    RunJournal run = runs.openOrNull(release.runName());
    if (run != null) {
      if (stopping || !run.idleFor(0) || !run.sealTrouble().isEmpty()) {
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
      runs.forget(run);
    }
    try {
      release.then().run();
      release.released().complete(true);
    } catch (RuntimeException e) {
      release.released().completeExceptionally(e);
    }
    return true;
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

  private void tick() {
    heartbeatIfDue();
    for (RunJournal run : new ArrayList<>(runs.all())) {
      if (run.openSegmentBytes() >= options.segmentBytes()) {
        rotateAndSeal(run);
      } else if (isOver(run)) {
        if (run.hasUnsealedFrames()) {
          rotateAndSeal(run);
        } else if (run.unsealed().isEmpty()) {
          LOG.info("Run {} is put away", run.folder().name());
          runs.forget(run);
        }
      }
    }
  }

  private boolean isOver(RunJournal run) {
    return run.idleFor(options.runIdle().toNanos())
        || run.idleFor(0) && run.hasUnsealedFrames() && run.allFinished();
  }

  private void heartbeatIfDue() {
    long now = System.nanoTime();
    if (now - lastHeartbeatNanos >= options.heartbeat().toNanos()) {
      lastHeartbeatNanos = now;
      connected.values().forEach(this::acknowledge);
    }
  }

  private void beginStop() {
    stopping = true;
    for (SourceConnection connection : new ArrayList<>(connected.keySet())) {
      handleLeft(connection);
      connection.refuse(new Refused(true, "the collector is stopping"));
    }
    try {
      commit();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      abandoned = true;
    }
    for (RunJournal run : runs.all()) {
      if (!abandoned && !rotateAndSeal(run)) {
        abandoned = true;
      }
    }
  }

  private boolean nothingToSeal() {
    return runs.all().stream().allMatch(run -> run.unsealed().isEmpty());
  }
}
