package org.fedometer.driver;

import java.io.IOException;
import java.util.PrimitiveIterator;
import java.util.concurrent.Semaphore;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.Journal;

/**
 * Looks at the objects that Fedora has acknowledged and may have lost since, wholly or in their
 * triples: it answers 201 before either is on disk. What is deficient is purged and handed back, to
 * be ingested again. Used by all workers, each with its own session, when nothing else is sent any
 * more and Fedora has flushed.
 */
final class SuspectCheck {

  /**
   * MPTStore takes a connection for a query, and then another one while it holds a lock that all
   * queries need: where as many ask at once as its pool has connections, all wait for ever.
   */
  static final int QUERIES_AT_ONCE = 2;

  private final Dataset dataset;
  private final IngestOptions options;
  private final boolean triples;
  private final Journal journal;
  private final OutageGate gate;
  private final StopSignal stop;
  private final PrimitiveIterator.OfLong suspects;
  private final long begunEnd;
  private final IndexRanges deficient;
  private final Semaphore queries = new Semaphore(QUERIES_AT_ONCE);

  /**
   * @param triples whether there is a triplestore to ask
   * @param suspects does not change any more
   */
  SuspectCheck(
      Dataset dataset,
      IngestOptions options,
      boolean triples,
      Journal journal,
      OutageGate gate,
      StopSignal stop,
      IndexRanges suspects) {
    this.dataset = dataset;
    this.options = options;
    this.triples = triples;
    this.journal = journal;
    this.gate = gate;
    this.stop = stop;
    this.suspects = suspects.iterator();
    this.deficient = new IndexRanges(options.shard().stride());
    this.begunEnd = Math.min(options.endIndex(), journal.state().nextIndex());
  }

  /** Those that have to be ingested again, once all workers are through. */
  IndexRanges deficient() {
    synchronized (deficient) {
      return deficient.copy();
    }
  }

  /** Looks at suspects until there are none left. */
  void work(FedoraSession session) throws RunStop {
    for (long index = next(); index >= 0; index = next()) {
      if (stop.raised()) {
        throw RunStop.asRequested();
      }
      if (isWhole(session, index)) {
        clear(index);
      } else {
        synchronized (deficient) {
          deficient.add(index);
        }
      }
    }
  }

  private long next() {
    synchronized (suspects) {
      if (!suspects.hasNext()) {
        return -1;
      }
      return suspects.nextLong();
    }
  }

  private void clear(long index) throws RunStop {
    try {
      journal.cleared(index);
    } catch (IOException e) {
      throw RunStop.because("The journal could not be written: " + Words.of(e), e);
    }
  }

  private boolean isWhole(FedoraSession session, long index) throws RunStop {
    // What other drivers have added to one that leads, nobody here knows.
    boolean othersAdd = options.shard().isPart() && index < dataset.leadingObjects();
    RepositoryObject object =
        othersAdd
            ? dataset.object(index)
            : dataset.finished(index, options.firstIndex(), begunEnd - options.firstIndex());
    while (true) {
      long startNanos = System.nanoTime();
      try {
        if (triples && triplesOf(session, object) < object.triples()) {
          return false;
        }
        return session.isInFieldIndex(object.pid())
            && (othersAdd
                || ReadBack.of(session, object, options.content().of(index, object)).equal());
      } catch (LoginRefusedException e) {
        throw RunStop.because(Words.of(e) + OutageGate.LOGIN_TRAP, e);
      } catch (FedoraRefusalException e) {
        return false;
      } catch (IOException e) {
        if (!gate.awaitFedora(session, Words.of(e), startNanos)) {
          return false;
        }
      }
    }
  }

  /** Those under way end when they are cut, so that nobody waits here for long. */
  private long triplesOf(FedoraSession session, RepositoryObject object) throws IOException {
    queries.acquireUninterruptibly();
    try {
      return new TripleCounter(session).countOf(object);
    } finally {
      queries.release();
    }
  }
}
