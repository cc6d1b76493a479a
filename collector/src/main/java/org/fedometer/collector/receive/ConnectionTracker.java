package org.fedometer.collector.receive;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
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
public final class ConnectionTracker {
  /** Beyond so many, a source that comes back after long may be taken for a new one. */
  private static final int MAX_KNOWN_SOURCES = 10_000;

  private final Refusals refusals = new Refusals();
  private final long graceNanos;
  private final long idleNanos;
  private int open;
  private boolean sourceSeen;

  /** Those seen last are at the end. */
  private final Set<UUID> known = new LinkedHashSet<>();

  private boolean ended;

  /** Until when to wait for the source behind each probe, oldest first. */
  private final Queue<Long> awaitedUntilNanos = new ArrayDeque<>();

  private long startGraceEndNanos;
  private long neededUntilNanos;

  /**
   * @param graceNanos time given to the first source after the start, and after each probe
   * @param idleNanos time given after the last source has left
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

  /** Returns false when it is too late: the collector ends. */
  synchronized boolean probed() {
    long now = System.nanoTime();
    expireProbes(now);
    awaitedUntilNanos.add(now + graceNanos);
    return !ended;
  }

  /**
   * One that was here before comes back after a broken connection: no probe announced it.
   *
   * @return false when it is too late: the collector ends
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

  /** Returns false when it is too late: the collector ends. */
  synchronized boolean readerArrived() {
    return !ended;
  }

  /**
   * It counts while it is connected, but is nobody that the collector was started for.
   *
   * @return false when it is too late: the collector ends
   */
  synchronized boolean logSenderArrived() {
    return !ended;
  }

  /** A reader only asked: nobody needs the collector for its sake any more. */
  synchronized void closed(boolean reader) {
    open--;
    if (sourceSeen && !reader) {
      extendNeededTime(idleNanos);
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

  /** How many sources and probes it keeps in mind. Asked by tests alone. */
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
