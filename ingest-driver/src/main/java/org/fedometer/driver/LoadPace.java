package org.fedometer.driver;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How fast a load goes: over all, lately, and whether it gets slower. Times are those of the load,
 * without pauses. Noted by the conductor, read by any thread.
 */
final class LoadPace {

  private static final int RECENT_TICKS = 20;

  /** Guards itself. */
  private final Deque<Tick> recent = new ArrayDeque<>();

  private final RateHistory history = new RateHistory();

  private record Tick(long loadNanos, long done) {}

  /**
   * @param done objects, or steps, that went well
   */
  void note(long loadNanos, long done) {
    synchronized (recent) {
      // In a pause that time stands still.
      if (recent.isEmpty() || loadNanos > recent.peekLast().loadNanos()) {
        recent.addLast(new Tick(loadNanos, done));
      }
      while (recent.size() > RECENT_TICKS) {
        recent.removeFirst();
      }
    }
    history.note(loadNanos, done);
  }

  /**
   * Objects per second of the last ten seconds or so.
   *
   * @param overall what it is where hardly anything was noted yet
   */
  double recentRate(long loadNanos, long done, double overall) {
    synchronized (recent) {
      Tick oldest = recent.peekFirst();
      return oldest != null && loadNanos - oldest.loadNanos() > 1_000_000_000L
          ? (done - oldest.done()) * 1e9 / (loadNanos - oldest.loadNanos())
          : overall;
    }
  }

  IngestProgress.Trend trend(long loadNanos, long done) {
    return history.trend(loadNanos, done);
  }
}
