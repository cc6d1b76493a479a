package org.fedometer.wire.client;

import org.fedometer.wire.session.ClockEstimate;

/** How a {@link CollectorClient} fares at one moment. Immutable. */
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

  /** What a client fills in: so many numbers side by side would not mind being exchanged. */
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

  /** Whether the collector has welcomed the present connection. */
  public boolean connected() {
    return connected;
  }

  /**
   * Whether the collector refuses this source, and not for the time being only; {@link #lastError}
   * says why.
   */
  public boolean rejected() {
    return rejected;
  }

  /** Memory of frames that are queued or not yet acknowledged. */
  public long queuedBytes() {
    return queuedBytes;
  }

  /** Frames that {@link CollectorClient#offer} found no room for, in memory or on disk. */
  public long framesDropped() {
    return framesDropped;
  }

  /**
   * Sequence of the newest frame of which the collector has said that it is durable; one way, of
   * the newest that was handed over a second before, see {@link OneWayProtocol}. 0 for none.
   */
  public long acknowledgedSequence() {
    return acknowledgedSequence;
  }

  /**
   * Frames that were acknowledged, but that the collector did not know when the client came back:
   * its store is another one, or lost. And frames whose spool file could not be read again.
   */
  public long framesLost() {
    return framesLost;
  }

  /** How often the collector has welcomed this client. */
  public long connections() {
    return connections;
  }

  /** What went wrong last, or the collector's notice; empty while all is well. */
  public String lastError() {
    return lastError;
  }

  /**
   * How this host's clock relates to the collector's, as last measured; null before that. Asked by
   * tests alone: the collector is told in a {@code FrameType.CLOCK} frame.
   */
  public ClockEstimate clockOrNull() {
    return clock;
  }

  /**
   * Frames that are in memory only: the collector has not acknowledged them, and they are not in
   * the spool. Once the client is closed they are given up.
   */
  public long framesUnsaved() {
    return framesUnsaved;
  }

  /**
   * Size of the files in the spool's folder that hold frames not yet acknowledged, with those that
   * an earlier process left; 0 without a spool.
   */
  public long spooledBytes() {
    return spooledBytes;
  }

  /**
   * What keeps frames from being written to the spool, or else which of them, this client's or
   * another process's, could not be read; empty while all is well.
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
