package org.fedometer.analysis;

import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.rollup.Rollups;

/**
 * What has arrived of a run and cannot be asked yet: its seconds are counted, its samples are not.
 */
public final class UnsealedData {

  /** Those of samples: a driver's requests are in rollups, too. */
  public static final String SAMPLE_ROLLUPS =
      "rollups WHERE NOT starts_with(stage, '" + Rollups.DRIVER_REQUEST + "')";

  private UnsealedData() {}

  /** For a sentence that something is not there: that it may come; empty if all is sealed. */
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
              + " samples have arrived that are not sealed yet, with what belongs to them: ask"
              + " again in a minute";
    }
  }
}
