package org.fedometer.wire.client;

import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.ClockReply;

/**
 * One connection's questions for the collector's time: when to ask the next one, and what the
 * answers say. Questions come in bursts, one at a time, as the quickest answer of several tells
 * most; a collector that never answers is therefore asked once. Guarded by the client's lock.
 */
final class ClockExchange {
  static final int BURST = 8;

  /** Nothing to wait for but the reply, or something to send. */
  static final long NEVER = Long.MAX_VALUE;

  private final String bootId;
  private final long intervalNanos;
  private boolean awaitsReply;
  private long requestedNanos;
  private boolean hasBurst;
  private long burstNanos;
  private int replies;
  private long bestRoundTripNanos;
  private ClockEstimate best;

  /**
   * @param bootId identity of the present boot of this host, or empty
   * @param intervalNanos from the beginning of one burst to that of the next
   */
  ClockExchange(String bootId, long intervalNanos) {
    this.bootId = bootId;
    this.intervalNanos = intervalNanos;
  }

  /**
   * How long to wait before the next question, 0 if it is due.
   *
   * @param wanted the source has sent something since the last estimate; while it has not, there is
   *     nothing to date, and no further burst begins
   */
  long waitNanos(long nowNanos, boolean wanted) {
    if (awaitsReply) {
      return NEVER;
    }
    if (replies > 0 || !hasBurst) {
      return 0;
    }
    return wanted ? Math.max(0, intervalNanos - (nowNanos - burstNanos)) : NEVER;
  }

  void requestSent(long nowNanos) {
    if (replies == 0) {
      burstNanos = nowNanos;
      hasBurst = true;
    }
    requestedNanos = nowNanos;
    awaitsReply = true;
  }

  /** Returns the burst's estimate when its last reply has come, otherwise null. */
  ClockEstimate replyReceived(ClockReply reply, long arrivedNanos) {
    if (!awaitsReply || reply.sentNanos() != requestedNanos) {
      return null;
    }
    awaitsReply = false;
    replies++;
    measure(reply, arrivedNanos);
    if (replies < BURST) {
      return null;
    }
    ClockEstimate estimate = best;
    replies = 0;
    best = null;
    return estimate;
  }

  /**
   * The true offset lies between that of a reply without any way back and that of a request without
   * any way there; the two are one round trip apart.
   */
  private void measure(ClockReply reply, long arrivedNanos) {
    long min = reply.repliedNanos() - arrivedNanos;
    long max = reply.receivedNanos() - reply.sentNanos();
    long roundTripNanos = max - min;
    boolean possible =
        roundTripNanos >= 0
            && reply.repliedNanos() - reply.receivedNanos() >= 0
            && arrivedNanos - reply.sentNanos() >= 0;
    if (!possible || best != null && roundTripNanos >= bestRoundTripNanos) {
      return;
    }
    bestRoundTripNanos = roundTripNanos;
    // A container may have a clock of its own in spite of the common boot.
    boolean sameClock = !bootId.isEmpty() && bootId.equals(reply.bootId()) && min <= 0 && max >= 0;
    best =
        sameClock
            ? new ClockEstimate(arrivedNanos, 0, 0, reply.bootId())
            : new ClockEstimate(
                arrivedNanos,
                min + roundTripNanos / 2,
                roundTripNanos - roundTripNanos / 2,
                reply.bootId());
  }
}
