package org.fedometer.collector.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.collector.segmentlog.DurableFrames;
import org.fedometer.collector.threads.DaemonThreads;
import org.fedometer.store.RunFolder;
import org.fedometer.store.rollup.LiveRollupFile;
import org.fedometer.store.seal.LiveRollupWriter;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes rollups of durable, unsealed data and writes them next to the segments every few
 * seconds. The segment log's thread adds; a dedicated thread writes.
 */
public final class LiveRollups implements DurableFrames, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveRollups.class);

  private final Map<Path, LiveRun> runs = new ConcurrentHashMap<>();

  /** On the writing thread. */
  private final LiveRollupWriter writer = new LiveRollupWriter();

  /** Failures without a disk error. On the writing thread. */
  private final FailureTracker writeFailures = new FailureTracker();

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.daemons("fedometer-rollups"));

  public LiveRollups(Duration interval) {
    thread.scheduleWithFixedDelay(
        this::writeAll, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void durable(RunFolder run, SegmentSource source, String segment, Frame frame) {
    runs.computeIfAbsent(run.path(), path -> new LiveRun(run)).addFrame(source, segment, frame);
  }

  @Override
  public void sealed(RunFolder run, String segment) {
    LiveRun live = runs.get(run.path());
    if (live != null) {
      live.sealed(segment);
      return;
    }
    try {
      Files.deleteIfExists(LiveRollupFile.of(run.segmentDirectory().resolve(segment)));
    } catch (IOException e) {
      LOG.warn("{}: {}", run.name(), FailureText.of(e));
    }
  }

  @Override
  public void closed(RunFolder run) {
    LiveRun live = runs.remove(run.path());
    if (live != null) {
      try {
        live.close();
      } catch (IOException e) {
        LOG.warn("{}: {}", run.name(), FailureText.of(e));
      }
    }
  }

  private void writeAll() {
    boolean failed = false;
    for (LiveRun run : runs.values()) {
      try {
        run.write(writer);
      } catch (IOException e) {
        // A full disk, or a deleted run: the segment log reports it.
        LOG.debug("Live rollups cannot be written", e);
      } catch (RuntimeException | Error e) {
        // It would silently end the schedule.
        failed = true;
        if (writeFailures.recordFailure(FailureText.of(e), System.nanoTime())) {
          LOG.error("{}: live rollups cannot be written", run.name(), e);
        }
      }
    }
    if (!failed) {
      writeFailures.recordSuccess();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (thread.awaitTermination(10, TimeUnit.SECONDS)) {
        writer.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
