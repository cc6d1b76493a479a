package org.fedometer.aspects;

/** The relational database: registry, search fields, statements by kind, connections. */
@StageGroup("Database")
public final class DatabaseStages {

  private DatabaseStages() {}

  @Described(value = "the object's row in the registry", calls = "1", knob = "database")
  public static aspect Register extends TimedStage {
    Register() {
      super("registry.register");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).registerObject(..));
  }

  @Described("the row taken out: a purge, or an ingest that failed")
  public static aspect Unregister extends TimedStage {
    Unregister() {
      super("registry.unregister");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).unregisterObject(..));
  }

  @Described(value = "search fields: system properties and DC", calls = "1", knob = "`fedora.indexDCFields`")
  public static aspect IndexFields extends TimedStage {
    IndexFields() {
      super("index.fields");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.search.FieldSearchSQLImpl
            || fedora.server.search.FieldSearchSQLImpl).update(..));
  }

  @Described("search fields of an object that is purged")
  public static aspect RemoveFields extends TimedStage {
    RemoveFields() {
      super("index.remove");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.search.FieldSearchSQLImpl
            || fedora.server.search.FieldSearchSQLImpl).delete(..));
  }

  @Described(value = "a page of a search: the query, and each object found, opened", knob = "smaller pages; indexes")
  public static aspect FindFields extends TimedStage {
    FindFields() {
      super("index.find");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.search.FieldSearchSQLImpl
            || fedora.server.search.FieldSearchSQLImpl).findObjects(..))
        || execution(* (org.fcrepo.server.search.FieldSearchSQLImpl
            || fedora.server.search.FieldSearchSQLImpl).resumeFindObjects(..));
  }

  /** The overload without the last parameter calls this one. */
  @Described(
      value = "update, or insert if there is no such row", calls = "1; legacy: 1 more a file", golden = {1, 3, 3, 1})
  public static aspect ReplaceRow extends TimedStage {
    ReplaceRow() {
      super("database.replace-row");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.utilities.SQLUtility
            || fedora.server.utilities.SQLUtility).replaceInto(*, *, *, *, *, *));
  }

  /** A call, as for all statements here, since drivers are not woven. */
  @Described(value = "a query, up to its first row", calls = "2", knob = "database, its network", golden = {2, 5, 4, 2})
  public static aspect Select extends TimedStage {
    Select() {
      super("database.select");
    }

    protected pointcut timed():
        call(* java.sql.Statement+.executeQuery(..))
        && (within(org.fcrepo.server.storage.DefaultDOManager || fedora.server.storage.DefaultDOManager)
        || within(org.fcrepo.server.search.FieldSearchResultSQLImpl || fedora.server.search.FieldSearchResultSQLImpl)
        || within(org.fcrepo.server.storage.lowlevel.DBPathRegistry || fedora.server.storage.lowlevel.DBPathRegistry)
        || within(org.fcrepo.server.utilities.SQLUtilityImpl || fedora.server.utilities.SQLUtilityImpl));
  }

  /** Fedora commits each statement by itself. The calling method identifies the kind. */
  @Described(
      value = "one row and its commit", calls = "2",
      knob = "`database.synchronous_commit`, `innodb_flush_log_at_trx_commit`; disk of the log", golden = {2, 4, 4, 2})
  public static aspect Insert extends TimedStage {
    Insert() {
      super("database.insert");
    }

    protected pointcut timed():
        call(* java.sql.Statement+.executeUpdate(..))
        && (withincode(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).registerObject(..))
        || withincode(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).addDeployment(..))
        || withincode(* (org.fcrepo.server.utilities.SQLUtilityImpl
            || fedora.server.utilities.SQLUtilityImpl).i_addRow(..)));
  }

  @Described(
      value = "one row changed, or none, and its commit", calls = "2", knob = "as for `database.insert`",
      golden = {2, 4, 4, 2})
  public static aspect Update extends TimedStage {
    Update() {
      super("database.update");
    }

    protected pointcut timed():
        call(* java.sql.Statement+.executeUpdate(..))
        && (withincode(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).doCommit(..))
        || withincode(* (org.fcrepo.server.utilities.SQLUtilityImpl
            || fedora.server.utilities.SQLUtilityImpl).i_updateRow(..)));
  }

  @Described(value = "rows deleted, and the commit", knob = "as for `database.insert`")
  public static aspect Delete extends TimedStage {
    Delete() {
      super("database.delete");
    }

    protected pointcut timed():
        (call(* java.sql.Statement+.executeUpdate(..))
        && (withincode(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).unregisterObject(..))
        || withincode(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).removeDeployment(..))
        || withincode(* (org.fcrepo.server.search.FieldSearchSQLImpl
            || fedora.server.search.FieldSearchSQLImpl).delete(..))))
        || (call(* java.sql.Statement+.execute(..))
            && within(org.fcrepo.server.storage.lowlevel.DBPathRegistry
                || fedora.server.storage.lowlevel.DBPathRegistry));
  }

  @Described(
      value = "dates of DC: one statement deletes those there are, then one for each", calls = "1 and 1 a date",
      knob = "`fedora.indexDCFields`; fewer dates", golden = {2, 2, 2, 2})
  public static aspect ReplaceDates extends TimedStage {
    ReplaceDates() {
      super("database.replace-dates");
    }

    protected pointcut timed():
        call(* java.sql.Statement+.executeUpdate(..))
        && withincode(* (org.fcrepo.server.search.FieldSearchSQLImpl
            || fedora.server.search.FieldSearchSQLImpl).update(..));
  }

  /** Excludes the connection for creating tables, which comes from another of these methods. */
  @Described(
      value = "**waiting** for a connection. Self time: the wait", versions = "all; 3.3 has `getConnection`",
      calls = "4", knob = "`maxActive`", golden = {4, 9, 8, 4})
  public static aspect AcquireConnection extends TimedStage {
    AcquireConnection() {
      super("pool.acquire");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.ConnectionPool
            || fedora.server.storage.ConnectionPool).get*Connection(..))
        && !execution(* *.getTableCreatingConnection(..));
  }

  @Described(value = "giving it back", calls = "4", golden = {4, 9, 8, 4})
  public static aspect ReleaseConnection extends TimedStage {
    ReleaseConnection() {
      super("pool.release");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.ConnectionPool || fedora.server.storage.ConnectionPool).free(..));
  }

  @Described(
      value = "the pool asks the database whether the connection works, inside both; MPTStore's pool does, too",
      calls = "8; Derby 0", knob = "`database.testOnBorrow`, `database.testOnReturn`", golden = {8, 0, 16, 0})
  public static aspect TestConnection extends TimedStage {
    TestConnection() {
      super("pool.test");
    }

    protected pointcut timed(): execution(* org.apache.commons.dbcp.PoolableConnectionFactory.validateConnection(..));
  }

  @Described(value = "a new connection, and its first test", calls = "now and then", knob = "`minIdle`, `maxIdle`")
  public static aspect Connect extends TimedStage {
    Connect() {
      super("pool.connect");
    }

    protected pointcut timed(): execution(* org.apache.commons.dbcp.PoolableConnectionFactory.makeObject(..));
  }
}
