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
 * Final part of an ingest during which Fedora was away. Checks objects that Fedora has acknowledged
 * and may have lost, and ingests lost ones again. Runs on the driver's thread.
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

  /**
   * Objects that cannot be repaired here. They are reported once and stay unconfirmed, for a later
   * resume.
   */
  private final IndexRanges reported;

  private final UnconfirmedCheck.EarlierWork earlier;

  /**
   * @param workers runs a task and returns when all workers have ended; after a stop it abandons
   *     those that do not end in time
   * @param abandon consumer of each object that was purged and is not ingested again here
   * @param acknowledgedBefore objects acknowledged by earlier drivers of the same ingest
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
   * Checks until nothing is unconfirmed any more or continuing is pointless.
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
                + " could not be checked: Fedora cannot flush its triples ("
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
   * Makes Fedora flush the purges; otherwise deletions and additions would cancel out in its
   * memory. If the flush fails, the objects are not ingested again here.
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
        Counted.of(withdrawn.size(), "incomplete object was", "incomplete objects were")
            + " purged and not ingested again: Fedora cannot flush its triples ("
            + problem
            + "). Resume the load to ingest them.",
        null);
  }

  /**
   * Makes Fedora flush, waiting for it if it is away. Runs on a worker, so that a stop interrupts
   * it.
   *
   * @return null on success or if there is nothing to flush; else the reason
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
      return withdrawn.copy(); // an abandoned worker continues
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
