package org.fedometer.store.query;

/**
 * Answers SQL over the tables of one run, or of all runs of a store. Statements only read. For one
 * thread at a time.
 *
 * <pre>{@code
 * try (Query query = run.query();
 *     Rows rows = query.ask("SELECT stage, count(*) FROM samples WHERE trace = ? GROUP BY 1", 7L)) {
 *   while (rows.next()) {
 *     rows.text(0);
 *     rows.integer(1);
 *   }
 * }
 * }</pre>
 */
public interface Query extends AutoCloseable {

  /**
   * Asks one statement; the answer is to be closed before the next one is asked.
   *
   * @param sql one SELECT, in DuckDB's dialect
   * @param parameters for its question marks: String, Long, Integer, Double, Boolean or null
   * @throws QueryException DuckDB's own words where the statement is wrong
   */
  Rows execute(String sql, Object... parameters) throws QueryException;

  /**
   * Ends the statement under way, whose answer fails then; any thread. What is asked afterwards
   * fails, too. To be repeated until the answer has failed: a statement that is just about to start
   * does not hear it.
   */
  void cancel();

  @Override
  void close() throws QueryException;
}
