package org.fedometer.collector.receive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Memory for frames of which only a part has come, shared by all connections, so that many of them
 * cannot fill the heap together. A frame gets room for all of its bytes at once or waits, first
 * come, first served: whoever is in can always be finished. One that stops coming must leave when
 * others wait. Belongs to the event loop that all connections share.
 */
final class FrameBudget {
  private final long bytes;
  private final int maxSilentTicks;
  private final int maxTicks;
  private final BooleanSupplier blocked;
  private final Set<Reservation> granted = new LinkedHashSet<>();
  private final Queue<Reservation> waiting = new ArrayDeque<>();
  private long reservedBytes;

  /** Who has a frame that is not whole yet. */
  interface Waiter {
    /** Its turn after waiting; must not enter or leave at once. */
    void granted();

    /** Its frame does not come, and others wait; the guest leaves. */
    void evicted();
  }

  /**
   * @param bytes for all; a frame that is larger gets in when nobody else is
   * @param maxSilentTicks after so many ticks without a byte a frame is given up, if others wait
   * @param maxTicks likewise from its beginning to its end
   * @param blocked while true, nobody gets in: what has come in before is not stored yet
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

  /** A frame's place, inside or in the queue, until it is left. */
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

    /** The frame is whole, or it will not be. */
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
   * @param frameBytes of the whole frame
   * @param waitingBytes of it that are here and must be kept even if it has to wait
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

  /** To be called when the room may no longer be shut. */
  void grantWaiting() {
    while (!waiting.isEmpty()
        && fits((long) waiting.peek().frameBytes - waiting.peek().waitingBytes)) {
      Reservation next = waiting.remove();
      granted.add(next);
      reservedBytes += next.frameBytes - next.waitingBytes;
      next.waiter.granted();
    }
  }

  /** The first one always fits: else many parts that wait would keep each other waiting. */
  private boolean fits(long moreBytes) {
    return !blocked.getAsBoolean() && (granted.isEmpty() || reservedBytes + moreBytes <= bytes);
  }

  /** To be called regularly. */
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
