package org.fedometer.driver;

import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;

/** Ingests the object of each number, and then adds to others what the object adds to them. */
final class IngestWork implements Work {

  private final Dataset dataset;
  private final ContentDelivery delivery;
  private final ObjectIngest ingest;
  private final StatementAddition addition;
  private final LeadingObjects leading;
  private final StopSignal stop;
  private final IngestTally tally;

  IngestWork(
      Dataset dataset,
      ContentDelivery delivery,
      ObjectIngest ingest,
      StatementAddition addition,
      LeadingObjects leading,
      StopSignal stop,
      IngestTally tally) {
    this.dataset = dataset;
    this.delivery = delivery;
    this.ingest = ingest;
    this.addition = addition;
    this.leading = leading;
    this.stop = stop;
    this.tally = tally;
  }

  @Override
  public Step prepare(long index) throws RunStop {
    try {
      leading.await(index, stop);
      return new ObjectStep(index, make(index));
    } catch (RunStop e) {
      tally.abandon(index);
      throw e;
    }
  }

  private RepositoryObject make(long index) throws RunStop {
    try {
      return dataset.object(index);
    } catch (RuntimeException e) {
      throw RunStop.because(
          "The dataset " + dataset.name() + " could not make object " + index + ": " + e, e);
    }
  }

  private final class ObjectStep implements Step {

    private final long index;
    private final Parcel parcel;

    ObjectStep(long index, RepositoryObject object) {
      this.index = index;
      this.parcel = new Parcel(index, object, delivery);
    }

    @Override
    public void perform(Due due) throws RunStop {
      long settledBefore = addition.settled();
      try (parcel) {
        ingest.ingest(index, parcel, due);
        leading.settled(index);
        if (ingest.storedIndex() == index) {
          for (AddedStatement statement : dataset.additions(index)) {
            addition.add(index, statement);
          }
        }
      } catch (RunStop e) {
        if (ingest.settledIndex() != index) {
          tally.abandon(index);
        } else if (ingest.storedIndex() == index) {
          long settled = addition.settled() - settledBefore;
          tally.abandonAdditions(dataset.additions(index).size() - settled);
        }
        throw e;
      }
    }

    @Override
    public void abandon() {
      parcel.close();
      tally.abandon(index);
    }
  }
}
