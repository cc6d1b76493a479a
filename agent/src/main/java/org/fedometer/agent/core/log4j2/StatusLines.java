package org.fedometer.agent.core.log4j2;

import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.status.StatusData;
import org.apache.logging.log4j.status.StatusListener;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.wire.Counted;

/** Writes Log4j2's status messages to the agent's log: a few per minute; counts the rest. */
final class StatusLines implements StatusListener {

  private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MAX_LINES_PER_PERIOD = 5;

  // All guarded by this.

  /** Null until {@link #setLog}. */
  private AgentLog log;

  private long periodStartNanos = System.nanoTime();
  private int lines;
  private int dropped;

  synchronized void setLog(AgentLog other) {
    log = other;
  }

  @Override
  public synchronized void log(StatusData data) {
    if (log == null) {
      return;
    }
    long now = System.nanoTime();
    if (now - periodStartNanos > PERIOD_NANOS) {
      if (dropped > 0) {
        log.append("Log4j2: " + Counted.of(dropped, "more line") + " left out");
      }
      periodStartNanos = now;
      lines = 0;
      dropped = 0;
    }
    if (lines == MAX_LINES_PER_PERIOD) {
      dropped++;
      return;
    }
    lines++;
    Throwable thrown = data.getThrowable();
    log.append(
        "Log4j2: "
            + data.getLevel()
            + " "
            + data.getMessage().getFormattedMessage()
            + (thrown == null ? "" : ": " + thrown));
  }

  @Override
  public Level getStatusLevel() {
    return Level.ERROR;
  }

  @Override
  public void close() {
    // The log belongs to the agent.
  }
}
