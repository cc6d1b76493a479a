package org.fedometer.analysis.trace;

import org.fedometer.analysis.trace.ObjectTrace.Clock;
import org.fedometer.analysis.trace.ObjectTrace.Placement;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/**
 * Offset from a driver's time to the agent's. Immutable.
 *
 * @param nanos null if unknown
 * @param uncertaintyNanos maximum error in either direction
 */
record ClockShift(Long nanos, long uncertaintyNanos, Placement placement) {

  static final ClockShift ALONE = new ClockShift(null, 0, Placement.ALONE);

  /** For a common clock. */
  static final ClockShift NONE = new ClockShift(0L, 0, Placement.SAME_CLOCK);

  /** Maximum drift of a quartz clock: 50 millionths. */
  private static final long DRIFT_DIVISOR = 20_000;

  /**
   * Computes the offset from both sources' clock exchanges with the collector.
   *
   * @param driver UUID of the source
   * @param atNanos the relevant moment, by the driver's clock
   * @param agent UUID of the source
   */
  static ClockShift between(Query query, String driver, long atNanos, String agent)
      throws QueryException {
    // Uses each source's most accurate exchange for this moment: clocks drift after old ones. The
    // agent's moment follows roughly from the driver's, by any exchange.
    try (Rows rows =
        query.execute(
            """
            WITH drivers AS (
              SELECT offset_nanos, boot_id, uncertainty_nanos + abs(at_nanos - ?) // ? AS uncertainty
              FROM clocks WHERE source = ?),
            driver AS (
              SELECT boot_id, arg_min(offset_nanos, uncertainty) AS offset_nanos,
                min(uncertainty) AS uncertainty
              FROM drivers GROUP BY boot_id),
            agents AS (
              SELECT driver.boot_id, driver.offset_nanos - clocks.offset_nanos AS shift,
                driver.uncertainty + clocks.uncertainty_nanos
                  + abs(at_nanos - (? + driver.offset_nanos - clocks.offset_nanos)) // ?
                  AS uncertainty
              FROM clocks JOIN driver USING (boot_id) WHERE source = ?)
            SELECT shift, uncertainty FROM agents ORDER BY uncertainty, shift LIMIT 1""",
            atNanos,
            DRIFT_DIVISOR,
            driver,
            atNanos,
            DRIFT_DIVISOR,
            agent)) {
      return rows.next()
          ? new ClockShift(rows.integer(0), rows.integer(1), Placement.CLOCK_EXCHANGE)
          : new ClockShift(null, 0, Placement.CENTRED);
    }
  }

  Clock toClock() {
    return new Clock(placement, nanos == null ? null : uncertaintyNanos);
  }
}
