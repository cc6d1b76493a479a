package org.fedometer.collector.receive;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;

/**
 * Knows whether anybody needs the collector, for one that ends when nobody does. Any thread.
 *
 * <p>It is needed while a connection is open, for a while after the start (until the first source
 * has come), for as long after each probe (whose sender is about to connect, until a new source has
 * come), and for a short while after the last source has left.
 */
public final class ConnectionWatch {
  private final long graceNanos;
  private final long idleNanos;
  private int open;
  private boolean sourceSeen;
  private final Set<UUID> known = new HashSet<>();
  private boolean ended;

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

  /** Returns false when it is too late: the collector ends. */
  synchronized boolean probed() {
    awaitedUntilNanos.add(System.nanoTime() + graceNanos);
    return !ended;
  }

  /**
   * One that was here before comes back after a broken connection: no probe announced it.
   *
   * @return false when it is too late: the collector ends
   */
  synchronized boolean sourceArrived(UUID source) {
    sourceSeen = true;
    if (known.add(source)) {
      awaitedUntilNanos.poll();
    }
    return !ended;
  }

  /** Returns false when it is too late: the collector ends. */
  synchronized boolean readerArrived() {
    return !ended;
  }

  /**
   * @param reader it only asked: nobody needs the collector for its sake any more
   */
  synchronized void closed(boolean reader) {
    open--;
    if (sourceSeen && !reader) {
      needFor(idleNanos);
    }
  }

  /** Whether the collector may end; if so, whoever comes from now on is too late. */
  public synchronized boolean endIfIdle() {
    ended = idle();
    return ended;
  }

  private boolean idle() {
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
