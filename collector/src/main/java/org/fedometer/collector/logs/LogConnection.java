package org.fedometer.collector.logs;

/** A connection of a log sender, for handlers of events. On the network's event loop only. */
public interface LogConnection {
  /** Returns the sender's address and port, for logs. */
  String peer();

  /** Returns the sender's address without the port. */
  String host();

  /**
   * Stops reading until all requesters have resumed. Events of data already read may follow.
   *
   * @param requester pauses once, even if repeated
   */
  void pause(Object requester);

  void resume(Object requester);

  /**
   * Logs the reason and closes; no events follow. Stock appenders read nothing, so the sender is
   * not notified.
   */
  void refuse(String reason);
}
