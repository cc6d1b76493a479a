package org.fedometer.agent.core.log4j2;

import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.status.StatusData;
import org.apache.logging.log4j.status.StatusListener;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.wire.Counted;

/** What Log4j2 says of itself, as lines of the agent's log: some a minute, the rest is counted. */
final class StatusLines implements StatusListener {

  private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_A_PERIOD = 5;

  // Guarded by this, all.

  /** Null until somebody listens. */
  private AgentLog log;

  private long periodBegan = System.nanoTime();
  private int lines;
  private int leftOut;

  synchronized void goTo(AgentLog other) {
    log = other;
  }

  @Override
  public synchronized void log(StatusData data) {
    if (log == null) {
      return;
    }
    long now = System.nanoTime();
    if (now - periodBegan > PERIOD_NANOS) {
      if (leftOut > 0) {
        log.line("Log4j2: " + Counted.of(leftOut, "more line") + " left out");
      }
      periodBegan = now;
      lines = 0;
      leftOut = 0;
    }
    if (lines == MOST_A_PERIOD) {
      leftOut++;
      return;
    }
    lines++;
    Throwable thrown = data.getThrowable();
    log.line(
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
    // The log is the agent's.
  }
}
