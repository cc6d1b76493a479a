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
 * Sends durable data to InfluxDB within seconds.
 *
 * <p>The segment log's thread only queues frames. One thread converts them to points, another sends
 * those. If either falls too far behind, points are missing until the run is exported, which is
 * logged.
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

  /** Queries the store for late data, which takes longer than frames may wait. */
  private final ExecutorService lateThread =
      Executors.newSingleThreadExecutor(DaemonThreads.daemons("fedometer-influx-late"));

  /** Runs to query, or being queried, one entry per query. */
  private final Queue<String> lateRuns = new ConcurrentLinkedQueue<>();

  /** The current query, or null; closing cancels it from another thread. */
  private volatile Query lateQuery;

  private final Path spill;
  private final QueryLimits lateLimits;

  /** On the segment log's thread. */
  private final Set<Path> open = new HashSet<>();

  private final FrameQueue queue;

  // On the thread that makes points:
  private final Map<Path, LiveRunPoints> runs = new HashMap<>();
  private final FailureTracker pointFailures = new FailureTracker();
  private PointBatch batch = new PointBatch();

  /**
   * @param frameBytes frames not converted yet
   * @param pointBytes points not sent yet
   * @param grace delay after the end of a ten-second interval until it is sent, again if more came
   * @param lateDelay quiet time before a late ten-second interval is read from the store
   * @param closeTimeout time closing may take
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

  /** Creates an exporter; the caller holds the store's lock. Spills to a folder in the store. */
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
    // Probe now, while the user who started this still reads the log.
    sender.offer(new PointBatch());
  }

  /** Returns the spill folder, which a killed collector leaves behind. */
  public static Path spillOf(Path store) {
    return store.resolve("influx.tmp");
  }

  /** Returns the status of sending; any thread. */
  public InfluxSender.Status status() {
    return sender.status();
  }

  // ---- the segment log's thread ----

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

  /** Queues a single report for consecutive missed frames. */
  private void reportMissed(MissedFrame missed) {
    boolean isKnown =
        queue.newestOrNull() instanceof MissedFrame last
            && last.run.path().equals(missed.run.path())
            && (last.names || !missed.names);
    if (!isKnown) {
      queue.put(missed);
    }
  }

  /** Lists one folder for each opened run. */
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

  /**
   * Logs failures, so that one unexpected frame does not end the thread, and reports missing
   * points.
   */
  private void runReportingFailure(String run, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      if (pointFailures.recordFailure(FailureText.of(e), System.nanoTime())) {
        LOG.error("{}: points could not be made", run, e);
      }
      missingPoints.report(run, "some points could not be made");
    }
  }

  /**
   * @param sealedBefore whether part of the run had been sealed when it was opened
   */
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

  /** Sends late points. On the thread for late data. */
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
      LOG.debug("{}: late data could not be read", run.name(), e);
      missingPoints.report(run.name(), "points of late data could not be made");
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
      throw new IllegalStateException("The collector is stopping", e);
    }
  }

  private void tick() {
    for (LiveRunPoints run : runs.values()) {
      runReportingFailure(
          run.name(),
          () -> {
            run.tick(limits.grace(), this::add);
            // Intervals due during a query are combined into the next one.
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
      // First: an offered batch must not change.
      batch = new PointBatch();
      sender.offer(full);
    } catch (RuntimeException | Error e) {
      LOG.error("{} could not be queued for InfluxDB", Counted.of(full.points(), "point"), e);
      full.runs()
          .forEach(run -> missingPoints.report(run, "points could not be queued for InfluxDB"));
    }
  }

  /** Cancels repeatedly: a statement ignores interrupts and writes to its folder until it ends. */
  private void endLate() throws InterruptedException {
    lateThread.shutdownNow();
    for (int i = 0; i < 100 && !lateThread.awaitTermination(100, TimeUnit.MILLISECONDS); i++) {
      Query query = lateQuery;
      if (query != null) {
        query.cancel();
      }
    }
  }

  /** Converts all queued frames to points and sends them within the close timeout. */
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
                    run, "The collector stopped before it had read all late data"));
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
