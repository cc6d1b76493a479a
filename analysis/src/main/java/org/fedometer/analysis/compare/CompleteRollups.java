package org.fedometer.analysis.compare;

import org.fedometer.analysis.IngestWindow;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.rollup.Rollups;

/**
 * Ten-second rollups completely inside an ingest; those at its ends include other samples. For sums
 * of long runs, which have too many samples. Rollups use the time of day, ingests the driver's
 * nanoTime. Immutable.
 *
 * @param first number of the first: its start in seconds since 1970, divided by ten
 * @param end number after the last
 * @param epochOffsetNanos offset from the driver's nanoTime to epoch time
 */
record CompleteRollups(long first, long end, long epochOffsetNanos) {

  private static final long NANOS = Rollups.SECONDS * 1_000_000_000L;

  /**
   * Returns the rollups of an ended ingest.
   *
   * @param min minimum number, at least 1
   * @return null if there are fewer, or if the driver's clock is unknown
   */
  static CompleteRollups in(Query query, IngestWindow window, int min) throws QueryException {
    if ((window.ingestEndNanos() - window.startNanos()) / NANOS < min) {
      return null;
    }
    try (Rows rows =
        query.execute(
            "SELECT epoch_offset_nanos FROM sources WHERE kind = 'driver'"
                + " AND epoch_offset_nanos <> 0 ORDER BY first_seen_epoch_millis LIMIT 1")) {
      if (!rows.next()) {
        return null;
      }
      long offset = rows.integer(0);
      long first = Math.floorDiv(window.startNanos() + offset, NANOS) + 1;
      long end = Math.floorDiv(window.ingestEndNanos() + offset, NANOS);
      return end - first < min ? null : new CompleteRollups(first, end, offset);
    }
  }

  long count() {
    return end - first;
  }

  long nanos() {
    return count() * NANOS;
  }

  /** Returns a rollup's start as in the table. */
  static long epochSeconds(long number) {
    return number * Rollups.SECONDS;
  }

  /** Returns a rollup's start in the driver's nanoTime. */
  long nanoTime(long number) {
    return number * NANOS - epochOffsetNanos;
  }
}
