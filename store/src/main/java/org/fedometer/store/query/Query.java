package org.fedometer.store.query;

/**
 * Runs read-only SQL over the tables of one run, or of all runs of a store. One thread at a time.
 *
 * <pre>{@code
 * try (Query query = run.query();
 *     Rows rows =
 *         query.execute("SELECT stage, count(*) FROM samples WHERE trace = ? GROUP BY 1", 7L)) {
 *   while (rows.next()) {
 *     rows.text(0);
 *     rows.integer(1);
 *   }
 * }
 * }</pre>
 */
public interface Query extends AutoCloseable {

  /**
   * Runs one statement; close its result before the next one.
   *
   * @param sql one SELECT, in DuckDB's dialect
   * @param parameters for its question marks: String, Long, Integer, Double, Boolean or null
   * @throws QueryException with DuckDB's message if the statement is wrong
   */
  Rows execute(String sql, Object... parameters) throws QueryException;

  /**
   * Cancels the running statement, whose result then fails; any thread. Later statements fail, too.
   * Repeat the call until the result has failed: a statement that is about to start misses it.
   */
  void cancel();

  @Override
  void close() throws QueryException;
}
