package org.fedometer.collector.live;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues work for one thread; the frames that the work holds are bounded in bytes. Any thread puts
 * work in, and goes on at once.
 */
public final class FrameQueue {
  private static final Logger LOG = LoggerFactory.getLogger(FrameQueue.class);

  private final long maxBytes;

  // Guarded by the queue:
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean ending;

  private record Waiting(Runnable work, long bytes) {}

  /** Frames that wait take at most {@code mostBytes}; names may take twice as much. */
  public FrameQueue(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  public boolean hasCapacity(Frame frame) {
    return awaitCapacity(frame, () -> false);
  }

  /** Whether the frame may be put in; waits for that while {@code mayWait} says so. */
  public boolean awaitCapacity(Frame frame, BooleanSupplier mayWait) {
    long maxQueuedBefore = maxBytesFor(frame.type()) - frame.sizeBytes();
    synchronized (queue) {
      try {
        while (mayWait.getAsBoolean() && !ending && queuedBytes > Math.max(0, maxQueuedBefore)) {
          queue.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return queuedBytes <= maxQueuedBefore;
    }
  }

  /** Names take little, unless somebody means harm. */
  private long maxBytesFor(FrameType type) {
    return type == FrameType.STAGES || type == FrameType.METRICS ? 2 * maxBytes : maxBytes;
  }

  /** Puts in what takes next to nothing. */
  public void put(Runnable work) {
    add(new Waiting(work, 0));
  }

  /** Puts in a frame that there is room for; the work has it. */
  public void put(Runnable work, Frame frame) {
    add(new Waiting(work, frame.sizeBytes()));
  }

  private void add(Waiting last) {
    synchronized (queue) {
      queue.add(last);
      queuedBytes += last.bytes();
      queue.notifyAll();
    }
  }

  public Runnable newestOrNull() {
    synchronized (queue) {
      return queue.isEmpty() ? null : queue.peekLast().work();
    }
  }

  /**
   * Does what is put in, on the calling thread, while {@code running} says so. Work that throws is
   * logged, and the next is done.
   *
   * @param periodic runs every {@code interval}, between two of them; what it throws is thrown
   */
  public void work(BooleanSupplier running, Duration interval, Runnable periodic)
      throws InterruptedException {
    long nextNanos = System.nanoTime() + interval.toNanos();
    while (running.getAsBoolean()) {
      Runnable oldest = take(nextNanos);
      if (oldest != null) {
        try {
          oldest.run();
        } catch (RuntimeException | Error e) {
          LOG.error("{} could not do what was asked of it", Thread.currentThread().getName(), e);
        }
      }
      if (System.nanoTime() - nextNanos >= 0) {
        periodic.run();
        nextNanos = System.nanoTime() + interval.toNanos();
      }
    }
  }

  /**
   * Takes out the oldest; waits for it.
   *
   * @param untilNanos as {@link System#nanoTime()}
   * @return null when it is that late, or when the end has come and nothing waits any more
   */
  Runnable take(long untilNanos) throws InterruptedException {
    synchronized (queue) {
      while (queue.isEmpty() && !ending) {
        long left = untilNanos - System.nanoTime();
        if (left <= 0) {
          return null;
        }
        queue.wait(Math.max(1, left / 1_000_000));
      }
      Waiting oldest = queue.poll();
      if (oldest == null) {
        return null;
      }
      queuedBytes -= oldest.bytes();
      queue.notifyAll();
      return oldest.work();
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
  public boolean isDrained() {
    synchronized (queue) {
      return ending && queue.isEmpty();
    }
  }
}
