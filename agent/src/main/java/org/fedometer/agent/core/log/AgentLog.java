package org.fedometer.agent.core.log;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The agent's own log, which is sent to the run's folder instead of Fedora's output. Any thread
 * appends, the drainer drains; bounded.
 */
public final class AgentLog {

  private static final int CHARACTER_LIMIT = 64 * 1024;

  private final StringBuilder pending = new StringBuilder();
  private int linesDropped;

  public synchronized void append(String text) {
    if (pending.length() + text.length() > CHARACTER_LIMIT) {
      linesDropped++;
      return;
    }
    pending.append(Instant.now()).append(' ').append(text).append('\n');
  }

  /** Throws nothing, not even if memory is low. */
  public void appendError(String where, Throwable error) {
    try {
      append(where + ": " + error);
    } catch (OutOfMemoryError outOfMemory) {
      // The line is lost.
    }
  }

  /** Returns everything appended since the last call, UTF-8; empty if nothing. */
  public synchronized byte[] drain() {
    if (linesDropped > 0) {
      pending
          .append(Instant.now())
          .append(' ')
          .append(linesDropped)
          .append(" lines were dropped: too many to send\n");
      linesDropped = 0;
    }
    byte[] text = pending.toString().getBytes(StandardCharsets.UTF_8);
    pending.setLength(0);
    return text;
  }
}
