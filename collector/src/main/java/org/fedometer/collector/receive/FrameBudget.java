package org.fedometer.collector.receive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Memory for partially received frames, shared by all connections, which bounds their total.
 *
 * <p>A frame reserves all its bytes at once or waits, first come, first served, so granted frames
 * can always be completed. A stalled frame is evicted when others wait. For the event loop that all
 * connections share.
 */
final class FrameBudget {
  private final long bytes;
  private final int maxSilentTicks;
  private final int maxTicks;
  private final BooleanSupplier blocked;
  private final Set<Reservation> granted = new LinkedHashSet<>();
  private final Queue<Reservation> waiting = new ArrayDeque<>();
  private long reservedBytes;

  /** The owner of an incomplete frame. */
  interface Waiter {
    /** Grants the reservation after waiting; must not reserve or release within the call. */
    void granted();

    /** Evicts a stalled frame because others wait; its reservation is released. */
    void evicted();
  }

  /**
   * @param bytes total; a larger frame is granted only alone
   * @param maxSilentTicks ticks without a byte before a frame is evicted, if others wait
   * @param maxTicks the same for the frame's total time
   * @param blocked while true, nothing is granted: received frames are not stored yet
   */
  FrameBudget(long bytes, int maxSilentTicks, int maxTicks, BooleanSupplier blocked) {
    if (bytes < 1 || maxSilentTicks < 1 || maxTicks < 1) {
      throw new IllegalArgumentException(
          "Limits are positive: %d bytes, %d silent ticks, %d ticks"
              .formatted(bytes, maxSilentTicks, maxTicks));
    }
    this.bytes = bytes;
    this.maxSilentTicks = maxSilentTicks;
    this.maxTicks = maxTicks;
    this.blocked = blocked;
  }

  /** A frame's reservation, granted or waiting, until released. */
  final class Reservation {
    private final Waiter waiter;
    private final int frameBytes;
    private final int waitingBytes;
    private int ticks;
    private int silentTicks;

    private Reservation(Waiter waiter, int frameBytes, int waitingBytes) {
      this.waiter = waiter;
      this.frameBytes = frameBytes;
      this.waitingBytes = waitingBytes;
    }

    boolean isGranted() {
      return granted.contains(this);
    }

    void progressed() {
      silentTicks = 0;
    }

    /** Releases the reservation of a complete or abandoned frame. */
    void release() {
      if (granted.remove(this)) {
        reservedBytes -= frameBytes;
      } else if (waiting.remove(this)) {
        reservedBytes -= waitingBytes;
      }
      grantWaiting();
    }
  }

  /**
   * @param frameBytes size of the whole frame
   * @param waitingBytes its received bytes, kept even while waiting
   */
  Reservation reserve(Waiter waiter, int frameBytes, int waitingBytes) {
    Reservation reservation = new Reservation(waiter, frameBytes, waitingBytes);
    if (waiting.isEmpty() && fits(frameBytes)) {
      granted.add(reservation);
      reservedBytes += frameBytes;
    } else {
      waiting.add(reservation);
      reservedBytes += waitingBytes;
    }
    return reservation;
  }

  /** Grants waiting reservations; call when {@code blocked} may have become false. */
  void grantWaiting() {
    while (!waiting.isEmpty()
        && fits((long) waiting.peek().frameBytes - waiting.peek().waitingBytes)) {
      Reservation next = waiting.remove();
      granted.add(next);
      reservedBytes += next.frameBytes - next.waitingBytes;
      next.waiter.granted();
    }
  }

  /**
   * Returns whether it fits. The first always does: otherwise many waiting parts would block each
   * other.
   */
  private boolean fits(long moreBytes) {
    return !blocked.getAsBoolean() && (granted.isEmpty() || reservedBytes + moreBytes <= bytes);
  }

  /** Evicts stalled frames; call periodically. */
  void tick() {
    grantWaiting();
    List<Reservation> timedOut = new ArrayList<>();
    for (Reservation reservation : granted) {
      reservation.ticks++;
      reservation.silentTicks++;
      if (reservation.silentTicks > maxSilentTicks || reservation.ticks > maxTicks) {
        timedOut.add(reservation);
      }
    }
    for (Reservation reservation : timedOut) {
      if (!waiting.isEmpty()) {
        reservation.waiter.evicted();
        reservation.release();
      }
    }
  }
}
