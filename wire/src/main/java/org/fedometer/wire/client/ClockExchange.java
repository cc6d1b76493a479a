package org.fedometer.wire.client;

import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.ClockReply;

/**
 * Clock requests of one connection: schedules them and evaluates the replies. Requests come in
 * bursts, one at a time, since the fastest of several replies is the most precise. A collector that
 * never replies gets one request only. Guarded by the client's lock.
 */
final class ClockExchange {
  static final int BURST = 8;

  /** Wait only for the reply, or for something to send. */
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
   * @param bootId identity of the current boot of this host, or empty
   * @param intervalNanos from the start of one burst to that of the next
   */
  ClockExchange(String bootId, long intervalNanos) {
    this.bootId = bootId;
    this.intervalNanos = intervalNanos;
  }

  /**
   * Returns the wait before the next request, 0 if it is due.
   *
   * @param wanted true if the source has sent something since the last estimate; otherwise there is
   *     nothing to date, and no further burst starts
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

  /** Returns the burst's estimate after its last reply, otherwise null. */
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
   * Bounds the true offset. One bound assumes that the reply needed no time, the other that the
   * request needed none; they are one round trip apart.
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
    // A container may have another clock in spite of the common boot.
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
