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
final class FrameRoom {
  private final long bytes;
  private final int mostSilentTicks;
  private final int mostTicks;
  private final BooleanSupplier shut;
  private final Set<Place> inside = new LinkedHashSet<>();
  private final Queue<Place> waiting = new ArrayDeque<>();
  private long takenBytes;

  /** Who has a frame that is not whole yet. */
  interface Guest {
    /** Its turn after waiting; must not enter or leave at once. */
    void letIn();

    /** Its frame does not come, and others wait; the guest leaves. */
    void turnOut();
  }

  /**
   * @param bytes for all; a frame that is larger gets in when nobody else is
   * @param mostSilentTicks after so many ticks without a byte a frame is given up, if others wait
   * @param mostTicks likewise from its beginning to its end
   * @param shut while true, nobody gets in: what has come in before is not stored yet
   */
  FrameRoom(long bytes, int mostSilentTicks, int mostTicks, BooleanSupplier shut) {
    if (bytes < 1 || mostSilentTicks < 1 || mostTicks < 1) {
      throw new IllegalArgumentException(
          "Limits are positive: %d bytes, %d silent ticks, %d ticks"
              .formatted(bytes, mostSilentTicks, mostTicks));
    }
    this.bytes = bytes;
    this.mostSilentTicks = mostSilentTicks;
    this.mostTicks = mostTicks;
    this.shut = shut;
  }

  /** A frame's place, inside or in the queue, until it is left. */
  final class Place {
    private final Guest guest;
    private final int frameBytes;
    private final int waitingBytes;
    private int ticks;
    private int silentTicks;

    private Place(Guest guest, int frameBytes, int waitingBytes) {
      this.guest = guest;
      this.frameBytes = frameBytes;
      this.waitingBytes = waitingBytes;
    }

    boolean isInside() {
      return inside.contains(this);
    }

    void heard() {
      silentTicks = 0;
    }

    /** The frame is whole, or it will not be. */
    void leave() {
      if (inside.remove(this)) {
        takenBytes -= frameBytes;
      } else if (waiting.remove(this)) {
        takenBytes -= waitingBytes;
      }
      letIn();
    }
  }

  /**
   * @param frameBytes of the whole frame
   * @param waitingBytes of it that are here and must be kept even if it has to wait
   */
  Place enter(Guest guest, int frameBytes, int waitingBytes) {
    Place place = new Place(guest, frameBytes, waitingBytes);
    if (waiting.isEmpty() && fits(frameBytes)) {
      inside.add(place);
      takenBytes += frameBytes;
    } else {
      waiting.add(place);
      takenBytes += waitingBytes;
    }
    return place;
  }

  /** To be called when the room may no longer be shut. */
  void letIn() {
    while (!waiting.isEmpty()
        && fits((long) waiting.peek().frameBytes - waiting.peek().waitingBytes)) {
      Place next = waiting.remove();
      inside.add(next);
      takenBytes += next.frameBytes - next.waitingBytes;
      next.guest.letIn();
    }
  }

  /** The first one always fits: else many parts that wait would keep each other waiting. */
  private boolean fits(long moreBytes) {
    return !shut.getAsBoolean() && (inside.isEmpty() || takenBytes + moreBytes <= bytes);
  }

  /** To be called regularly. */
  void tick() {
    letIn();
    List<Place> late = new ArrayList<>();
    for (Place place : inside) {
      place.ticks++;
      place.silentTicks++;
      if (place.silentTicks > mostSilentTicks || place.ticks > mostTicks) {
        late.add(place);
      }
    }
    for (Place place : late) {
      if (!waiting.isEmpty()) {
        place.guest.turnOut();
        place.leave();
      }
    }
  }
}
