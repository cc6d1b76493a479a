package org.fedometer.driver.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Intended starts of positions in load time: segments of one rate each, or of a closed model.
 * Guarded by its schedule's lock.
 */
final class Timetable {

  /** Rate of a segment whose positions are due when a worker is free. */
  static final double CLOSED_MODEL = 0;

  private final long positions;

  /** In order of addition; the last one that begins at or before a position applies to it. */
  private final List<Segment> segments = new ArrayList<>();

  /**
   * Positions from the first on, due at even intervals or in a closed model.
   *
   * @param intendedNanos load time at which the first is due
   */
  record Segment(long firstPosition, double intendedNanos, double perSecond) {

    boolean scheduled() {
      return perSecond != CLOSED_MODEL;
    }

    double intendedNanos(long position) {
      return intendedNanos + (position - firstPosition) * (1e9 / perSecond);
    }

    /** Returns the fractional position due at a load time, without bounds. */
    double positionAt(double nanos) {
      return firstPosition + (nanos - intendedNanos) * (perSecond / 1e9);
    }
  }

  /** Creates a closed model. */
  Timetable(long positions) {
    this.positions = positions;
    segments.add(new Segment(0, 0, CLOSED_MODEL));
  }

  /**
   * Changes the rate from a load time on.
   *
   * @param next the next position to be handed out
   * @param keepsIntendedStart true if late positions keep their intended start; else they are due
   *     from then on
   */
  void change(long next, double perSecond, long loadNanos, boolean keepsIntendedStart) {
    Segment last = last();
    if (!last.scheduled()) {
      segments.add(new Segment(next, loadNanos, perSecond));
    } else {
      double at = last.positionAt(loadNanos);
      long firstFuture = Math.max(last.firstPosition(), (long) Math.floor(at) + 1);
      if (firstFuture > next && !keepsIntendedStart) {
        segments.add(new Segment(next, loadNanos, perSecond));
      } else {
        double missing = perSecond == CLOSED_MODEL ? 0 : (firstFuture - at) * (1e9 / perSecond);
        segments.add(new Segment(firstFuture, loadNanos + missing, perSecond));
      }
    }
  }

  private Segment last() {
    return segments.get(segments.size() - 1);
  }

  Segment segmentOf(long position) {
    int last = segments.size() - 1;
    while (last > 0 && segments.get(last).firstPosition() > position) {
      last--;
    }
    return segments.get(last);
  }

  /** Returns the current rate, or null in a closed model. */
  Double ratePerSecond() {
    Segment last = last();
    return last.scheduled() ? last.perSecond() : null;
  }

  /**
   * Returns how many positions were due at that load time and not handed out; 0 in a closed model.
   */
  long overdue(long next, long loadNanos) {
    long scheduledEnd = lastScheduled(next, loadNanos) + 1;
    return last().scheduled() ? Math.max(0, scheduledEnd - next) : 0;
  }

  private long lastScheduled(long next, long loadNanos) {
    for (int i = segments.size() - 1; i >= 0; i--) {
      Segment segment = segments.get(i);
      if (loadNanos >= segment.intendedNanos()) {
        long last =
            segment.scheduled() ? (long) Math.floor(segment.positionAt(loadNanos)) : next - 1;
        long end = i + 1 < segments.size() ? segments.get(i + 1).firstPosition() : positions;
        return Math.min(last, end - 1);
      }
    }
    return -1;
  }
}
