package org.fedometer.analysis;

import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.rollup.Rollups;

/**
 * Data of a run that has arrived but cannot be queried yet: its rollups exist, its samples do not.
 */
public final class UnsealedData {

  /** Rollups of samples: a driver's requests have rollups, too. */
  public static final String SAMPLE_ROLLUPS =
      "rollups WHERE NOT starts_with(stage, '" + Rollups.DRIVER_REQUEST + "')";

  private UnsealedData() {}

  /** Returns a note that missing data may still come; empty if all is sealed. */
  public static String message(Query query) throws QueryException {
    String sql =
        "SELECT (SELECT coalesce(sum(count), 0) FROM "
            + SAMPLE_ROLLUPS
            + ")::BIGINT - (SELECT count(*) FROM samples)";
    try (Rows row = query.execute(sql)) {
      row.next();
      long remainder = row.integer(0);
      return remainder <= 0
          ? ""
          : "; "
              + NumberFormats.count(remainder)
              + " samples and their related data have arrived but are not sealed yet: try again in"
              + " a minute";
    }
  }
}
