package org.fedometer.aspects;

/** Waits for Fedora's locks. */
public final class LockStages {

  private LockStages() {}

  @StageGroup("Ingest")
  @Described(
      value = "**waiting** for the turn to prepare an object: one at a time, and its client's network, validation "
          + "and parsing are within", versions = "to 3.6.2", calls = "0; 3.5: 1",
      knob = "a newer Fedora; `fedora.validation`; clients near Fedora", golden = {0, 0, 1, 1})
  public static aspect Prepare extends LockWait {
    Prepare() {
      super("ingest.prepare.wait", PrepareAcquired.class);
    }

    protected pointcut waits():
        call(* (org.fcrepo.server.storage.DOManager || fedora.server.storage.DOManager).getIngestWriter(..))
        && within(org.fcrepo.server.management.DefaultManagement || fedora.server.management.DefaultManagement);
  }

  /** Ends {@link Prepare}. */
  public static aspect PrepareAcquired extends LockAcquired {
    PrepareAcquired() {
      super("ingest.prepare.wait");
    }

    protected pointcut acquired():
        execution(synchronized * (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).getIngestWriter(..));
  }

  @StageGroup("Ingest")
  @Described(
      value = "**waiting** for the PID generator, in which one at a time writes to the database", calls = "1",
      knob = "`fedora.pids=named`")
  public static aspect Pid extends LockWait {
    Pid() {
      super("ingest.pid.wait", PidAcquired.class);
    }

    protected pointcut waits():
        (call(* (org.fcrepo.server.management.DBPIDGenerator
            || fedora.server.management.DBPIDGenerator).neverGeneratePID(..))
        || call(* (org.fcrepo.server.management.DBPIDGenerator
            || fedora.server.management.DBPIDGenerator).generatePID(..)))
        && within(org.fcrepo.server.management.BasicPIDGenerator || fedora.server.management.BasicPIDGenerator);
  }

  /** Ends {@link Pid}. */
  public static aspect PidAcquired extends LockAcquired {
    PidAcquired() {
      super("ingest.pid.wait");
    }

    protected pointcut acquired():
        execution(synchronized * (org.fcrepo.server.management.DBPIDGenerator
            || fedora.server.management.DBPIDGenerator).neverGeneratePID(..))
        || execution(synchronized * (org.fcrepo.server.management.DBPIDGenerator
            || fedora.server.management.DBPIDGenerator).generatePID(..));
  }

  /**
   * Additions and flushes have one lock each; a flush past the safe capacity holds both. The wait lasts from the start
   * of the method to its first call under the lock. Counting a flush's updates is such a call, and comes first: see
   * {@link LockWait}.
   */
  @StageGroup("Triples")
  @Described(
      value = "**waiting** for Trippi's locks: of a flush, for who flushes next; of the buffer, where a flush past "
          + "the safe capacity or with `syncUpdates` has it", calls = "1", knob = "`triplestore.autoFlushBufferSize`")
  public static aspect Buffer extends LockWait {
    Buffer() {
      super("triples.wait", BufferAcquired.class);
    }

    protected pointcut waits():
        execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.add(java.util.List, boolean))
        || execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.delete(java.util.List, boolean))
        || execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.flushBuffer(..));
  }

  /** Ends {@link Buffer}. */
  public static aspect BufferAcquired extends LockAcquired {
    BufferAcquired() {
      super("triples.wait");
    }

    protected pointcut acquired():
        (call(* org.trippi.impl.base.UpdateBuffer.add(java.util.List))
        || call(* org.trippi.impl.base.UpdateBuffer.delete(java.util.List))
        || call(* org.trippi.impl.base.UpdateBuffer.size()))
        && within(org.trippi.impl.base.ConcurrentTriplestoreWriter);
  }
}
