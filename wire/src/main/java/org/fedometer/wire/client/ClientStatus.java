package org.fedometer.wire.client;

import org.fedometer.wire.session.ClockEstimate;

/** Status of a {@link CollectorClient} at one moment. Immutable. */
public final class ClientStatus {
  private final boolean connected;
  private final boolean rejected;
  private final long queuedBytes;
  private final long framesDropped;
  private final long acknowledgedSequence;
  private final long framesLost;
  private final long connections;
  private final String lastError;
  private final ClockEstimate clock;
  private final long framesUnsaved;
  private final long spooledBytes;
  private final String spoolError;

  /**
   * Mutable draft with named fields: a constructor's many numeric arguments could be swapped
   * unnoticed.
   */
  static final class Draft {
    boolean connected;
    boolean rejected;
    long queuedBytes;
    long framesDropped;
    long acknowledgedSequence;
    long framesLost;
    long connections;
    String lastError;
    ClockEstimate clock;
    long framesUnsaved;
    long spooledBytes;
    String spoolError;
  }

  ClientStatus(Draft draft) {
    this.connected = draft.connected;
    this.rejected = draft.rejected;
    this.queuedBytes = draft.queuedBytes;
    this.framesDropped = draft.framesDropped;
    this.acknowledgedSequence = draft.acknowledgedSequence;
    this.framesLost = draft.framesLost;
    this.connections = draft.connections;
    this.lastError = draft.lastError;
    this.clock = draft.clock;
    this.framesUnsaved = draft.framesUnsaved;
    this.spooledBytes = draft.spooledBytes;
    this.spoolError = draft.spoolError;
  }

  /** Returns whether the collector has welcomed the current connection. */
  public boolean connected() {
    return connected;
  }

  /**
   * Returns whether the collector permanently rejects this source; {@link #lastError} has the
   * reason.
   */
  public boolean rejected() {
    return rejected;
  }

  /** Memory of frames that are queued or unacknowledged. */
  public long queuedBytes() {
    return queuedBytes;
  }

  /** Frames for which {@link CollectorClient#offer} found no space, in memory or on disk. */
  public long framesDropped() {
    return framesDropped;
  }

  /**
   * Sequence of the newest frame that the collector reported durable, 0 for none. One way: the
   * newest frame handed over at least a second earlier, see {@link OneWayProtocol}.
   */
  public long acknowledgedSequence() {
    return acknowledgedSequence;
  }

  /**
   * Acknowledged frames that the collector did not have on reconnection, since its store is another
   * one or lost; also frames whose spool file was unreadable.
   */
  public long framesLost() {
    return framesLost;
  }

  /** How often the collector has welcomed this client. */
  public long connections() {
    return connections;
  }

  /** The last error, or the collector's notice; empty if there is none. */
  public String lastError() {
    return lastError;
  }

  /**
   * The last clock estimate; null before the first. For tests: the collector receives it in a
   * {@code FrameType.CLOCK} frame.
   */
  public ClockEstimate clockOrNull() {
    return clock;
  }

  /**
   * Frames in memory only: neither acknowledged nor in the spool. Closing the client discards them.
   */
  public long framesUnsaved() {
    return framesUnsaved;
  }

  /**
   * Size of spool files with unacknowledged frames, including those of earlier processes; 0 without
   * a spool.
   */
  public long spooledBytes() {
    return spooledBytes;
  }

  /**
   * The error that prevents writing to the spool, or else the spool files, of any process, that
   * were unreadable; empty if there is none.
   */
  public String spoolError() {
    return spoolError;
  }

  @Override
  public String toString() {
    return (connected ? "connected" : "not connected")
        + ", "
        + queuedBytes
        + " bytes queued, acknowledged up to frame "
        + acknowledgedSequence
        + "; frames: "
        + framesDropped
        + " dropped, "
        + framesLost
        + " lost"
        + (spooledBytes == 0 ? "" : ", " + spooledBytes + " bytes spooled")
        + (lastError.isEmpty() ? "" : "; " + lastError)
        + (spoolError.isEmpty() ? "" : "; spool: " + spoolError);
  }
}
