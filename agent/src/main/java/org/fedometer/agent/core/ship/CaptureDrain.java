package org.fedometer.agent.core.ship;

import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.LogLine;
import org.fedometer.aspects.recorder.TripleFlush;
import org.fedometer.aspects.recorder.TripleFlushes;
import org.fedometer.wire.Counted;
import org.fedometer.wire.record.LogLevel;

/**
 * Forwards the data of {@link Captures}: lines of Fedora's log as lines, flushes of triples as
 * telemetry, failed flushes also as lines of the agent. Drainer's thread only.
 */
public final class CaptureDrain {

  private static final String AGENT_LOGGER = "org.fedometer.agent";

  private static final double NANOS_PER_SECOND = 1e9;

  private final FedoraLog log;
  private final TripleFlushes flushes;
  private final LogSink lines;
  private final TelemetrySink telemetry;

  private final DroppedCount readingsDropped =
      new DroppedCount(
          LogLevel.WARN,
          "reading is",
          "readings are",
          " missing from the telemetry: no memory, or too many metrics");

  private final DroppedCount linesDropped =
      new DroppedCount(
          LogLevel.WARN,
          "line",
          "lines",
          " of Fedora's log left out: more than log-rate or memory allows");

  private final DroppedCount succeededFlushesDropped =
      new DroppedCount(
          LogLevel.WARN,
          "flush of triples is",
          "flushes of triples are",
          " missing from the telemetry: more than memory holds");

  private final DroppedCount failedFlushesDropped =
      new DroppedCount(
          LogLevel.ERROR,
          "more flush",
          "more flushes",
          " of triples failed, and their triples are lost; details are missing for lack of memory");

  public CaptureDrain(Captures source, LogSink lines, TelemetrySink telemetry) {
    this.log = source.log();
    this.flushes = source.flushes();
    this.lines = lines;
    this.telemetry = telemetry;
  }

  /** Forwards all captured data. Counts data as dropped if memory runs out. */
  public void drain() {
    for (LogLine line = log.poll(); line != null; line = log.poll()) {
      boolean forwarded = false;
      try {
        forward(line);
        forwarded = true;
      } finally {
        if (!forwarded) {
          log.countDropped();
        }
      }
    }
    for (TripleFlush flush = flushes.poll(); flush != null; flush = flushes.poll()) {
      boolean forwarded = false;
      try {
        forward(flush);
        forwarded = true;
      } finally {
        if (!forwarded) {
          flushes.countDropped(flush);
        }
      }
    }
  }

  private void forward(LogLine line) {
    lines.log(
        line.atNanos(),
        levelOf(line.level()),
        line.traceId(),
        line.logger(),
        line.thread(),
        line.message(),
        line.stackTrace());
  }

  private void forward(TripleFlush flush) {
    if (flush.failureOrNull() == null) {
      telemetry.value(flush.atNanos(), "triples.flush.updates", "{update}", flush.updates());
      telemetry.value(
          flush.atNanos(), "triples.flush.duration", "s", flush.durationNanos() / NANOS_PER_SECOND);
    } else {
      failed(flush);
    }
  }

  public void flush() {
    try {
      telemetry.flush();
      reportDropped();
    } finally {
      // If memory ran out above, these lines probably have the cause.
      lines.flush();
    }
  }

  private void reportDropped() {
    readingsDropped.report(telemetry.droppedSinceLastCall());
    linesDropped.report(log.droppedSinceLastCall());
    succeededFlushesDropped.report(flushes.succeededDroppedSinceLastCall());
    failedFlushesDropped.report(flushes.failedDroppedSinceLastCall());
  }

  /** Count of dropped items until it is logged; later if memory runs out. */
  private final class DroppedCount {
    private final LogLevel level;
    private final String singular;
    private final String plural;
    private final String reason;
    private long unreported;

    DroppedCount(LogLevel level, String singular, String plural, String reason) {
      this.level = level;
      this.singular = singular;
      this.plural = plural;
      this.reason = reason;
    }

    void report(long count) {
      unreported += count;
      if (unreported > 0) {
        lines.log(
            System.nanoTime(),
            level,
            0,
            AGENT_LOGGER,
            Thread.currentThread().getName(),
            Counted.of(unreported, singular, plural) + reason,
            "");
        unreported = 0;
      }
    }
  }

  private void failed(TripleFlush flush) {
    telemetry.value(flush.atNanos(), "triples.flush.lost", "{update}", flush.updates());
    lines.log(
        flush.atNanos(),
        LogLevel.ERROR,
        flush.traceId(),
        AGENT_LOGGER,
        flush.thread(),
        "triples lost: a flush of "
            + Counted.of(flush.updates(), "update")
            + " failed: "
            + flush.failureOrNull().rootCause().description(),
        flush.failureOrNull().stackTrace());
  }

  /** Maps custom levels to the next lower one. */
  private static LogLevel levelOf(int level) {
    if (level >= FedoraLog.FATAL) {
      return LogLevel.FATAL;
    }
    if (level >= FedoraLog.ERROR) {
      return LogLevel.ERROR;
    }
    if (level >= FedoraLog.WARN) {
      return LogLevel.WARN;
    }
    if (level >= FedoraLog.INFO) {
      return LogLevel.INFO;
    }
    return level >= FedoraLog.DEBUG ? LogLevel.DEBUG : LogLevel.TRACE;
  }
}
