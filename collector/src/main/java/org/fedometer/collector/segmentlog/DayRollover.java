package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.fedometer.collector.segmentlog.SourceConnection.PauseReason;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves sources outside any run to each new day's monitoring run. For the segment log's thread. */
final class DayRollover {
  private static final Logger LOG = LoggerFactory.getLogger(DayRollover.class);

  private final Runs runs;
  private final Connections connections;
  private final Committer committer;
  private final SealScheduler sealScheduler;
  private final SegmentLogOptions options;
  private String prefixOfToday = "";

  DayRollover(
      Runs runs,
      Connections connections,
      Committer committer,
      SealScheduler sealScheduler,
      SegmentLogOptions options) {
    this.runs = runs;
    this.connections = connections;
    this.committer = committer;
    this.sealScheduler = sealScheduler;
    this.options = options;
  }

  LocalDate today() {
    return LocalDate.ofInstant(options.clock().instant(), ZoneOffset.UTC);
  }

  /** Updates the date that {@link #moveToToday} uses. */
  void update() {
    prefixOfToday = Runs.monitoringPrefix(today());
  }

  /**
   * Moves a source outside any run to the day's run. That run begins only once all the source has
   * sent is durable in the previous one. Thus, after any crash, the newest run with the source also
   * knows its last durable frame.
   */
  Source moveToToday(Source source, Frame frame) {
    if (!source.monitored
        || source.has(frame.sequence())
        || !Runs.isOfEarlierDay(source.run, prefixOfToday)
        || source.rolloverFailures.failedWithin(options.retryPause(), System.nanoTime())) {
      return source;
    }
    RunSegmentLog before = source.run;
    try {
      before.commit();
      source.lastDurable = source.lastAppended;
      RunSegmentLog next = runs.monitoringRun(source.hello, today());
      return move(source, next);
    } catch (IOException | RunConflictException | RuntimeException | Error e) {
      String reason = FailureText.of(e);
      boolean isNew = !reason.equals(source.rolloverFailures.reason());
      if (source.rolloverFailures.recordFailure(reason, System.nanoTime()) || isNew) {
        LOG.warn(
            "{}: cannot continue in the run of the new day: {}", before.folder().name(), reason);
      }
      return source;
    }
  }

  private Source move(Source source, RunSegmentLog next) {
    Source moved = next.adopt(source);
    RunSegmentLog before = source.run;
    SourceConnection connection = source.connection;
    moved.connection = connection;
    moved.monitored = true;
    moved.firstAvailable = source.firstAvailable;
    source.connection = null;
    source.finished = true;
    connections.put(connection, moved);
    next.connected();
    before.disconnected();
    sealScheduler.submit(next);
    committer.markDirty(next);
    if (before.writing.isPaused() && !next.writing.isPaused()) {
      connection.resume(PauseReason.RUN_NOT_WRITABLE);
    } else if (next.writing.isPaused()) {
      connection.pause(PauseReason.RUN_NOT_WRITABLE);
    }
    LOG.info("{} continues in {}", moved.describeForLog(), next.folder().name());
    connections.heartbeatIfDue();
    return moved;
  }
}
