package org.fedometer.analysis.compare;

import org.fedometer.analysis.IngestWindow;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.rollup.Rollups;

/**
 * The rollups of ten seconds that lie wholly in an ingest; those at its ends have samples from
 * beyond it. Rollups are kept by the time of day, ingests by the driver's nanoTime. For whoever
 * asks a long run for sums: it has too many samples. Immutable.
 *
 * @param first number of the first one: its begin in seconds since 1970, over ten
 * @param end number of the one after the last
 * @param epochOffsetNanos what the driver's source adds to its nanoTime
 */
record CompleteRollups(long first, long end, long epochOffsetNanos) {

  private static final long NANOS = Rollups.SECONDS * 1_000_000_000L;

  /**
   * Those of an ingest that has ended.
   *
   * @param min so many there have to be, 1 or more
   * @return null where there are fewer, or where it is not known what the driver's clock shows
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

  /** When a rollup begins, as the table has it. */
  static long epochSeconds(long number) {
    return number * Rollups.SECONDS;
  }

  /** When a rollup begins, by the driver's nanoTime. */
  long nanoTime(long number) {
    return number * NANOS - epochOffsetNanos;
  }
}
