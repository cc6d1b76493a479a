package org.fedometer.driver;

/**
 * History of the number of ingested objects over two hours, enough to detect that a load gets
 * slower. Times exclude pauses. Thread-safe.
 */
final class RateHistory {

  private static final long SPACING_NANOS = 10_000_000_000L;
  private static final long HOUR_NANOS = 3600_000_000_000L;
  private static final int CAPACITY = (int) (2 * HOUR_NANOS / SPACING_NANOS) + 2;

  /** Two shorter periods show no trend. */
  private static final long MIN_WINDOW_NANOS = HOUR_NANOS / 12;

  private final long[] nanos = new long[CAPACITY];
  private final long[] ingested = new long[CAPACITY];

  /** Number of notes ever made; the newest {@value #CAPACITY} are kept. */
  private int noted;

  /** Notes the count if the last note is at least ten seconds old. */
  synchronized void note(long loadNanos, long objects) {
    if (noted > 0 && loadNanos - nanos[(noted - 1) % CAPACITY] < SPACING_NANOS) {
      return;
    }
    nanos[noted % CAPACITY] = loadNanos;
    ingested[noted % CAPACITY] = objects;
    noted++;
  }

  /**
   * Returns the rate of the last hour beside that of the hour before. A younger load is split into
   * two equal periods; one that has hardly begun has a single period.
   */
  synchronized IngestProgress.Trend trend(long loadNanos, long objects) {
    if (noted == 0 || loadNanos <= nanos[oldest()]) {
      return new IngestProgress.Trend(0, 0, null, 0);
    }
    long span = loadNanos - nanos[oldest()];
    long window = Math.min(HOUR_NANOS, span / 2);
    if (window < MIN_WINDOW_NANOS) {
      long done = objects - ingested[oldest()];
      return new IngestProgress.Trend(span / 1e9, done * 1e9 / span, null, 0);
    }
    int middle = newestUntil(loadNanos - window);
    int begin = newestUntil(loadNanos - 2 * window);
    long late = loadNanos - nanos[middle];
    long early = nanos[middle] - nanos[begin];
    double rate = (objects - ingested[middle]) * 1e9 / late;
    Double before = early == 0 ? null : (ingested[middle] - ingested[begin]) * 1e9 / early;
    double growth = before == null ? 0 : growth(rate, before, objects - ingested[begin]);
    return new IngestProgress.Trend(late / 1e9, rate, before, growth);
  }

  /** Returns by how many seconds an object takes longer than the one before; 0 if it does not. */
  private static double growth(double rate, double before, long objectsOfBoth) {
    return rate <= 0 || before <= rate ? 0 : (1 / rate - 1 / before) / (objectsOfBoth / 2.0);
  }

  private int oldest() {
    return noted <= CAPACITY ? 0 : noted % CAPACITY;
  }

  private int newestUntil(long loadNanos) {
    int found = oldest();
    for (int i = 1; i < Math.min(noted, CAPACITY); i++) {
      int slot = (oldest() + i) % CAPACITY;
      if (nanos[slot] > loadNanos) {
        break;
      }
      found = slot;
    }
    return found;
  }

  /**
   * @param remaining objects
   * @param latelyPerSecond rate of the last seconds, for a load without a trend
   * @return seconds, or -1 if unknown
   */
  static long etaSeconds(long remaining, double latelyPerSecond, IngestProgress.Trend trend) {
    double rate = trend.before() == null ? latelyPerSecond : trend.objectsPerSecond();
    if (remaining == 0) {
      return 0;
    }
    if (!(rate > 0)) {
      return -1;
    }
    // At the end of the last period, an object takes longer than in its middle.
    double objectsOfStretch = trend.objectsPerSecond() * trend.seconds();
    double seconds = 1 / rate + trend.growthSeconds() * objectsOfStretch / 2;
    double all = remaining * seconds + trend.growthSeconds() * remaining / 2 * remaining;
    return all < 1e15 ? (long) Math.ceil(all) : -1;
  }
}
