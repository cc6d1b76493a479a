package org.fedometer.collector.logs;

/**
 * A connection that log events come by, as those see it who take the events. On the network's event
 * loop only.
 */
public interface LogConnection {
  /** The sender's address and port, for logs. */
  String peer();

  /** The sender's address, without the port. */
  String host();

  /**
   * Reads no more until everyone who asked for a pause has taken that back. What has been read may
   * still come as events.
   *
   * @param requester asks; asking twice is asking once
   */
  void pause(Object requester);

  void resume(Object requester);

  /**
   * Logs why, and closes; nothing more comes. A stock appender reads nothing, so it is not told.
   */
  void refuse(String reason);
}
