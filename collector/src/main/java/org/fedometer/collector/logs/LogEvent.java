package org.fedometer.collector.logs;

import java.time.Instant;
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
    context.clear();
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
   * {@link org.fedometer.wire.record.LogEncoder#MAX_CONTEXT_BYTES}.
   */
  public String context() {
    return context.toString();
  }
}
