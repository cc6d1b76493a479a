package org.fedometer.driver;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.content.Parcel;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.journal.Acknowledged;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.load.Work;
import org.fedometer.driver.object.ObjectIngest;
import org.fedometer.driver.object.StatementAddition;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Worker;

/**
 * Ingests the object of each number, then adds the object's statements to others. Writes the
 * journal before and after.
 */
final class IngestWork implements Work {

  private final Shared shared;
  private final Worker worker;
  private final ObjectIngest ingest;
  private final StatementAddition addition;

  /**
   * State shared by all workers.
   *
   * @param remoteLeading objects of other shards that must be in Fedora before an object that does
   *     not lead
   * @param mayBeThere objects that an earlier driver may have sent; constant
   * @param over true if the load ends early and nothing waits for leading objects
   */
  record Shared(
      Dataset dataset,
      ContentDelivery delivery,
      LeadingObjects leading,
      RemoteLeadingObjects remoteLeading,
      IngestTally tally,
      Journal journal,
      IndexRanges mayBeThere,
      BooleanSupplier over) {}

  IngestWork(Shared shared, Worker worker, ObjectIngest ingest, StatementAddition addition) {
    this.shared = shared;
    this.worker = worker;
    this.ingest = ingest;
    this.addition = addition;
  }

  @Override
  public Step prepare(long index) throws RunStop {
    try {
      if (!shared.leading.await(index, worker.stop(), shared.over)
          || index >= shared.leading.number() && !shared.remoteLeading.await(worker, shared.over)) {
        return null;
      }
      return new ObjectStep(index, RunStop.makeObject(shared.dataset, index));
    } catch (RunStop e) {
      shared.tally.abandon(index);
      throw e;
    }
  }

  /**
   * Purges an object that Fedora has acknowledged but not kept whole, so that it can be ingested
   * again after Fedora has flushed.
   *
   * @return null, or a sentence that explains why the object cannot be purged
   */
  String withdraw(long index) throws RunStop {
    RepositoryObject object = RunStop.makeObject(shared.dataset, index);
    if (index < shared.leading.number()) {
      return object.pid()
          + " is incomplete, but cannot be purged: other objects have added statements to it.";
    }
    try (Parcel parcel = new Parcel(index, object, shared.delivery)) {
      long statements = shared.dataset.additions(index).size();
      long triples = object.triples() + statements; // both are added again
      writeJournal(
          () -> shared.journal.withdrawn(index, triples, parcel.storedBytes(), statements));
      shared.tally.withdraw(triples, parcel.storedBytes(), statements);
      purge(index, parcel);
    } catch (IOException e) {
      shared.tally.abandon(index);
      writeJournal(() -> shared.journal.failed(index));
      return object.pid()
          + " is incomplete. "
          + (e instanceof FedoraRefusalException
              ? ""
              : "It is unknown whether Fedora has purged it: ")
          + Messages.of(e);
    }
    return null;
  }

  private void purge(long index, Parcel parcel) throws RunStop, IOException {
    try {
      ingest.purge(index, parcel, "it or its triples were lost");
    } catch (RunStop | RuntimeException | Error e) {
      shared.tally.abandon(index);
      throw e;
    }
  }

  private final class ObjectStep implements Step {

    private final long index;
    private final Parcel parcel;

    ObjectStep(long index, RepositoryObject object) {
      this.index = index;
      this.parcel = new Parcel(index, object, shared.delivery);
    }

    @Override
    public void perform(IntendedStart intendedStart) throws RunStop {
      long settledBefore = addition.settled();
      long failedBefore = addition.failed();
      int outagesBefore = worker.circuitBreaker().outages().size();
      long unconfirmedCountBefore = shared.journal.allUnconfirmedCount();
      try (parcel) {
        writeJournal(() -> shared.journal.begun(index));
        long startNanos = System.nanoTime();
        ingest.ingest(index, parcel, intendedStart, shared.mayBeThere.contains(index));
        long durationNanos = System.nanoTime() - startNanos;
        if (ingest.storedIndex() == index) {
          for (AddedStatement statement : shared.dataset.additions(index)) {
            addition.add(index, statement);
          }
          long failed = addition.failed() - failedBefore;
          long added = addition.settled() - settledBefore - failed;
          writeJournal(
              () ->
                  shared.journal.acknowledged(
                      new Acknowledged(
                          index,
                          startNanos,
                          durationNanos,
                          parcel.object().triples() + added,
                          parcel.storedBytes(),
                          added,
                          failed)));
          if (ingest.foundIndex() == index
              || worker.circuitBreaker().outages().size() > outagesBefore
              || shared.journal.allUnconfirmedCount() > unconfirmedCountBefore) {
            // Fedora may have been killed between its FOXML and its field index or triples. Or it
            // died after its response, when the journal marked all as unconfirmed before it had
            // this object.
            writeJournal(() -> shared.journal.unconfirmed(index));
          }
        } else {
          writeJournal(() -> shared.journal.failed(index));
        }
        // Only after the journal entry: later, additions by others would look like a fault.
        shared.leading.settled(index);
      } catch (RunStop | RuntimeException | Error e) {
        if (ingest.settledIndex() != index) {
          shared.tally.abandon(index);
        } else if (ingest.storedIndex() == index) {
          long settled = addition.settled() - settledBefore;
          shared.tally.abandonAdditions(shared.dataset.additions(index).size() - settled);
        }
        throw e;
      }
    }

    @Override
    public void release() {
      parcel.close();
    }

    @Override
    public void abandon() {
      shared.tally.abandon(index);
    }
  }

  private static void writeJournal(JournalWrite write) throws RunStop {
    try {
      write.write();
    } catch (IOException e) {
      throw RunStop.journalNotWritten(e);
    }
  }

  private interface JournalWrite {
    void write() throws IOException;
  }
}
