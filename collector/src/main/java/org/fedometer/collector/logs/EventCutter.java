package org.fedometer.collector.logs;

/**
 * Finds the ends of events in bytes that arrive piece by piece; keeps its state but no bytes.
 * Called by {@link LogStream}, one thread.
 */
interface EventCutter {
  /** Limit of nesting; deeper input is no log event and would exhaust the reader's stack. */
  int MAX_DEPTH = 64;

  /**
   * Skips bytes between events.
   *
   * @return index of an event's first byte, or {@code to} if there is none
   */
  int skip(byte[] bytes, int from, int to) throws LogRefusedException;

  /**
   * Continues within an event.
   *
   * @param from where the last call stopped, at first the result of {@link #skip}
   * @return index after the event's last byte, or -1 if it has not arrived
   */
  int end(byte[] bytes, int from, int to) throws LogRefusedException;
}
