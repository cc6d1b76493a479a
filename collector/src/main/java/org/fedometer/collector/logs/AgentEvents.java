package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JsonParser;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;

/**
 * Receives the events of Fedometer's agent with {@code transport=log4j2}
 * (docs/developers/protocol.md) from one connection. Called on the connection's event loop; must
 * not block.
 */
public interface AgentEvents {
  /**
   * Handles an event.
   *
   * @param parser at the start of the object in field {@code fedometer}; must be at its end
   *     afterwards. Earlier fields of the event are lost
   * @throws IOException if the event is invalid, which closes the connection; the message is one
   *     sentence
   */
  void event(JsonParser parser) throws IOException;

  /** Reports that all received data has been passed on: time to flush. */
  void readComplete();

  /** Reports that the connection has ended or was refused. Called once. */
  void closed();

  @FunctionalInterface
  interface Factory {
    AgentEvents open(LogConnection connection, EventExecutor loop);
  }
}
