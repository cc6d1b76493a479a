package org.fedometer.driver.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RunStop;

/**
 * Hands out the positions of an ingest, from zero on, and holds each back until it is due. Workers
 * take and wait; whoever conducts the load changes the rate, pauses it and ends it meanwhile, and a
 * position that waits follows the change. Safe for use by many threads.
 *
 * <p>Its time is that of the load, which stands still in a pause: so whatever was due later, by a
 * rate or by the end of a step, is due later by the length of the pause, and nobody is late for it.
 */
public final class Schedule {

  private final long positions;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Under the lock. */
  private final Timetable timetable;

  private final List<Pause> pauses = new ArrayList<>();

  private long startNanos;
  private long pausedNanos;
  private long pausedSince;
  private boolean paused;
  private boolean stopped;
  private boolean over;
  private long next;

  /** Whether something has changed that the conductor has not been told of. */
  private boolean changedSinceWait;

  private long holdAt = Long.MAX_VALUE;
  private long endNanos = Long.MAX_VALUE;

  public Schedule(long positions) {
    this.positions = positions;
    this.timetable = new Timetable(positions);
  }

  /** The load begins; called before any worker takes anything. */
  public void start(long nanos) {
    lock.lock();
    try {
      startNanos = nanos;
    } finally {
      lock.unlock();
    }
  }

  /** Nanoseconds of the load until that time, without its pauses. */
  public long loadNanos(long nanos) {
    lock.lock();
    try {
      return loadNanosLocked(nanos);
    } finally {
      lock.unlock();
    }
  }

  private long loadNanosLocked(long nanos) {
    long until = paused && nanos - pausedSince > 0 ? pausedSince : nanos;
    return until - startNanos - pausedNanos;
  }

  /**
   * The next position, or -1 if there is none for this worker any more. Waits at a barrier, and for
   * the end of the load where nothing more is due before it.
   *
   * @param wanted whether the worker is to go on
   */
  long take(BooleanSupplier wanted) throws RunStop {
    lock.lock();
    try {
      long signalledPosition = -1;
      while (!stopped && !over && next < positions && wanted.getAsBoolean()) {
        if (next < holdAt && !isPastEnd(next)) {
          return next++;
        }
        if (signalledPosition != next) {
          // For whoever conducts the load, and once: those that wait here wake each other by it.
          signalledPosition = next;
          signalChange();
        }
        await(Long.MAX_VALUE);
      }
      return -1;
    } finally {
      lock.unlock();
    }
  }

  private boolean isPastEnd(long position) {
    if (endNanos == Long.MAX_VALUE) {
      return false;
    }
    Timetable.Segment segment = timetable.segmentOf(position);
    return segment.scheduled()
        ? segment.intendedNanos(position) >= endNanos
        : loadNanosLocked(System.nanoTime()) >= endNanos;
  }

  /**
   * Waits until the position is due.
   *
   * @param evenIfOver whether it is to be sent though the load is over
   * @return when it was, or null if it is not to be sent any more: nothing of it has been
   */
  IntendedStart awaitIntendedStart(long position, boolean evenIfOver) throws RunStop {
    lock.lock();
    try {
      while (true) {
        Timetable.Segment segment = timetable.segmentOf(position);
        long now = System.nanoTime();
        long intendedNanos = segment.scheduled() ? Math.round(segment.intendedNanos(position)) : 0;
        if (!paused) {
          long waitNanos = segment.scheduled() ? intendedNanos - loadNanosLocked(now) : 0;
          if (waitNanos <= 0) {
            return segment.scheduled()
                ? IntendedStart.at(startNanos + pausedNanos + intendedNanos)
                : IntendedStart.whenSent();
          }
          if (stopped || over && !evenIfOver) {
            return null;
          }
          await(waitNanos);
        } else if (stopped) {
          return null;
        } else {
          await(Long.MAX_VALUE);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void await(long nanos) throws RunStop {
    try {
      changed.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunStop.asRequested();
    }
  }

  /**
   * For whoever conducts the load, and nobody else: returns when something has changed since it
   * returned last, or at that time.
   */
  public void awaitChange(long untilNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (!changedSinceWait) {
        changed.await(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
      changedSinceWait = false;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all that wait; under the lock. */
  private void signalChange() {
    changedSinceWait = true;
    changed.signalAll();
  }

  public void wake() {
    lock.lock();
    try {
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /**
   * From now on objects are due at this rate: the next one when it would have been, had the rate
   * been that one since the last was due. What is late is due from now on, too, at even distances.
   */
  public void setRate(double perSecond, long nanos) {
    lock.lock();
    try {
      timetable.change(next, perSecond, loadNanosLocked(nanos), false);
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** The same at a load time, for a step; what is late stays due when it was. */
  void setStepRate(double perSecond, long loadNanos) {
    lock.lock();
    try {
      timetable.change(next, perSecond, loadNanos, true);
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** From now on an object is due when a worker has time for it. */
  public void useClosedModel(long nanos) {
    setRate(Timetable.CLOSED_MODEL, nanos);
  }

  /** The present rate, or null in a closed model. */
  public Double ratePerSecond() {
    lock.lock();
    try {
      return timetable.ratePerSecond();
    } finally {
      lock.unlock();
    }
  }

  /** How many positions have been due for that long and were not taken; 0 in a closed model. */
  public long overdue(long loadNanos, long forNanos) {
    lock.lock();
    try {
      return timetable.overdue(next, loadNanos - forNanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Nothing is sent any more until {@link #resume}; what is under way goes on.
   *
   * @return false if it is paused already
   */
  public boolean pause(long nanos) {
    lock.lock();
    try {
      if (paused) {
        return false;
      }
      paused = true;
      pausedSince = nanos;
      signalChange();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The load goes on where it was paused.
   *
   * @return false if it is not paused
   */
  public boolean resume(long nanos) {
    lock.lock();
    try {
      if (!paused) {
        return false;
      }
      paused = false;
      pausedNanos += nanos - pausedSince;
      pauses.add(new Pause(pausedSince, nanos));
      signalChange();
      return true;
    } finally {
      lock.unlock();
    }
  }

  public boolean paused() {
    lock.lock();
    try {
      return paused;
    } finally {
      lock.unlock();
    }
  }

  /** All pauses, oldest first; one that lasts ends at that time. */
  public List<Pause> pauses(long nanos) {
    lock.lock();
    try {
      List<Pause> all = new ArrayList<>(pauses);
      if (paused) {
        all.add(new Pause(pausedSince, nanos));
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** When that load time is, or {@link Long#MAX_VALUE} while nobody knows, since it is paused. */
  public long nanosOf(long loadNanos) {
    lock.lock();
    try {
      return paused || loadNanos == Long.MAX_VALUE
          ? Long.MAX_VALUE
          : startNanos + pausedNanos + loadNanos;
    } finally {
      lock.unlock();
    }
  }

  /** Nothing is handed out that is not due before that load time. */
  public void endAt(long loadNanos) {
    lock.lock();
    try {
      endNanos = loadNanos;
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** The load is over: nothing more is handed out, and what is not due yet is handed back. */
  void end() {
    lock.lock();
    try {
      over = true;
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #end}, in a pause, too. */
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** Workers wait before this position until there is another barrier. */
  void holdAt(long position) {
    lock.lock();
    try {
      holdAt = position;
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** The position that is handed out next. */
  public long next() {
    lock.lock();
    try {
      return next;
    } finally {
      lock.unlock();
    }
  }

  boolean exhausted() {
    lock.lock();
    try {
      return stopped || over || next >= positions;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes back the last position that was handed out; when no worker is left.
   *
   * @return false if another was handed out after it
   */
  boolean returnLast(long position) {
    lock.lock();
    try {
      if (position != next - 1) {
        return false;
      }
      next--;
      return true;
    } finally {
      lock.unlock();
    }
  }
}
