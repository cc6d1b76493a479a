package org.fedometer.agent.core.ship;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.wire.Counted;
import org.fedometer.wire.client.ClientStatus;

/**
 * What has become of all that was recorded, once the connection is closed. Samples that found a
 * full ring count in the totals and are no trouble of the ending. Immutable.
 */
public final class ShutdownResult {

  private final String failure;
  private final long spooledBytes;

  /**
   * @param acknowledged whether there is a collector; else a receiver is told one way
   * @param cause why not all was sent, one sentence; empty if nothing was in the way
   * @param arrived whether the collector has acknowledged all that it was sent, or the receiver's
   *     connection stood when all was written
   * @param samplesDropped for which the client had no room
   * @param tracesDropped likewise
   * @param connectionError before the connection was closed; empty if all was well
   * @param closed how the client ended
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
              + " were dropped, as the "
              + (acknowledged ? "collector" : "receiver")
              + " did not take them in time");
    }
    if (closed.framesLost() > 0) {
      failures.add(
          Counted.of(
                  closed.framesLost(),
                  "frame is lost that was in ",
                  "frames are lost that were in ")
              + (acknowledged ? "a collector's store or in " : "")
              + "the spool");
    }
    if (!arrived && closed.framesUnsaved() > 0) {
      failures.add(
          "the last samples were not "
              + (acknowledged ? "acknowledged" : "taken by the receiver")
              + " ("
              + Counted.of(closed.framesUnsaved(), "frame")
              + ")"
              + (connectionError.isEmpty() ? "" : ": " + connectionError)
              + (closed.spoolError().isEmpty() ? "" : "; spool: " + closed.spoolError()));
    }
    this.failure = String.join("; ", failures);
    this.spooledBytes = closed.spooledBytes();
  }

  /** What neither reached the collector nor waits in the spool, one sentence; empty if nothing. */
  public String failure() {
    return failure;
  }

  /** What waits in the spool for another agent; 0 if nothing. */
  public long spooledBytes() {
    return spooledBytes;
  }
}
