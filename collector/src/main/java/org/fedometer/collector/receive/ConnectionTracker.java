package org.fedometer.collector.receive;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;

/**
 * Tracks whether the collector is in use, for one that exits when idle. Any thread.
 *
 * <p>It is in use:
 *
 * <ul>
 *   <li>while a connection is open;
 *   <li>for a grace period after the start, until the first source arrives;
 *   <li>for the same period after each probe, until a new source arrives, since the sender is about
 *       to connect;
 *   <li>for a short time after the last source has left.
 * </ul>
 */
public final class ConnectionTracker {
  /** Limit, beyond which a source that returns late may count as new. */
  private static final int MAX_KNOWN_SOURCES = 10_000;

  private final Refusals refusals = new Refusals();
  private final long graceNanos;
  private final long idleNanos;
  private int open;
  private boolean sourceSeen;

  /** Last seen at the end. */
  private final Set<UUID> known = new LinkedHashSet<>();

  private boolean ended;

  /** Deadlines of awaited sources, one per probe, oldest first. */
  private final Queue<Long> awaitedUntilNanos = new ArrayDeque<>();

  private long startGraceEndNanos;
  private long neededUntilNanos;

  /**
   * @param graceNanos wait for the first source after the start, and after each probe
   * @param idleNanos time after the last source has left
   */
  public ConnectionTracker(long graceNanos, long idleNanos) {
    this.graceNanos = graceNanos;
    this.idleNanos = idleNanos;
    this.neededUntilNanos = System.nanoTime();
    this.startGraceEndNanos = neededUntilNanos + graceNanos;
  }

  public Refusals refusals() {
    return refusals;
  }

  synchronized void opened() {
    open++;
  }

  /** Records a probe; returns false if the collector already ends. */
  synchronized boolean probed() {
    long now = System.nanoTime();
    expireProbes(now);
    awaitedUntilNanos.add(now + graceNanos);
    return !ended;
  }

  /**
   * Records a source. A known one has reconnected, so no probe announced it.
   *
   * @return false if the collector already ends
   */
  public synchronized boolean sourceArrived(UUID source) {
    sourceSeen = true;
    boolean isNew = !known.remove(source);
    known.add(source);
    if (known.size() > MAX_KNOWN_SOURCES) {
      known.remove(known.iterator().next());
    }
    if (isNew) {
      awaitedUntilNanos.poll();
    }
    return !ended;
  }

  /** Returns false if the collector already ends. */
  synchronized boolean readerArrived() {
    return !ended;
  }

  /**
   * Records a log sender. It counts while connected, but does not satisfy a probe or the start.
   *
   * @return false if the collector already ends
   */
  synchronized boolean logSenderArrived() {
    return !ended;
  }

  /** Records a closed connection; a reader's does not extend the time in use. */
  synchronized void closed(boolean reader) {
    open--;
    if (sourceSeen && !reader) {
      extendNeededTime(idleNanos);
    }
  }

  /** Returns whether the collector may exit; if so, later arrivals are rejected. */
  public synchronized boolean endIfIdle() {
    ended = idle();
    return ended;
  }

  private boolean idle() {
    long now = System.nanoTime();
    boolean startGraceOver = sourceSeen || now - startGraceEndNanos >= 0;
    expireProbes(now);
    return open == 0
        && startGraceOver
        && awaitedUntilNanos.isEmpty()
        && now - neededUntilNanos >= 0;
  }

  private void expireProbes(long now) {
    while (!awaitedUntilNanos.isEmpty() && now - awaitedUntilNanos.peek() >= 0) {
      awaitedUntilNanos.remove();
    }
  }

  /** Returns the number of tracked sources and probes. For tests. */
  synchronized int knownCount() {
    return known.size() + awaitedUntilNanos.size();
  }

  private void extendNeededTime(long nanos) {
    long until = System.nanoTime() + nanos;
    if (until - neededUntilNanos > 0) {
      neededUntilNanos = until;
    }
  }
}
