package org.fedometer.collector.measured;

import java.util.concurrent.ScheduledExecutorService;
import org.fedometer.collector.journal.SourceConnection.PauseReason;

/** The connection on which events of one source come. */
public interface EventLine {
  /** The network's event loop, which calls everything of a {@link MeasuredSource}. */
  ScheduledExecutorService loop();

  /** Reads no more until every reason has been taken back; any thread. */
  void pause(PauseReason reason);

  /** Any thread. */
  void resume(PauseReason reason);

  /** Whether nothing is read at the moment; the event loop alone. */
  boolean isPaused();

  /**
   * Closes the connection and says why in the log: nobody listens on the other side. Any thread.
   */
  void hangUp(String reason);

  /** Address of the source, for logs. */
  String peer();
}
