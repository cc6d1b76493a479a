package org.fedometer.collector.receive;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Knows whether anybody needs the collector, for one that ends when nobody does. Any thread.
 *
 * <p>It is needed while a connection is open, for a while after the start (until the first source
 * has come), for as long after each probe (whose sender is about to connect, until a source has
 * come for it), and for a short while after the last source has left.
 */
public final class ConnectionWatch {
  private final long graceNanos;
  private final long idleNanos;
  private int open;
  private boolean sourceSeen;

  /** Until when to wait for the source behind each probe, oldest first. */
  private final Queue<Long> awaitedUntilNanos = new ArrayDeque<>();

  private long startGraceEndNanos;
  private long neededUntilNanos;

  /**
   * @param graceNanos time given to the first source after the start, and after each probe
   * @param idleNanos time given after the last source has left
   */
  public ConnectionWatch(long graceNanos, long idleNanos) {
    this.graceNanos = graceNanos;
    this.idleNanos = idleNanos;
    this.neededUntilNanos = System.nanoTime();
    this.startGraceEndNanos = neededUntilNanos + graceNanos;
  }

  synchronized void opened() {
    open++;
  }

  synchronized void probed() {
    awaitedUntilNanos.add(System.nanoTime() + graceNanos);
  }

  synchronized void sourceArrived() {
    sourceSeen = true;
    awaitedUntilNanos.poll();
  }

  synchronized void closed() {
    open--;
    if (sourceSeen) {
      needFor(idleNanos);
    }
  }

  /** Whether the collector may end. */
  public synchronized boolean idle() {
    long now = System.nanoTime();
    boolean startGraceOver = sourceSeen || now - startGraceEndNanos >= 0;
    while (!awaitedUntilNanos.isEmpty() && now - awaitedUntilNanos.peek() >= 0) {
      awaitedUntilNanos.remove();
    }
    return open == 0
        && startGraceOver
        && awaitedUntilNanos.isEmpty()
        && now - neededUntilNanos >= 0;
  }

  private void needFor(long nanos) {
    long until = System.nanoTime() + nanos;
    if (until - neededUntilNanos > 0) {
      neededUntilNanos = until;
    }
  }
}
