package org.fedometer.aspects;

/**
 * The path of triples: generated and buffered on the request's thread, flushed in batches on Trippi's thread or the
 * request's.
 */
@StageGroup("Triples")
public final class TripleStages {

  private TripleStages() {}

  /** Up to Fedora 3.5 the method has another caller. */
  @Described(
      value = "all triples of an object; for an update before and after", versions = "all; the call before 3.8.1",
      calls = "1", knob = "fewer relationships, smaller DC")
  public static aspect Generate extends TimedStage {
    Generate() {
      super("triples.generate");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.resourceIndex.ResourceIndexImpl.exportObject(..))
        || (call(* (org.fcrepo.server.resourceIndex.TripleGenerator
            || fedora.server.resourceIndex.TripleGenerator).getTriplesForObject(..))
        && within(org.fcrepo.server.resourceIndex.ResourceIndexImpl || fedora.server.resourceIndex.ResourceIndexImpl)
        && !withincode(* *.exportObject(..)));
  }

  /** Overloads on iterators call this one. */
  @Described(value = "into the buffer", calls = "1")
  public static aspect Add extends TimedStage {
    Add() {
      super("triples.add");
    }

    protected pointcut timed():
        execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.add(java.util.List, boolean));
  }

  @Described("removals into the buffer")
  public static aspect Delete extends TimedStage {
    Delete() {
      super("triples.delete");
    }

    protected pointcut timed():
        execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.delete(java.util.List, boolean));
  }

  @Described(
      value = "the buffer to the triplestore", calls = "outside",
      knob = "`triplestore.autoFlushBufferSize`, `syncUpdates`")
  public static aspect Flush extends TimedStage {
    Flush() {
      super("triples.flush");
    }

    protected pointcut timed(): execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.flushBuffer(..));
  }

  @Described(
      value = "one batch of additions; Mulgara's commit is in it", calls = "outside", knob = "`bufferFlushBatchSize`")
  public static aspect Write extends TimedStage {
    Write() {
      super("triples.write");
    }

    protected pointcut timed():
        execution(* org.trippi.impl.mulgara.MulgaraSession.add(..))
        || execution(* org.trippi.impl.mpt.MPTSession.add(..));
  }

  @Described(value = "one batch of removals; Trippi sends empty ones, too", calls = "outside")
  public static aspect Remove extends TimedStage {
    Remove() {
      super("triples.remove");
    }

    protected pointcut timed():
        execution(* org.trippi.impl.mulgara.MulgaraSession.delete(..))
        || execution(* org.trippi.impl.mpt.MPTSession.delete(..));
  }

  @Described(
      value = "MPTStore's rows of a batch, a statement each, without the commit", calls = "outside", knob = "database")
  public static aspect Insert extends TimedStage {
    Insert() {
      super("triples.insert");
    }

    protected pointcut timed(): execution(* org.nsdl.mptstore.core.GenericDatabaseAdaptor.addTriples(..));
  }

  @Described(value = "rows that MPTStore deletes", calls = "outside", knob = "database")
  public static aspect DeleteRows extends TimedStage {
    DeleteRows() {
      super("triples.delete-rows");
    }

    protected pointcut timed(): execution(* org.nsdl.mptstore.core.GenericDatabaseAdaptor.deleteTriples(..));
  }

  @Described(
      value = "MPTStore's commit of a batch", versions = "3.8; before it is in `triples.write`", calls = "outside",
      knob = "`database.synchronous_commit`")
  public static aspect Commit extends TimedStage {
    Commit() {
      super("triples.commit");
    }

    protected pointcut timed(): call(* java.sql.Connection.commit()) && within(org.trippi.impl.mpt.MPTSession);
  }

  @Described("a query, up to its first answer")
  public static aspect Find extends TimedStage {
    Find() {
      super("triples.find");
    }

    protected pointcut timed():
        execution(* org.trippi.impl.mulgara.MulgaraSession.query(..))
        || execution(* org.trippi.impl.mulgara.MulgaraSession.findTriples(..))
        || execution(* org.trippi.impl.mpt.MPTSession.findTriples(String))
        || execution(* org.trippi.impl.mpt.MPTSession.query(..));
  }
}
