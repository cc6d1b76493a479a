package org.fedometer.collector.live;

import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;

/**
 * What waits for somebody who follows what becomes durable: frames, of a bounded size together, and
 * what becomes of runs. The journal's thread and others put it in and go on at once; one thread of
 * the follower's takes it out.
 */
public final class FrameQueue<E> {
  private final long mostBytes;

  // Guarded by the queue:
  private final ArrayDeque<Waiting<E>> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean ending;

  private record Waiting<E>(E event, long bytes) {}

  /** Frames that wait take at most {@code mostBytes}; names may take twice as much. */
  public FrameQueue(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  public boolean hasRoom(Frame frame) {
    return awaitRoom(frame, () -> false);
  }

  /** Whether the frame may be put in; waits for that while {@code mayWait} says so. */
  public boolean awaitRoom(Frame frame, BooleanSupplier mayWait) {
    long mostBefore = mostBytesFor(frame.type()) - frame.sizeBytes();
    synchronized (queue) {
      try {
        while (mayWait.getAsBoolean() && !ending && queuedBytes > Math.max(0, mostBefore)) {
          queue.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return queuedBytes <= mostBefore;
    }
  }

  /** Names take little, unless somebody means harm. */
  private long mostBytesFor(FrameType type) {
    return type == FrameType.STAGES || type == FrameType.METRICS ? 2 * mostBytes : mostBytes;
  }

  /** Puts in what takes next to nothing. */
  public void put(E event) {
    add(new Waiting<>(event, 0));
  }

  /** Puts in a frame that there is room for; the event has it. */
  public void put(E event, Frame frame) {
    add(new Waiting<>(event, frame.sizeBytes()));
  }

  private void add(Waiting<E> last) {
    synchronized (queue) {
      queue.add(last);
      queuedBytes += last.bytes();
      queue.notifyAll();
    }
  }

  public E newestOrNull() {
    synchronized (queue) {
      return queue.isEmpty() ? null : queue.peekLast().event();
    }
  }

  /**
   * Takes out the oldest; waits for it.
   *
   * @param untilNanos as {@link System#nanoTime()}
   * @return null when it is that late, or when the end has come and nothing waits any more
   */
  public E take(long untilNanos) throws InterruptedException {
    synchronized (queue) {
      while (queue.isEmpty() && !ending) {
        long left = untilNanos - System.nanoTime();
        if (left <= 0) {
          return null;
        }
        queue.wait(Math.max(1, left / 1_000_000));
      }
      Waiting<E> oldest = queue.poll();
      if (oldest == null) {
        return null;
      }
      queuedBytes -= oldest.bytes();
      queue.notifyAll();
      return oldest.event();
    }
  }

  /** Nobody waits any more; what is here can still be taken. */
  public void end() {
    synchronized (queue) {
      ending = true;
      queue.notifyAll();
    }
  }

  public boolean isEnding() {
    synchronized (queue) {
      return ending;
    }
  }

  /** Whether the end has come and nothing waits any more. */
  public boolean isOver() {
    synchronized (queue) {
      return ending && queue.isEmpty();
    }
  }
}
