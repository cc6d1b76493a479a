package org.fedometer.driver;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures the overall rate, the recent rate and the trend of a load. Times exclude pauses. The
 * conducting thread notes; any thread may read.
 */
final class LoadPace {

  private static final int RECENT_TICKS = 20;

  /** Guarded by itself. */
  private final Deque<Tick> recent = new ArrayDeque<>();

  private final RateHistory history = new RateHistory();

  private record Tick(long loadNanos, long done) {}

  /**
   * @param done objects or steps that succeeded
   */
  void note(long loadNanos, long done) {
    synchronized (recent) {
      // Load time stands still during a pause.
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
   * Returns objects per second over about the last ten seconds.
   *
   * @param overall result when too little was noted
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
