package org.fedometer.driver;

import java.io.IOException;
import java.util.PrimitiveIterator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.load.WorkerPool;
import org.fedometer.driver.object.UnrecoverableObjects;
import org.fedometer.driver.request.FlushConfirmation;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;
import org.fedometer.driver.request.Worker;
import org.fedometer.wire.Counted;

/**
 * The last part of an ingest in which Fedora was away: looks at what it has acknowledged and may
 * have lost, and has that ingested again which it did lose. Conducted by the driver's thread.
 */
final class Recheck {

  private static final String STOPPED = "stopped on request";

  private final Dataset dataset;
  private final IngestOptions options;
  private final Journal journal;
  private final StopSignal stop;
  private final RequestListener listener;
  private final Consumer<WorkerPool.Task> workers;
  private final Function<Worker, IngestWork> works;
  private final UnrecoverableObjects unrecoverable;
  private final LongConsumer abandon;

  /** What nobody here can mend stays suspect, for whoever resumes; it is told once. */
  private final IndexRanges reported;

  private final UnconfirmedCheck.EarlierWork earlier;

  /**
   * @param workers returns when all workers have ended; a stop ends them early, and those that do
   *     not end by it in time are left behind
   * @param abandon takes each object that was purged and is not ingested again here
   * @param acknowledgedBefore by earlier drivers of the same ingest
   */
  Recheck(
      Dataset dataset,
      IngestOptions options,
      Journal journal,
      StopSignal stop,
      RequestListener listener,
      Consumer<WorkerPool.Task> workers,
      Function<Worker, IngestWork> works,
      UnrecoverableObjects unrecoverable,
      LongConsumer abandon,
      IndexRanges acknowledgedBefore) {
    this.dataset = dataset;
    this.options = options;
    this.journal = journal;
    this.stop = stop;
    this.listener = listener;
    this.workers = workers;
    this.works = works;
    this.unrecoverable = unrecoverable;
    this.abandon = abandon;
    this.reported = new IndexRanges(options.shard().stride());
    this.earlier =
        new UnconfirmedCheck.EarlierWork(acknowledgedBefore.copy(), journal.lastWrittenBefore());
  }

  /**
   * Returns when nothing is suspect any more, or there is no point in going on.
   *
   * @throws IOException if the journal could not be written
   * @throws RunStop if Fedora stays away for too long, or cannot flush what is to be ingested again
   */
  void run() throws IOException, RunStop {
    while (!stop.raised()) {
      IndexRanges unconfirmed = journal.state().unconfirmed();
      reported.forEach(unconfirmed::remove);
      if (unconfirmed.isEmpty()) {
        return;
      }
      String problem = flush();
      if (problem != null) {
        unrecoverable.add(
            Counted.of(unconfirmed.size(), "object")
                + " could not be looked at after Fedora was away: it cannot flush its triples ("
                + problem
                + ").");
        return;
      }
      listener.onRecheck(unconfirmed.size());
      UnconfirmedCheck check =
          new UnconfirmedCheck(
              dataset, options, journal, stop, unconfirmed, earlier, unrecoverable);
      workers.accept(worker -> check.work(worker, listener::onRechecked));
      reported.addAll(check.unresolved());
      IndexRanges withdrawn = withdraw(check.incomplete());
      if (!flushed(withdrawn)) {
        return;
      }
      withdrawn.forEach(earlier.acknowledged()::remove);
      reingest(withdrawn);
    }
  }

  /**
   * Has Fedora flush what was purged: else what is deleted and what is added would cancel out in
   * its memory. Where it does not, that is not ingested again here.
   *
   * @return false after a stop
   */
  private boolean flushed(IndexRanges withdrawn) throws IOException, RunStop {
    String problem = STOPPED;
    try {
      if (!stop.raised()) {
        problem = withdrawn.isEmpty() ? null : flush();
      }
    } finally {
      if (problem != null) {
        withdrawn.forEach(abandon);
      }
    }
    if (problem == null) {
      return true;
    }
    if (stop.raised()) {
      return false;
    }
    throw RunStop.because(
        Counted.of(
                withdrawn.size(),
                "object that Fedora had lost in part was",
                "objects that Fedora had lost in part were")
            + " purged and not ingested again, since it cannot flush its triples ("
            + problem
            + "). Resuming checks it again.",
        null);
  }

  /**
   * Has Fedora flush, and waits for it where it is away; by a worker, so that a stop cuts it.
   *
   * @return null if it did, or there is nothing to flush; else why not
   */
  private String flush() throws IOException, RunStop {
    if (!options.triples()) {
      return null;
    }
    AtomicReference<String> problem = new AtomicReference<>(STOPPED);
    AtomicReference<IOException> broken = new AtomicReference<>();
    workers.accept(
        worker -> {
          if (worker.number() == 0) {
            try {
              problem.set(FlushConfirmation.confirm(worker, journal));
            } catch (IOException e) {
              broken.set(e);
            }
          }
        });
    if (broken.get() != null) {
      throw broken.get();
    }
    return problem.get();
  }

  private IndexRanges withdraw(IndexRanges incomplete) {
    PrimitiveIterator.OfLong indices = incomplete.iterator();
    IndexRanges withdrawn = new IndexRanges(options.shard().stride());
    workers.accept(
        worker -> {
          IngestWork work = works.apply(worker);
          for (long index = next(indices); index >= 0; index = next(indices)) {
            String problem = work.withdraw(index);
            if (problem != null) {
              unrecoverable.add(problem);
              synchronized (reported) {
                reported.add(index);
              }
            } else {
              synchronized (withdrawn) {
                withdrawn.add(index);
              }
            }
          }
        });
    synchronized (withdrawn) {
      return withdrawn.copy(); // whoever was left behind goes on
    }
  }

  private void reingest(IndexRanges withdrawn) {
    if (!withdrawn.isEmpty()) {
      listener.onReingest(withdrawn.size());
    }
    PrimitiveIterator.OfLong indices = withdrawn.iterator();
    workers.accept(
        worker -> {
          IngestWork work = works.apply(worker);
          for (long index = next(indices); index >= 0; index = next(indices)) {
            work.prepare(index).perform(IntendedStart.whenSent());
          }
        });
    synchronized (indices) {
      indices.forEachRemaining(abandon); // a stop came before
    }
  }

  private long next(PrimitiveIterator.OfLong indices) {
    synchronized (indices) {
      return indices.hasNext() && !stop.raised() ? indices.nextLong() : -1;
    }
  }
}
