package org.fedometer.agent.core.ship;

import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.LogLine;
import org.fedometer.aspects.recorder.TripleFlush;
import org.fedometer.aspects.recorder.TripleFlushes;
import org.fedometer.wire.Counted;
import org.fedometer.wire.record.LogLevel;

/**
 * Takes what {@link Captures} have taken down and sends it on: lines of Fedora's log as lines,
 * flushes of triples as telemetry, and those that failed as lines of our own, too. The drainer's
 * thread only.
 */
public final class CaptureDrain {

  private static final String OWN_LOGGER = "org.fedometer.agent";

  private static final double NANOS_A_SECOND = 1e9;

  private final FedoraLog log;
  private final TripleFlushes flushes;
  private final LogSink lines;
  private final TelemetrySink telemetry;

  private final LeftOut readingsLeftOut =
      new LeftOut(
          LogLevel.WARN,
          "reading is",
          "readings are",
          " not in the telemetry: no room for names, no memory, or too many metrics");

  private final LeftOut linesLeftOut =
      new LeftOut(
          LogLevel.WARN,
          "line",
          "lines",
          " of Fedora's log left out here: more came than log-rate or memory allows");

  private final LeftOut doneLeftOut =
      new LeftOut(
          LogLevel.WARN,
          "flush of triples is",
          "flushes of triples are",
          " not in the telemetry: more came than memory holds");

  private final LeftOut failedLeftOut =
      new LeftOut(
          LogLevel.ERROR,
          "more flush",
          "more flushes",
          " of triples failed, and their triples are lost; memory did not hold what they were");

  public CaptureDrain(Captures source, LogSink lines, TelemetrySink telemetry) {
    this.log = source.log();
    this.flushes = source.flushes();
    this.lines = lines;
    this.telemetry = telemetry;
  }

  /** Takes what has come. What finds no memory on the way is counted as left out. */
  public void drain() {
    for (LogLine line = log.takeLine(); line != null; line = log.takeLine()) {
      boolean told = false;
      try {
        tell(line);
        told = true;
      } finally {
        if (!told) {
          log.leaveOut();
        }
      }
    }
    for (TripleFlush flush = flushes.take(); flush != null; flush = flushes.take()) {
      boolean told = false;
      try {
        tell(flush);
        told = true;
      } finally {
        if (!told) {
          flushes.leaveOut(flush);
        }
      }
    }
  }

  private void tell(LogLine line) {
    lines.line(
        line.atNanos(),
        levelOf(line.level()),
        line.traceId(),
        line.logger(),
        line.thread(),
        line.message(),
        line.stackTrace());
  }

  private void tell(TripleFlush flush) {
    if (flush.failureOrNull() == null) {
      telemetry.value(flush.atNanos(), "triples.flush.updates", "{update}", flush.updates());
      telemetry.value(
          flush.atNanos(), "triples.flush.duration", "s", flush.durationNanos() / NANOS_A_SECOND);
    } else {
      failed(flush);
    }
  }

  public void flush() {
    try {
      telemetry.flush();
      sayWhatWasLeftOut();
    } finally {
      // Where memory ran out above, these lines most likely say why.
      lines.flush();
    }
  }

  private void sayWhatWasLeftOut() {
    readingsLeftOut.tell(telemetry.takeLeftOut());
    linesLeftOut.tell(log.takeSuppressed());
    doneLeftOut.tell(flushes.takeDoneLeftOut());
    failedLeftOut.tell(flushes.takeFailedLeftOut());
  }

  /** How much of something was left out, until that is told: where memory runs out, later. */
  private final class LeftOut {
    private final LogLevel level;
    private final String one;
    private final String many;
    private final String how;
    private long untold;

    LeftOut(LogLevel level, String one, String many, String how) {
      this.level = level;
      this.one = one;
      this.many = many;
      this.how = how;
    }

    void tell(long more) {
      untold += more;
      if (untold > 0) {
        lines.line(
            System.nanoTime(),
            level,
            0,
            OWN_LOGGER,
            Thread.currentThread().getName(),
            Counted.of(untold, one, many) + how,
            "");
        untold = 0;
      }
    }
  }

  private void failed(TripleFlush flush) {
    telemetry.value(flush.atNanos(), "triples.flush.lost", "{update}", flush.updates());
    lines.line(
        flush.atNanos(),
        LogLevel.ERROR,
        flush.traceId(),
        OWN_LOGGER,
        flush.thread(),
        "triples lost: a flush of "
            + Counted.of(flush.updates(), "update")
            + " failed: "
            + flush.failureOrNull().root().what(),
        flush.failureOrNull().text());
  }

  /** Levels of somebody's own count as the next lower one. */
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
