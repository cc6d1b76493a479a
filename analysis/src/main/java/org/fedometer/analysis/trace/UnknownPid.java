package org.fedometer.analysis.trace;

import java.util.LinkedHashSet;
import java.util.Set;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.UnsealedData;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/** Suggests known PIDs for one that a run does not have. Stateless. */
final class UnknownPid {
  private static final int NEAREST_PIDS = 5;

  private UnknownPid() {}

  static String message(String run, String pid, Query query) throws QueryException {
    String mayCome = UnsealedData.message(query);
    String table = "requests";
    long objects = countPids(table, query);
    if (objects == 0) {
      table = "traces";
      objects = countPids(table, query);
    }
    if (objects == 0) {
      return "The run "
          + run
          + " has no objects on record, so none with the PID "
          + pid
          + "; see 'fedometer report "
          + run
          + "'"
          + mayCome;
    }
    Set<String> nearest = new LinkedHashSet<>();
    // Attempts of one object repeat its PID, so more are queried than listed.
    try (Rows rows =
        query.execute(
            "SELECT pid FROM "
                + table
                + " WHERE pid <> '' ORDER BY levenshtein(pid, ?), length(pid), pid LIMIT ?",
            pid,
            20 * NEAREST_PIDS)) {
      while (rows.next() && nearest.size() < NEAREST_PIDS) {
        nearest.add(rows.text(0));
      }
    }
    return "The run "
        + run
        + " has no object "
        + pid
        + " among its "
        + NumberFormats.count(objects)
        + "; nearest: "
        + String.join(", ", nearest)
        + "; 'fedometer runs query \"SELECT DISTINCT pid FROM "
        + table
        + "\" --run "
        + run
        + "' lists all"
        + mayCome;
  }

  private static long countPids(String table, Query query) throws QueryException {
    try (Rows row =
        query.execute("SELECT count(DISTINCT pid) FROM " + table + " WHERE pid <> ''")) {
      row.next();
      return row.integer(0);
    }
  }
}
