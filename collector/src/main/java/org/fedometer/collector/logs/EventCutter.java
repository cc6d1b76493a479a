package org.fedometer.collector.logs;

/**
 * Tells where events begin and end in bytes that come piece by piece; keeps in mind where it is,
 * and no bytes. {@link LogStream} calls, one thread.
 */
interface EventCutter {
  /** What is deeper is no log event, and would cost the stack of whoever reads it. */
  int MAX_DEPTH = 64;

  /**
   * Passes over what lies between events.
   *
   * @return index of an event's first byte, or {@code to} if there is none
   */
  int skip(byte[] bytes, int from, int to) throws LogRefusedException;

  /**
   * Goes on within an event.
   *
   * @param from where the last call stopped, at first the index that {@link #skip} returned
   * @return index behind the event's last byte, or -1 if it is not there yet
   */
  int end(byte[] bytes, int from, int to) throws LogRefusedException;
}
