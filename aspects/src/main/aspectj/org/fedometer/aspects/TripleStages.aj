package org.fedometer.aspects;

/**
 * The way of triples: generated and buffered on the request's thread, flushed in batches on a thread of Trippi's own, or on the request's
 * when the buffer is past its safe capacity or updates are synchronous.
 */
public final class TripleStages {

  private TripleStages() {}

  /** All triples of an object. */
  public static aspect Generate extends TimedStage {
    Generate() {
      super("triples.generate");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.resourceIndex.ResourceIndexImpl.exportObject(..));
  }

  /** Into the buffer. Overloads on iterators call this one. */
  public static aspect Add extends TimedStage {
    Add() {
      super("triples.add");
    }

    protected pointcut timed(): execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.add(java.util.List, boolean));
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
}
