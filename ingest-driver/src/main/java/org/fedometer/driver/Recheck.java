package org.fedometer.driver;

import java.io.IOException;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.Journal;

/**
 * The last part of an ingest in which Fedora was away: looks at what it has acknowledged and may
 * have lost, and has that ingested again which it did lose. Conducted by the driver's thread.
 */
final class Recheck {

  /** Where a flush fails so often, the next one will, too: the disk is full, say. */
  private static final int MOST_ROUNDS = 3;

  private final Dataset dataset;
  private final IngestOptions options;
  private final Journal journal;
  private final OutageGate gate;
  private final StopSignal stop;
  private final RequestListener listener;
  private final Crew crew;
  private final List<String> stuck = new CopyOnWriteArrayList<>();

  /** The driver's workers. */
  interface Crew {

    /** Returns when all workers have ended, each with its own session; a stop ends them early. */
    void work(Part part);

    /** For one worker. */
    IngestWork ingest(int worker, FedoraSession session);
  }

  /** What a worker does. */
  @FunctionalInterface
  interface Part {
    void run(int worker, FedoraSession session) throws RunStop;
  }

  Recheck(
      Dataset dataset,
      IngestOptions options,
      Journal journal,
      OutageGate gate,
      StopSignal stop,
      RequestListener listener,
      Crew crew) {
    this.dataset = dataset;
    this.options = options;
    this.journal = journal;
    this.gate = gate;
    this.stop = stop;
    this.listener = listener;
    this.crew = crew;
  }

  /** Objects that are not whole and cannot be mended from here, a sentence each. */
  List<String> stuck() {
    return List.copyOf(stuck);
  }

  /**
   * Returns when nothing is suspect any more, or there is no point in going on.
   *
   * @param session logged in, used by nobody else until this returns
   * @throws IOException if the journal could not be written
   */
  void run(FedoraSession session) throws IOException {
    for (int round = 1; !stop.raised(); round++) {
      IndexRanges suspects = journal.state().suspects();
      if (suspects.isEmpty()) {
        return;
      }
      if (options.triples()) {
        String problem = FlushConfirmation.confirm(session, journal);
        if (problem != null && round == MOST_ROUNDS) {
          stuck.add(
              suspects.size()
                  + " objects could not be looked at after Fedora was away: it cannot flush its"
                  + " triples ("
                  + problem
                  + ").");
          return;
        }
        if (problem != null) {
          continue;
        }
      }
      listener.onRecheck(suspects.size());
      SuspectCheck check =
          new SuspectCheck(dataset, options, options.triples(), journal, gate, stop, suspects);
      crew.work((worker, own) -> check.work(own));
      IndexRanges withdrawn = withdraw(check.deficient());
      if (options.triples() && !withdrawn.isEmpty()) {
        // Or what is deleted and what is added would cancel out in Fedora's memory.
        String problem = FlushConfirmation.confirm(session, journal);
        if (problem != null) {
          stuck.add(
              withdrawn.size()
                  + " objects that Fedora had lost in part were purged and not ingested again, since"
                  + " it cannot flush its triples ("
                  + problem
                  + "). They are in doubt for whoever resumes.");
          return;
        }
      }
      ingestAgain(withdrawn);
    }
  }

  /** Returns those that were purged. */
  private IndexRanges withdraw(IndexRanges deficient) {
    PrimitiveIterator.OfLong indices = deficient.iterator();
    IndexRanges withdrawn = new IndexRanges();
    crew.work(
        (worker, session) -> {
          IngestWork work = crew.ingest(worker, session);
          for (long index = next(indices); index >= 0; index = next(indices)) {
            String problem = work.withdraw(index);
            if (problem != null) {
              stuck.add(problem);
            } else {
              synchronized (withdrawn) {
                withdrawn.add(index);
              }
            }
          }
        });
    return withdrawn;
  }

  private void ingestAgain(IndexRanges withdrawn) {
    PrimitiveIterator.OfLong indices = withdrawn.iterator();
    crew.work(
        (worker, session) -> {
          IngestWork work = crew.ingest(worker, session);
          for (long index = next(indices); index >= 0; index = next(indices)) {
            work.prepare(index).perform(Due.whenSent());
          }
        });
  }

  private long next(PrimitiveIterator.OfLong indices) {
    synchronized (indices) {
      return indices.hasNext() && !stop.raised() ? indices.nextLong() : -1;
    }
  }
}
