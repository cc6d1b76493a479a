package org.fedometer.collector.logs;

import java.time.Instant;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;

/** One log event of whatever layout. Used again for the next one; one thread. */
public final class LogEvent {
  /** For a time that nobody told. */
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
   * Notes in the context which of level and time are not the event's own, if any is: see {@link
   * LogEncoder#ASSUMED}.
   *
   * @param level whether it is none that the event told
   */
  void noteAssumed(boolean level) {
    boolean time = epochNanos == UNKNOWN;
    assumed = level || time;
    if (assumed) {
      context.note(LogEncoder.ASSUMED, !time ? "level" : level ? "level,time" : "time");
    }
  }

  /** Whether its level or its time could not be read. */
  boolean isAssumed() {
    return assumed;
  }

  /** Nanoseconds since 1970, UTC: when it was logged, or when it came where it does not say so. */
  public long epochNanos() {
    if (epochNanos != UNKNOWN) {
      return epochNanos;
    }
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }

  /** INFO where it does not say it. */
  public LogLevel level() {
    return level;
  }

  /** Empty if unknown. */
  public String logger() {
    return logger;
  }

  /** Empty if unknown. */
  public String thread() {
    return thread;
  }

  public String message() {
    return message;
  }

  /** Stack trace of the exception, empty if there is none. */
  public String thrown() {
    return thrown;
  }

  /**
   * MDC and whatever has no place of its own, as a JSON object; empty if there is none. At most
   * {@link LogEncoder#MAX_CONTEXT_BYTES}.
   */
  public String context() {
    return context.toString();
  }
}
