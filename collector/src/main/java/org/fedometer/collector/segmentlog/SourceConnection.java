package org.fedometer.collector.segmentlog;

import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;

/**
 * A connected source as the journal sees it. The journal's thread calls, and {@link #pause} also
 * whoever hands in a frame: often the connection's own event loop. Nothing here blocks.
 */
public interface SourceConnection {
  /** The source may send what is not durable yet. */
  void welcome(Welcome welcome);

  /** May leave an acknowledgement out while the source does not read; a later one covers it. */
  void acknowledge(Acknowledgement acknowledgement);

  /** Says why, then closes. */
  void refuse(Rejected refused);

  /** Reads no more from the source until every reason has been taken back. */
  void pause(PauseReason reason);

  /** Takes one reason back. */
  void resume(PauseReason reason);

  /** Address of the source, for logs. */
  String peer();

  enum PauseReason {
    /** Too much is received that is not durable yet. */
    QUEUE_FULL,
    /** Its run cannot be written, and enough of it waits in memory. */
    RUN_NOT_WRITABLE,
    /** The source asked to close its run, which takes a while. */
    RUN_CLOSING,
    /** Others use up the memory for frames that have come in part. */
    NO_SPACE,
    /** It is not yet known what is here of it already. */
    AWAITS_WELCOME
  }
}
