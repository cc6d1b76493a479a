package org.fedometer.collector.influx;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.live.FrameQueue;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.collector.segmentlog.DurableFrames;
import org.fedometer.collector.threads.DaemonThreads;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.QueryLimits;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Counted;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.disk.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what becomes durable to an InfluxDB within seconds. The journal's thread only puts frames
 * aside; one thread makes points of them, another sends those. Where either falls too far behind,
 * points are missing until the run is exported, and the log says so.
 */
public final class LiveInflux implements DurableFrames, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveInflux.class);
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final long LATE_MEMORY_BYTES = 256L << 20;
  private static final long LATE_SPILL_BYTES = 1L << 30;

  private final InfluxWriter writer;
  private final MissingPoints missingPoints;
  private final InfluxSender sender;
  private final Limits limits;
  private final Thread thread = DaemonThreads.daemon("fedometer-influx-points", this::run);

  /** Asks the store for what came late: that takes longer than the next frames may wait. */
  private final ExecutorService lateThread =
      Executors.newSingleThreadExecutor(DaemonThreads.daemons("fedometer-influx-late"));

  /** Runs that it has yet to ask for, or asks for now, once for each time. */
  private final Queue<String> lateRuns = new ConcurrentLinkedQueue<>();

  /** That which is asked now, or null; whoever ends it does so from another thread. */
  private volatile Query lateQuery;

  private final Path spill;
  private final QueryLimits lateLimits;

  /** Of the journal's thread. */
  private final Set<Path> open = new HashSet<>();

  private final FrameQueue queue;

  // Of the thread that makes points:
  private final Map<Path, LiveRunPoints> runs = new HashMap<>();
  private final FailureTracker pointFailures = new FailureTracker();
  private PointBatch batch = new PointBatch();

  /**
   * @param frameBytes frames of which no points are made yet
   * @param pointBytes points that are not sent yet
   * @param grace how long after its end ten seconds are sent, and again if more came
   * @param lateDelay after so long without more the store is asked for ten seconds that came late
   * @param closeTimeout how long the end may take
   */
  record Limits(
      long frameBytes,
      long pointBytes,
      Duration grace,
      Duration lateDelay,
      Duration closeTimeout,
      Clock clock) {
    static Limits defaults() {
      long maxBytes = Math.min(Runtime.getRuntime().maxMemory() / 16, 16L << 20);
      return new Limits(
          maxBytes,
          maxBytes,
          Duration.ofSeconds(3),
          Duration.ofSeconds(15),
          Duration.ofSeconds(5),
          Clock.systemUTC());
    }
  }

  private final class MissedFrame implements Runnable {
    private final RunFolder run;
    private final boolean names;

    MissedFrame(RunFolder run, boolean names) {
      this.run = run;
      this.names = names;
    }

    @Override
    public void run() {
      runReportingFailure(run.name(), () -> runs.get(run.path()).missed(names));
    }
  }

  /**
   * The caller holds the store's lock. What does not fit into memory goes to a folder in the store.
   */
  public LiveInflux(InfluxTarget target, Path store) throws IOException {
    this(target, store, Limits.defaults());
  }

  LiveInflux(InfluxTarget target, Path store, Limits limits) throws IOException {
    this.limits = limits;
    this.spill = spillOf(store);
    this.lateLimits = new QueryLimits(LATE_MEMORY_BYTES, 1, spill, LATE_SPILL_BYTES);
    PrivateFiles.createFolder(spill);
    this.queue = new FrameQueue(limits.frameBytes());
    this.writer = InfluxWriter.to(target);
    this.missingPoints =
        new MissingPoints(
            InfluxTarget.option("--store", store.toString()) + " " + target.options());
    this.sender =
        new InfluxSender(target, writer, limits.pointBytes(), limits.closeTimeout(), missingPoints);
    thread.start();
    LOG.info("Points go to {}", target);
    // Whoever has started this is still there to read why none are taken.
    sender.offer(new PointBatch());
  }

  /** The folder for what does not fit into memory; of a collector that was killed it is left. */
  public static Path spillOf(Path store) {
    return store.resolve("influx.tmp");
  }

  /** How sending goes; any thread. */
  public InfluxSender.Status status() {
    return sender.status();
  }

  // ---- the journal's thread ----

  @Override
  public void durable(RunFolder run, SegmentSource source, String segment, Frame frame) {
    if (open.add(run.path())) {
      boolean sealedBefore = isSealedInPart(run);
      queue.put(() -> runReportingFailure(run.name(), () -> open(run, sealedBefore)));
    }
    FrameType type = frame.type();
    boolean names = type == FrameType.STAGES || type == FrameType.METRICS;
    boolean values =
        type == FrameType.SAMPLES
            || type == FrameType.GC
            || type == FrameType.TELEMETRY
            || type == FrameType.REQUESTS;
    if (!names && !values) {
      return;
    }
    if (queue.hasCapacity(frame)) {
      queue.put(() -> runReportingFailure(run.name(), () -> addFrame(run, source, frame)), frame);
    } else {
      reportMissed(new MissedFrame(run, names));
    }
  }

  /** Once for any number in a row. */
  private void reportMissed(MissedFrame missed) {
    boolean isKnown =
        queue.newestOrNull() instanceof MissedFrame last
            && last.run.path().equals(missed.run.path())
            && (last.names || !missed.names);
    if (!isKnown) {
      queue.put(missed);
    }
  }

  /** One look into a folder for each run that is opened. */
  private static boolean isSealedInPart(RunFolder run) {
    Path folder = run.tableDirectory(Table.ROLLUPS);
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      return files.iterator().hasNext();
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void closed(RunFolder run) {
    if (open.remove(run.path())) {
      queue.put(() -> runReportingFailure(run.name(), () -> end(runs.remove(run.path()))));
    }
  }

  // ---- the thread that makes points ----

  private void run() {
    try {
      queue.work(() -> !queue.isDrained(), TICK, this::tick);
      runs.values().forEach(run -> runReportingFailure(run.name(), () -> end(run)));
      flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One frame that nobody foresaw must not be the last; what it lacks is told. */
  private void runReportingFailure(String run, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      if (pointFailures.recordFailure(FailureText.of(e), System.nanoTime())) {
        LOG.error("{}: points could not be made", run, e);
      }
      missingPoints.report(run, "points could not be made of all that came");
    }
  }

  /** {@code sealedBefore}: some of the run had been sealed when it was opened. */
  private void open(RunFolder run, boolean sealedBefore) {
    missingPoints.forget(run.name());
    runs.put(run.path(), new LiveRunPoints(run, sealedBefore, limits.clock(), missingPoints));
  }

  private void addFrame(RunFolder run, SegmentSource source, Frame frame) {
    runs.get(run.path()).addFrame(source, frame, this::add);
  }

  private void end(LiveRunPoints run) {
    run.close(this::add);
    // Once more: all is sealed now.
    sendLate(run, run.allLate());
  }

  private void sendLate(LiveRunPoints run, SortedSet<Long> begins) {
    if (!begins.isEmpty()) {
      lateRuns.add(run.name());
      lateThread.execute(
          () -> {
            try {
              sendLate(run.folder(), begins);
            } finally {
              lateRuns.remove(run.name());
            }
          });
    }
  }

  /** On the thread for what came late. */
  private void sendLate(RunFolder run, SortedSet<Long> begins) {
    PointBatch[] points = {new PointBatch()};
    try (Query query = run.query(lateLimits)) {
      lateQuery = query;
      RunPoints.writeStages(
          run.name(),
          query,
          begins,
          point -> {
            points[0].add(run.name(), writer.lineOf(point));
            if (points[0].isFull()) {
              offerLate(points[0]);
              points[0] = new PointBatch();
            }
          });
      if (!points[0].isEmpty()) {
        offerLate(points[0]);
      }
    } catch (IOException | QueryException | RuntimeException | Error e) {
      LOG.debug("{}: what came late could not be read", run.name(), e);
      missingPoints.report(run.name(), "points could not be made of what came late");
    } finally {
      lateQuery = null;
    }
  }

  private void offerLate(PointBatch points) {
    try {
      if (!sender.offerOrWait(points)) {
        throw new IllegalStateException("InfluxDB does not keep up");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The collector ends", e);
    }
  }

  private void tick() {
    for (LiveRunPoints run : runs.values()) {
      runReportingFailure(
          run.name(),
          () -> {
            run.tick(limits.grace(), this::add);
            // What becomes due while the store is asked waits, and is asked for in one go.
            if (!lateRuns.contains(run.name())) {
              sendLate(run, run.takeLate(limits.lateDelay()));
            }
          });
    }
    flush();
  }

  private void add(String run, InfluxPoint point) {
    batch.add(run, writer.lineOf(point));
    if (batch.isFull()) {
      flush();
    }
  }

  private void flush() {
    if (batch.isEmpty()) {
      return;
    }
    PointBatch full = batch;
    try {
      // First of all: it is nobody else's to change once it is offered.
      batch = new PointBatch();
      sender.offer(full);
    } catch (RuntimeException | Error e) {
      LOG.error("{} could not be handed on", Counted.of(full.points(), "point"), e);
      full.runs().forEach(run -> missingPoints.report(run, "points could not be handed on"));
    }
  }

  /** A statement hears no interrupt, and writes into its folder until it ends. */
  private void endLate() throws InterruptedException {
    lateThread.shutdownNow();
    for (int i = 0; i < 100 && !lateThread.awaitTermination(100, TimeUnit.MILLISECONDS); i++) {
      Query query = lateQuery;
      if (query != null) {
        query.cancel();
      }
    }
  }

  /** Makes points of all that has come, and sends them unless that takes too long. */
  @Override
  public void close() {
    queue.end();
    try {
      thread.join(limits.closeTimeout().toMillis());
      lateThread.shutdown();
      if (!lateThread.awaitTermination(limits.closeTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        lateRuns.forEach(
            run ->
                missingPoints.report(
                    run, "The collector ended before all that came late was read"));
        endLate();
      }
      RunDeletion.delete(spill);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("Cannot delete {}: {}", spill, FailureText.of(e));
    }
    sender.close();
  }
}
