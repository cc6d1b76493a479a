package org.fedometer.aspects;

/**
 * The way of triples: generated and buffered on the request's thread, flushed in batches on a thread of Trippi's own or
 * on the request's.
 */
@StageGroup("Triples")
public final class TripleStages {

  private TripleStages() {}

  /**
   * All triples of an object: for the index, or beside those it has, to find the difference. The method has another
   * caller up to Fedora 3.5.
   */
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

  /** Into the buffer. Overloads on iterators call this one. */
  public static aspect Add extends TimedStage {
    Add() {
      super("triples.add");
    }

    protected pointcut timed():
        execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.add(java.util.List, boolean));
  }

  /** Removals into the buffer, likewise. */
  public static aspect Delete extends TimedStage {
    Delete() {
      super("triples.delete");
    }

    protected pointcut timed():
        execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.delete(java.util.List, boolean));
  }

  /** The whole buffer to the triplestore. */
  public static aspect Flush extends TimedStage {
    Flush() {
      super("triples.flush");
    }

    protected pointcut timed(): execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.flushBuffer(..));
  }

  /** One batch of additions to Mulgara or MPTStore. */
  public static aspect Write extends TimedStage {
    Write() {
      super("triples.write");
    }

    protected pointcut timed():
        execution(* org.trippi.impl.mulgara.MulgaraSession.add(..))
        || execution(* org.trippi.impl.mpt.MPTSession.add(..));
  }

  /** One batch of removals from Mulgara or MPTStore; Trippi sends empty ones too. */
  public static aspect Remove extends TimedStage {
    Remove() {
      super("triples.remove");
    }

    protected pointcut timed():
        execution(* org.trippi.impl.mulgara.MulgaraSession.delete(..))
        || execution(* org.trippi.impl.mpt.MPTSession.delete(..));
  }

  /** MPTStore's rows of one batch, a statement each, without the commit. */
  public static aspect Insert extends TimedStage {
    Insert() {
      super("triples.insert");
    }

    protected pointcut timed(): execution(* org.nsdl.mptstore.core.GenericDatabaseAdaptor.addTriples(..));
  }

  /** The rows that MPTStore deletes, likewise. */
  public static aspect DeleteRows extends TimedStage {
    DeleteRows() {
      super("triples.delete-rows");
    }

    protected pointcut timed(): execution(* org.nsdl.mptstore.core.GenericDatabaseAdaptor.deleteTriples(..));
  }

  /** The commit of a batch in MPTStore. */
  public static aspect Commit extends TimedStage {
    Commit() {
      super("triples.commit");
    }

    protected pointcut timed(): call(* java.sql.Connection.commit()) && within(org.trippi.impl.mpt.MPTSession);
  }

  /** A query, up to its first answer. */
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
