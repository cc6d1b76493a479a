package org.fedometer.aspects;

/** The relational side: registry, search fields, statements by kind, connections. */
@StageGroup("Database")
public final class DatabaseStages {

  private DatabaseStages() {}

  /** The object's row in the registry. */
  public static aspect Register extends TimedStage {
    Register() {
      super("registry.register");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).registerObject(..));
  }

  /** The row taken out: a purge, or an ingest that failed. */
  public static aspect Unregister extends TimedStage {
    Unregister() {
      super("registry.unregister");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).unregisterObject(..));
  }

  /** Search fields of an object: system properties and Dublin Core. */
  public static aspect IndexFields extends TimedStage {
    IndexFields() {
      super("index.fields");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.search.FieldSearchSQLImpl
            || fedora.server.search.FieldSearchSQLImpl).update(..));
  }

  /** Search fields of an object that is purged. */
  public static aspect RemoveFields extends TimedStage {
    RemoveFields() {
      super("index.remove");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.search.FieldSearchSQLImpl
            || fedora.server.search.FieldSearchSQLImpl).delete(..));
  }

  /** A page of a search: the query, and each object that it found, opened. */
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

  /** Update, or insert if there is no such row. The overload without the last parameter calls this one. */
  public static aspect ReplaceRow extends TimedStage {
    ReplaceRow() {
      super("database.replace-row");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.utilities.SQLUtility
            || fedora.server.utilities.SQLUtility).replaceInto(*, *, *, *, *, *));
  }

  /** A query, up to its first row. Like all statements here a call, not an execution: drivers are not woven. */
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

  /**
   * One new row, and its commit: Fedora commits each statement by itself. Kinds are told apart by the method that sends
   * them.
   */
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

  /** One row changed, or none if there is no such row, and the commit. */
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

  /** Rows deleted, and the commit. */
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

  /** Dates of Dublin Core: those of the object deleted, then one inserted at a time; one method sends both. */
  public static aspect ReplaceDates extends TimedStage {
    ReplaceDates() {
      super("database.replace-dates");
    }

    protected pointcut timed():
        call(* java.sql.Statement+.executeUpdate(..))
        && withincode(* (org.fcrepo.server.search.FieldSearchSQLImpl
            || fedora.server.search.FieldSearchSQLImpl).update(..));
  }

  /**
   * Waiting for a connection, with the pool's test of it or a new one. The one that creates tables has it from another
   * of these methods.
   */
  public static aspect AcquireConnection extends TimedStage {
    AcquireConnection() {
      super("pool.acquire");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.ConnectionPool
            || fedora.server.storage.ConnectionPool).get*Connection(..))
        && !execution(* *.getTableCreatingConnection(..));
  }

  /** Giving a connection back, with the pool's test of it. */
  public static aspect ReleaseConnection extends TimedStage {
    ReleaseConnection() {
      super("pool.release");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.ConnectionPool || fedora.server.storage.ConnectionPool).free(..));
  }

  /** The pool asks the database whether a connection works. MPTStore's pool does, too. */
  public static aspect TestConnection extends TimedStage {
    TestConnection() {
      super("pool.test");
    }

    protected pointcut timed(): execution(* org.apache.commons.dbcp.PoolableConnectionFactory.validateConnection(..));
  }

  /** A new connection to the database, and its first test. */
  public static aspect Connect extends TimedStage {
    Connect() {
      super("pool.connect");
    }

    protected pointcut timed(): execution(* org.apache.commons.dbcp.PoolableConnectionFactory.makeObject(..));
  }
}
