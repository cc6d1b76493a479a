package org.fedometer.collector.journal;

import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.fedometer.collector.journal.SourceConnection.PauseReason;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of sources outside any run into the watch run of a new day. For the journal's thread. */
final class WatchDays {
  private static final Logger LOG = LoggerFactory.getLogger(WatchDays.class);

  private final Runs runs;
  private final Connections connections;
  private final Committing committing;
  private final Sealing sealing;
  private final JournalOptions options;
  private String prefixOfToday = "";

  WatchDays(
      Runs runs,
      Connections connections,
      Committing committing,
      Sealing sealing,
      JournalOptions options) {
    this.runs = runs;
    this.connections = connections;
    this.committing = committing;
    this.sealing = sealing;
    this.options = options;
  }

  LocalDate today() {
    return LocalDate.ofInstant(options.clock().instant(), ZoneOffset.UTC);
  }

  /** Looks which day it is; until the next look it stays so for {@link #ofToday}. */
  void look() {
    prefixOfToday = Runs.watchPrefix(today());
  }

  /**
   * A source outside any run goes on in the run of the day. That begins only when all that the
   * source has sent is durable in the run of the day before, so that wherever a crash comes
   * between, the newest run that knows the source also knows its last durable frame.
   */
  Source ofToday(Source source, Frame frame) {
    if (!source.watched
        || source.has(frame.sequence())
        || !Runs.isOfEarlierDay(source.run, prefixOfToday)
        || source.rolling.failedWithin(options.retryPause(), System.nanoTime())) {
      return source;
    }
    RunJournal before = source.run;
    try {
      before.commit();
      source.lastDurable = source.lastAppended;
      RunJournal next = runs.watchRun(source.hello, today());
      return move(source, next);
    } catch (IOException | RunTakenException | RuntimeException | Error e) {
      String reason = FailureText.of(e);
      boolean isNew = !reason.equals(source.rolling.reason());
      if (source.rolling.failed(reason, System.nanoTime()) || isNew) {
        LOG.warn("{}: cannot go on in the run of a new day: {}", before.folder().name(), reason);
      }
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
    source.finished = true;
    connections.put(connection, moved);
    next.connected();
    before.disconnected();
    sealing.take(next);
    committing.markDirty(next);
    if (before.writing.isPaused() && !next.writing.isPaused()) {
      connection.resume(PauseReason.RUN_NOT_WRITABLE);
    } else if (next.writing.isPaused()) {
      connection.pause(PauseReason.RUN_NOT_WRITABLE);
    }
    LOG.info("{} goes on in {}", moved.describeForLog(), next.folder().name());
    connections.heartbeatIfDue();
    return moved;
  }
}
