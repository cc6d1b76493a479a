package org.fedometer.collector.logs;

import java.time.Instant;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;

/** A log event of any layout. Reused for the next one; one thread. */
public final class LogEvent {
  /** A missing time. */
  static final long UNKNOWN = Long.MIN_VALUE;

  long epochNanos;
  LogLevel level;
  String logger;
  String thread;
  String message;
  String thrown;
  private boolean assumed;
  final ContextJson context = new ContextJson();

  LogEvent() {
    clear();
  }

  void clear() {
    epochNanos = UNKNOWN;
    level = LogLevel.INFO;
    logger = "";
    thread = "";
    message = "";
    thrown = "";
    assumed = false;
    context.clear();
  }

  /**
   * Notes in the context whether level or time are not the event's own: see {@link
   * LogEncoder#ASSUMED}.
   *
   * @param level whether the level is not the event's own
   */
  void noteAssumed(boolean level) {
    boolean time = epochNanos == UNKNOWN;
    assumed = level || time;
    if (assumed) {
      context.note(LogEncoder.ASSUMED, !time ? "level" : level ? "level,time" : "time");
    }
  }

  /** Returns whether its level or its time could not be read. */
  boolean isAssumed() {
    return assumed;
  }

  /** Returns the event's time, or of its arrival if it has none; nanoseconds since 1970, UTC. */
  public long epochNanos() {
    if (epochNanos != UNKNOWN) {
      return epochNanos;
    }
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }

  /** Returns the level; INFO if it has none. */
  public LogLevel level() {
    return level;
  }

  /** Returns the logger; empty if unknown. */
  public String logger() {
    return logger;
  }

  /** Returns the thread; empty if unknown. */
  public String thread() {
    return thread;
  }

  public String message() {
    return message;
  }

  /** Returns the exception's stack trace; empty if there is none. */
  public String thrown() {
    return thrown;
  }

  /**
   * Returns the MDC and fields without a column, as a JSON object; empty if there are none. At most
   * {@link LogEncoder#MAX_CONTEXT_BYTES}.
   */
  public String context() {
    return context.toString();
  }
}
