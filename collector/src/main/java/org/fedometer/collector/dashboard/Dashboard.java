package org.fedometer.collector.dashboard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.fedometer.collector.live.FrameQueue;
import org.fedometer.collector.segmentlog.DurableFrames;
import org.fedometer.collector.threads.DaemonThreads;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows runs to viewers: open runs within two seconds of durability, all others from the store.
 *
 * <p>The segment log's thread only queues frames. One thread counts them and writes for viewers,
 * another reads the store. Without viewers nothing is written.
 */
public final class Dashboard implements DurableFrames, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Dashboard.class);

  private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
  private static final long MIN_PAUSE_NANOS = POLL_INTERVAL.toNanos();
  private static final Duration ENDED_CACHE_TTL = Duration.ofMinutes(5);
  private static final Duration OPEN_CACHE_TTL = Duration.ofSeconds(10);
  private static final String INCOMPLETE =
      "too much data came at once: sums and timelines are incomplete until the run is closed";
  private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

  private final Limits limits;
  private final Catalogue catalogue;
  private final HistoryReader history;
  private final Thread thread = DaemonThreads.daemon("fedometer-dashboard", this::run);
  private final AtomicInteger subscriptions = new AtomicInteger();
  private volatile Predicate<String> isOpen = name -> false;
  private volatile Supplier<Map<String, Set<UUID>>> connected = Map::of;
  private volatile boolean recovering = true;

  /** Open runs; empty values are not followed. On the segment log's thread. */
  private final Map<Path, Optional<Followed>> open = new HashMap<>();

  /**
   * Open runs that lost frames to a full queue; each is logged once. On the segment log's thread.
   */
  private final Set<Path> incompleteRuns = new HashSet<>();

  private final FrameQueue queue;

  // On the dashboard's thread:
  private final Map<Path, Followed> runs = new HashMap<>();

  // Guarded by the catalogue:
  private byte[] listed;
  private long listedNanos;

  /**
   * @param frameBytes queued frames that are not counted yet
   * @param runs runs followed in memory, of up to some megabytes each; others are read from the
   *     store
   * @param viewers number of viewers in total
   */
  public record Limits(long frameBytes, int runs, int viewers, Clock clock) {
    public static Limits defaults() {
      return new Limits(
          Math.min(Runtime.getRuntime().maxMemory() / 16, 16L << 20), 32, 32, Clock.systemUTC());
    }
  }

  public enum Admission {
    ADMITTED,
    NO_SUCH_RUN,
    TOO_MANY
  }

  private static final class Followed {
    private final RunFolder folder;

    /** Null if it could not be read. */
    private final SealedBefore sealedBefore;

    private final RunBoard board;
    private final Viewers viewers;
    private byte[] snapshot;
    private long snapshotNanos;

    Followed(RunFolder folder, SealedBefore sealedBefore, RunBoard board) {
      this.folder = folder;
      this.sealedBefore = sealedBefore;
      this.board = board;
      this.viewers = new Viewers(board);
    }
  }

  /** A viewer's subscription; closing it ends it. */
  public final class Subscription implements AutoCloseable {
    private final Viewer viewer;
    private final AtomicBoolean gone = new AtomicBoolean();
    private long sentNanos = System.nanoTime();

    private Subscription(Viewer viewer) {
      this.viewer = viewer;
    }

    // On the dashboard's thread:

    void send(byte[] event) {
      sentNanos = System.nanoTime();
      if (!gone.get() && !viewer.send(event)) {
        close();
      }
    }

    long sentNanos() {
      return sentNanos;
    }

    boolean isGone() {
      return gone.get();
    }

    void end() {
      if (!gone.get()) {
        viewer.end();
        close();
      }
    }

    /** Ends the subscription; any thread. */
    @Override
    public void close() {
      if (gone.compareAndSet(false, true)) {
        subscriptions.decrementAndGet();
      }
    }
  }

  /**
   * Creates a dashboard; the caller holds the store's lock. Recovered frames follow, then {@link
   * #begin}.
   */
  public Dashboard(Path store, Limits limits) throws IOException {
    this.limits = limits;
    this.queue = new FrameQueue(limits.frameBytes());
    this.catalogue = new Catalogue(store);
    this.history = new HistoryReader(store, limits.clock());
    thread.start();
  }

  /**
   * Ends recovery. Both arguments refer to runs by name: whether a run is open, and its connected
   * sources.
   */
  public void begin(Predicate<String> openNow, Supplier<Map<String, Set<UUID>>> connectedNow) {
    isOpen = openNow;
    connected = connectedNow;
    recovering = false;
  }

  // ---- the segment log's thread ----

  @Override
  public void durable(RunFolder run, SegmentSource source, String segment, Frame frame) {
    Optional<Followed> followed = open.computeIfAbsent(run.path(), path -> follow(run));
    if (followed.isEmpty() || !isShown(frame.type())) {
      return;
    }
    // Waiting is harmless: during recovery no source is accepted.
    if (queue.awaitCapacity(frame, () -> recovering)) {
      queue.put(logFailures("Durable", () -> add(followed.get(), source, segment, frame)), frame);
    } else if (incompleteRuns.add(run.path())) {
      later("Missed", () -> followed.get().board.incomplete = INCOMPLETE);
    }
  }

  private Optional<Followed> follow(RunFolder folder) {
    if (open.values().stream().filter(Optional::isPresent).count() >= limits.runs()) {
      return Optional.empty();
    }
    Followed run = new Followed(folder, sealedBefore(folder), new RunBoard(limits.clock()));
    later("Opened", () -> begin(run));
    return Optional.of(run);
  }

  private static boolean isShown(FrameType type) {
    return type != null
        && switch (type) {
          case STAGES, METRICS, SAMPLES, TOTALS, REQUESTS, MARKER, CLOCK, GC, TELEMETRY, LOGS ->
              true;
          default -> false;
        };
  }

  /** Lists some folders, once for each opened run. */
  private static SealedBefore sealedBefore(RunFolder run) {
    try {
      return SealedBefore.of(run);
    } catch (IOException e) {
      LOG.warn("{}: {}", run.name(), FailureText.of(e));
      return null;
    }
  }

  @Override
  public void closed(RunFolder run) {
    incompleteRuns.remove(run.path());
    Optional<Followed> followed = open.remove(run.path());
    if (followed != null && followed.isPresent()) {
      later("Closed", () -> end(followed.get()));
    }
  }

  // ---- requests ----

  /** Returns the list of all runs as JSON; reads the store. */
  public byte[] runs() throws IOException {
    synchronized (catalogue) {
      if (listed != null && System.nanoTime() - listedNanos < MIN_PAUSE_NANOS) {
        return listed;
      }
      List<RunEntry> all = catalogue.runs();
      Map<String, Set<UUID>> sources = connected.get();
      ObjectNode json = RunJson.object();
      json.put("schema", BoardJson.SCHEMA);
      json.put("atEpochMillis", limits.clock().millis());
      json.put("more", Math.max(0, all.size() - Catalogue.MAX_RUNS));
      ArrayNode list = json.putArray("runs");
      for (RunEntry run : all.subList(0, Math.min(all.size(), Catalogue.MAX_RUNS))) {
        list.add(summary(run, sources));
      }
      listed = RunJson.bytes(json);
      listedNanos = System.nanoTime();
      return listed;
    }
  }

  private ObjectNode summary(RunEntry run, Map<String, Set<UUID>> sources) {
    String name = run.run().name();
    return RunJson.summary(run, isOpen.test(name), sources.getOrDefault(name, Set.of()).size());
  }

  /** Returns all metadata of a run as JSON; reads the store. Null if there is no such run. */
  public byte[] run(String name) throws IOException {
    RunEntry run = catalogue.named(name);
    return run == null
        ? null
        : RunJson.bytes(
            RunJson.details(
                run, isOpen.test(name), connected.get().getOrDefault(name, Set.of()).size()));
  }

  /**
   * Returns the timeline of a run so far, as JSON.
   *
   * @return null if there is no such run; fails with a {@link
   *     java.util.concurrent.RejectedExecutionException} if too many requests wait
   */
  public CompletableFuture<byte[]> history(String name) throws IOException {
    RunEntry run = catalogue.named(name);
    if (run == null) {
      return null;
    }
    CompletableFuture<byte[]> result = new CompletableFuture<>();
    later("Asked", () -> completeHistory(run, result));
    return result;
  }

  public record Admitted(Admission admission, Subscription subscription) {}

  /** Subscribes a viewer to a run until the subscription is closed or the viewer leaves. */
  public Admitted subscribe(String name, Viewer viewer) throws IOException {
    RunEntry run = catalogue.named(name);
    if (run == null) {
      return new Admitted(Admission.NO_SUCH_RUN, null);
    }
    if (subscriptions.incrementAndGet() > limits.viewers()) {
      subscriptions.decrementAndGet();
      return new Admitted(Admission.TOO_MANY, null);
    }
    Subscription subscription = new Subscription(viewer);
    later("Came", () -> join(run, subscription));
    return new Admitted(Admission.ADMITTED, subscription);
  }

  public boolean knows(String name) throws IOException {
    return catalogue.named(name) != null;
  }

  // ---- the dashboard's thread ----

  private void run() {
    try {
      queue.work(() -> !queue.isEnding(), POLL_INTERVAL, this::update);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void later(String task, Runnable work) {
    queue.put(logFailures(task, work));
  }

  /** Logs failures, so that one unexpected frame does not end the thread. */
  private static Runnable logFailures(String task, Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        LOG.error("The dashboard cannot process {}", task, e);
      }
    };
  }

  private static void add(Followed run, SegmentSource source, String segment, Frame frame) {
    boolean counts = run.sealedBefore == null || !run.sealedBefore.has(frame.type(), segment);
    run.board.add(source, frame, counts);
  }

  private void end(Followed run) {
    runs.remove(run.folder.path());
    run.viewers.end(() -> contextOf(run));
  }

  private void begin(Followed run) {
    runs.put(run.folder.path(), run);
    if (run.sealedBefore == null) {
      run.board.incomplete = "earlier sealed data could not be listed";
    } else if (!run.sealedBefore.isEmpty()) {
      run.board.loading = true;
      history
          .read(entryOf(run.folder), limits -> run.folder.query(limits, run.sealedBefore.files()))
          .whenComplete(
              (earlier, failure) -> later("Loaded", () -> addEarlier(run, earlier, failure)));
    }
  }

  private RunEntry entryOf(RunFolder run) {
    try {
      RunEntry entry = catalogue.named(run.name());
      if (entry != null) {
        return entry;
      }
    } catch (IOException e) {
      LOG.debug("{}", run.name(), e);
    }
    return new RunEntry(run, new RunEntry.Stamp(null, 0, null), 0, null);
  }

  private void addEarlier(Followed run, RunBoard earlier, Throwable failure) {
    RunBoard board = run.board;
    board.loading = false;
    if (failure == null) {
      board.addEarlier(earlier);
    } else {
      LOG.warn(
          "{}: the dashboard cannot show earlier sealed data: {}",
          run.folder.name(),
          FailureText.of(failure));
      board.incomplete = "earlier sealed data could not be read";
      board.timeline.newGeneration();
    }
  }

  private void join(RunEntry entry, Subscription viewer) {
    Followed run = runs.get(entry.run().path());
    if (run != null) {
      run.viewers.join(viewer);
      return;
    }
    readFromStore(entry)
        .whenComplete((json, failure) -> later("Read", () -> show(viewer, json, failure)));
  }

  private static void show(Subscription viewer, byte[] json, Throwable failure) {
    if (failure == null) {
      viewer.send(Viewers.event("snapshot", json));
      viewer.send(Viewers.END);
    } else {
      LOG.warn("The timeline of a run cannot be read: {}", FailureText.of(failure));
    }
    viewer.end();
  }

  private void completeHistory(RunEntry entry, CompletableFuture<byte[]> result) {
    try {
      Followed run = runs.get(entry.run().path());
      if (run == null) {
        readFromStore(entry)
            .whenComplete(
                (json, failure) -> {
                  if (failure == null) {
                    result.complete(json);
                  } else {
                    result.completeExceptionally(failure);
                  }
                });
        return;
      }
      if (run.snapshot == null || System.nanoTime() - run.snapshotNanos >= MIN_PAUSE_NANOS * 4) {
        run.snapshot = snapshotOf(run);
        run.snapshotNanos = System.nanoTime();
      }
      result.complete(run.snapshot);
    } catch (RuntimeException | Error e) {
      // The caller would wait forever otherwise.
      result.completeExceptionally(e);
      throw e;
    }
  }

  /** Returns a snapshot. Viewers' changes continue from their own state. */
  private byte[] snapshotOf(Followed run) {
    boolean hasViewers = run.viewers.hasViewers();
    if (hasViewers) {
      run.viewers.update(contextOf(run));
    }
    return BoardJson.snapshot(run.board, contextOf(run), !hasViewers);
  }

  private CompletableFuture<byte[]> readFromStore(RunEntry run) {
    boolean isOpenNow = isOpen.test(run.run().name());
    return history.json(
        run,
        isOpenNow,
        isOpenNow ? OPEN_CACHE_TTL : ENDED_CACHE_TTL,
        board -> BoardJson.snapshot(board, contextOf(run), true));
  }

  private BoardJson.RunContext contextOf(Followed run) {
    return contextOf(entryOf(run.folder));
  }

  private BoardJson.RunContext contextOf(RunEntry run) {
    Map<String, Set<UUID>> sources = connected.get();
    try {
      return new BoardJson.RunContext(
          RunJson.bytes(summary(run, sources)),
          run.requested(),
          isOpen.test(run.run().name()),
          sources.getOrDefault(run.run().name(), Set.of()));
    } catch (IOException e) {
      throw new IllegalStateException("Nothing fails that is written to memory", e);
    }
  }

  private void update() {
    for (Followed run : runs.values()) {
      try {
        run.viewers.updateIfDue(() -> contextOf(run));
      } catch (RuntimeException | Error e) {
        LOG.error("{}: the dashboard cannot update its viewers", run.folder.name(), e);
      }
    }
    try {
      history.cancelTimedOut();
    } catch (RuntimeException | Error e) {
      // Cancelling a statement that is just ending may fail.
      LOG.error("A query that exceeds its time limit cannot be cancelled", e);
    }
  }

  @Override
  public void close() {
    queue.end();
    try {
      if (thread.isAlive()) {
        thread.join(CLOSE_TIMEOUT_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    history.close();
  }
}
