package org.fedometer.collector.live;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues work for one thread, with a limit of the frames' bytes. Any thread adds without blocking.
 */
public final class FrameQueue {
  private static final Logger LOG = LoggerFactory.getLogger(FrameQueue.class);

  private final long maxBytes;

  // Guarded by the queue:
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean ending;

  private record Waiting(Runnable work, long bytes) {}

  /**
   * @param maxBytes limit of queued frames; names may use twice as much
   */
  public FrameQueue(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  public boolean hasCapacity(Frame frame) {
    return awaitCapacity(frame, () -> false);
  }

  /** Returns whether the frame fits; waits for that while {@code mayWait} is true. */
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

  /** Returns a higher limit for names, which are small unless a source is hostile. */
  private long maxBytesFor(FrameType type) {
    return type == FrameType.STAGES || type == FrameType.METRICS ? 2 * maxBytes : maxBytes;
  }

  /** Adds work of negligible size. */
  public void put(Runnable work) {
    add(new Waiting(work, 0));
  }

  /** Adds work with a frame that fits. */
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
   * Executes queued work on the calling thread while {@code running} is true. Logs what work
   * throws, and continues.
   *
   * @param periodic runs every {@code interval}, between work; its exceptions propagate
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
          LOG.error("A task of {} failed", Thread.currentThread().getName(), e);
        }
      }
      if (System.nanoTime() - nextNanos >= 0) {
        periodic.run();
        nextNanos = System.nanoTime() + interval.toNanos();
      }
    }
  }

  /**
   * Removes the oldest work; waits for it.
   *
   * @param untilNanos as {@link System#nanoTime()}
   * @return null on timeout, or if the queue has ended and is empty
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

  /** Ends waiting; queued work can still be removed. */
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

  /** Returns whether the queue has ended and is empty. */
  public boolean isDrained() {
    synchronized (queue) {
      return ending && queue.isEmpty();
    }
  }
}
