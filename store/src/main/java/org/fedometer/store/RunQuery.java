package org.fedometer.store;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.fedometer.store.query.LockedDatabase;
import org.fedometer.store.query.QueryLimits;

/**
 * Asks one run by JDBC: an in-memory DuckDB with a view for each {@link Table} over what is sealed.
 * A table of which nothing is sealed is empty, with the right columns. Sees the files that were
 * there when it was opened. For one thread at a time.
 */
public final class RunQuery implements AutoCloseable {
  private final LockedDatabase database;

  private RunQuery(LockedDatabase database) {
    this.database = database;
  }

  public static RunQuery open(RunFolder run) throws IOException, SQLException {
    LockedDatabase database = LockedDatabase.open(RunTables.of(run), QueryLimits.local(), false);
    try {
      database.makeAllTables();
      return new RunQuery(database);
    } catch (SQLException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** Belongs to this query, which closes it. */
  public Connection connection() {
    return database.connection();
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
