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
 * Hands out the positions of an ingest, from zero on, and delays each until it is due. Changes of
 * the rate, pauses and the end also apply to positions that already wait. Thread-safe.
 *
 * <p>Load time stands still during a pause. Everything due later by a rate or a step's end is
 * shifted by the pause, and is not late.
 */
public final class Schedule {

  private final long positions;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock. */
  private final Timetable timetable;

  private final List<Pause> pauses = new ArrayList<>();

  private long startNanos;
  private long pausedNanos;
  private long pausedSince;
  private boolean paused;
  private boolean stopped;
  private boolean over;
  private long next;

  /** True after a change that the conducting thread has not seen. */
  private boolean changedSinceWait;

  private long holdAt = Long.MAX_VALUE;
  private long endNanos = Long.MAX_VALUE;

  public Schedule(long positions) {
    this.positions = positions;
    this.timetable = new Timetable(positions);
  }

  /** Starts the load; call before any worker takes a position. */
  public void start(long nanos) {
    lock.lock();
    try {
      startNanos = nanos;
    } finally {
      lock.unlock();
    }
  }

  /** Returns nanoseconds of the load until that time, without pauses. */
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
   * Returns the next position, or -1 if there is none for this worker. Waits at a marker, and for
   * the end of the load if nothing more is due before it.
   *
   * @param wanted true while the worker is to continue
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
          // Signals only once per position: waiting workers would wake each other.
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
   * @param evenIfOver true to send it even after the load's end
   * @return the intended start, or null if it is no longer to be sent: nothing was
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
   * Returns after a change since the last call, or at that time. For the conducting thread only.
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

  /** Wakes all waiting threads; requires the lock. */
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
   * Changes the rate. The next object is due as if the rate had applied since the last was due.
   * Late objects become due from now on, at even intervals.
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

  /** Changes the rate at a load time, for a step; late objects keep their intended start. */
  void setStepRate(double perSecond, long loadNanos) {
    lock.lock();
    try {
      timetable.change(next, perSecond, loadNanos, true);
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** Switches to a closed model: an object is due when a worker is free. */
  public void useClosedModel(long nanos) {
    setRate(Timetable.CLOSED_MODEL, nanos);
  }

  /** Returns the current rate, or null in a closed model. */
  public Double ratePerSecond() {
    lock.lock();
    try {
      return timetable.ratePerSecond();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many positions have been due for that long and not taken; 0 in a closed model. */
  public long overdue(long loadNanos, long forNanos) {
    lock.lock();
    try {
      return timetable.overdue(next, loadNanos - forNanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops sending until {@link #resume}; requests under way continue.
   *
   * @return false if already paused
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
   * Resumes the load.
   *
   * @return false if not paused
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

  /** Returns all pauses, oldest first; a current one ends at the given time. */
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

  /** Returns the time of a load time, or {@link Long#MAX_VALUE} if unknown during a pause. */
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

  /** Ends the load at a load time: positions not due before it are not handed out. */
  public void endAt(long loadNanos) {
    lock.lock();
    try {
      endNanos = loadNanos;
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the load: nothing more is handed out, and positions not yet due are returned. */
  void end() {
    lock.lock();
    try {
      over = true;
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** Same as {@link #end}, also during a pause. */
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** Sets the marker: workers wait before this position until it moves. */
  void holdAt(long position) {
    lock.lock();
    try {
      holdAt = position;
      signalChange();
    } finally {
      lock.unlock();
    }
  }

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
   * Returns the last position, when no worker is left.
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
