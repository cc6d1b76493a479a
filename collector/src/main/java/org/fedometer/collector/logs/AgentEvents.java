package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JsonParser;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;

/**
 * Takes the events of Fedometer's own agent with {@code transport=log4j2}
 * (docs/developers/protocol.md) that come by one connection. All calls come on the connection's
 * event loop; none may block.
 */
public interface AgentEvents {
  /**
   * An event has come.
   *
   * @param parser stands at the beginning of the object that is the value of {@code fedometer}, and
   *     must stand at its end afterwards. What came before that field in the event is gone
   * @throws IOException one sentence: it cannot be taken, and the connection is closed
   */
  void event(JsonParser parser) throws IOException;

  /** All that has come for the moment has been handed in: time to pass it on. */
  void readComplete();

  /** Nothing more comes: the connection has ended or is refused. Called once. */
  void closed();

  @FunctionalInterface
  interface Factory {
    AgentEvents open(LogConnection connection, EventExecutor loop);
  }
}
