package org.fedometer.aspects;

/** The relational side: registry, search fields, connections. */
public final class DatabaseStages {

  private DatabaseStages() {}

  /** The object's row in the registry. */
  public static aspect Register extends TimedStage {
    Register() {
      super("registry.register");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.storage.DefaultDOManager.registerObject(..));
  }

  /** Search fields of an object: system properties and Dublin Core. */
  public static aspect IndexFields extends TimedStage {
    IndexFields() {
      super("index.fields");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.search.FieldSearchSQLImpl.update(..));
  }

  /** Update, or insert if there is no such row. The overload without the last parameter calls this one. */
  public static aspect ReplaceRow extends TimedStage {
    ReplaceRow() {
      super("database.replace-row");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.utilities.SQLUtility.replaceInto(*, *, *, *, *, *));
  }

  /**
   * One statement of the registry or the field search, as sent by the classes named here: Fedora commits each by itself, so this holds the
   * database's work and its commit. A call, not an execution: drivers are not woven.
   */
  public static aspect Statement extends TimedStage {
    Statement() {
      super("database.statement");
    }

    protected pointcut timed():
        (call(* java.sql.PreparedStatement.executeQuery(..)) || call(* java.sql.PreparedStatement.executeUpdate(..)))
        && (within(org.fcrepo.server.storage.DefaultDOManager)
            || within(org.fcrepo.server.search.FieldSearchSQLImpl)
            || within(org.fcrepo.server.utilities.SQLUtilityImpl));
  }

  /** Waiting for a connection, and the pool's test of it. */
  public static aspect AcquireConnection extends TimedStage {
    AcquireConnection() {
      super("pool.acquire");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.storage.ConnectionPool.getReadOnlyConnection(..))
        || execution(* org.fcrepo.server.storage.ConnectionPool.getReadWriteConnection(..));
  }

  /** Giving a connection back. */
  public static aspect ReleaseConnection extends TimedStage {
    ReleaseConnection() {
      super("pool.release");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.storage.ConnectionPool.free(..));
  }
}
