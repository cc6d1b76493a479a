package org.fedometer.collector.segmentlog;

import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;

/**
 * A connected source. Called on the segment log's thread; {@link #pause} also on threads that queue
 * frames, often the connection's event loop. Never blocks.
 */
public interface SourceConnection {
  /** Allows the source to send all that is not durable. */
  void welcome(Welcome welcome);

  /** Acknowledges frames. May skip one while the source does not read; a later one covers it. */
  void acknowledge(Acknowledgement acknowledgement);

  /** Sends the reason, then closes. */
  void refuse(Rejected refused);

  /** Stops reading from the source until all reasons are resumed. */
  void pause(PauseReason reason);

  /** Removes one reason. */
  void resume(PauseReason reason);

  /** Returns the source's address, for logs. */
  String peer();

  enum PauseReason {
    /** Too much received data is not durable. */
    QUEUE_FULL,
    /** Its run cannot be written, and enough waits in memory. */
    RUN_NOT_WRITABLE,
    /** It is closing its run, which takes a while. */
    RUN_CLOSING,
    /** Partially received frames of others use up the memory. */
    NO_SPACE,
    /** Its stored state is not known yet. */
    AWAITS_WELCOME
  }
}
