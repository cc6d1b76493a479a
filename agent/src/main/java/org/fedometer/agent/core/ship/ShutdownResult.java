package org.fedometer.agent.core.ship;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.wire.Counted;
import org.fedometer.wire.client.ClientStatus;

/**
 * Outcome for the recorded data after the connection was closed. Samples dropped by a full ring
 * count in the totals and are no failure here. Immutable.
 */
public final class ShutdownResult {

  private final String failure;
  private final long spooledBytes;

  /**
   * @param acknowledged true with a collector, false with a one-way receiver
   * @param cause why not all was sent, one sentence; empty if nothing failed
   * @param arrived true if the collector has acknowledged everything, or the receiver's connection
   *     was up after the last write
   * @param samplesDropped samples that the client had no space for
   * @param tracesDropped traces that the client had no space for
   * @param connectionError before the connection was closed; empty if none
   * @param closed the client's final status
   */
  ShutdownResult(
      boolean acknowledged,
      String cause,
      boolean arrived,
      long samplesDropped,
      long tracesDropped,
      String connectionError,
      ClientStatus closed) {
    List<String> failures = new ArrayList<>();
    if (!cause.isEmpty()) {
      failures.add(cause);
    }
    if (samplesDropped > 0 || tracesDropped > 0 || closed.framesDropped() > 0) {
      failures.add(
          Counted.of(samplesDropped, "sample")
              + ", "
              + Counted.of(tracesDropped, "trace")
              + " and "
              + Counted.of(closed.framesDropped(), "frame")
              + " were dropped because the "
              + (acknowledged ? "collector" : "receiver")
              + " did not accept them in time");
    }
    if (closed.framesLost() > 0) {
      failures.add(
          Counted.of(closed.framesLost(), "frame is lost from ", "frames are lost from ")
              + (acknowledged ? "a collector's store or in " : "")
              + "the spool");
    }
    if (!arrived && closed.framesUnsaved() > 0) {
      failures.add(
          "the last samples were not "
              + (acknowledged ? "acknowledged" : "accepted by the receiver")
              + " ("
              + Counted.of(closed.framesUnsaved(), "frame")
              + ")"
              + (connectionError.isEmpty() ? "" : ": " + connectionError)
              + (closed.spoolError().isEmpty() ? "" : "; spool: " + closed.spoolError()));
    }
    this.failure = String.join("; ", failures);
    this.spooledBytes = closed.spooledBytes();
  }

  /**
   * Returns the data that neither reached the collector nor is in the spool, one sentence; empty if
   * none.
   */
  public String failure() {
    return failure;
  }

  /** Returns the bytes in the spool for another agent. */
  public long spooledBytes() {
    return spooledBytes;
  }
}
