package org.fedometer.driver;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.driver.fedora.OperationRequest;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.load.Work;
import org.fedometer.driver.object.ObjectIngest;
import org.fedometer.driver.object.ObjectOperations;
import org.fedometer.driver.request.FlushConfirmation;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/**
 * Ingests objects, and makes Fedora flush its triples after every so many of them, while the worker
 * waits. A flush that fails is not repeated: the objects in it are unconfirmed, and checked at the
 * end of the load. After a stop, no flush begins: the objects since the last one stay unflushed.
 */
final class FlushingWork implements Work {

  private final Work ingests;
  private final ObjectIngest ingest;
  private final ObjectOperations operations;
  private final Journal journal;
  private final Counter counter;
  private final StopSignal stop;

  /**
   * Counts the objects of all workers.
   *
   * @param every number of objects after which Fedora flushes
   */
  record Counter(long every, AtomicLong objects) {
    Counter(long every) {
      this(every, new AtomicLong());
    }

    boolean isDue() {
      return objects.incrementAndGet() % every == 0;
    }
  }

  /**
   * @param ingests performs the steps, by {@code ingest}
   */
  FlushingWork(
      Work ingests,
      ObjectIngest ingest,
      ObjectOperations operations,
      Journal journal,
      Counter counter,
      StopSignal stop) {
    this.ingests = ingests;
    this.ingest = ingest;
    this.operations = operations;
    this.journal = journal;
    this.counter = counter;
    this.stop = stop;
  }

  @Override
  public Step prepare(long index) throws RunStop {
    Step step = ingests.prepare(index);
    return step == null ? null : new FlushingStep(index, step);
  }

  private void flush() throws RunStop {
    if (!FlushConfirmation.lockUnlessStopped(journal, stop)) {
      return;
    }
    boolean done = false;
    try {
      journal.flushBegun();
      try {
        done =
            operations
                .perform(
                    OperationRequest.flush(), RequestEvent.NO_OBJECT, "", IntendedStart.whenSent())
                .done();
      } finally {
        if (done) {
          journal.flushConfirmed();
        } else {
          journal.flushFailed();
        }
      }
    } catch (IOException e) {
      throw RunStop.journalNotWritten(e);
    } finally {
      journal.flushLock().unlock();
    }
  }

  private final class FlushingStep implements Step {
    private final long index;
    private final Step step;

    FlushingStep(long index, Step step) {
      this.index = index;
      this.step = step;
    }

    @Override
    public void perform(IntendedStart intendedStart) throws RunStop {
      step.perform(intendedStart);
      if (ingest.storedIndex() == index && counter.isDue()) {
        flush();
      }
    }

    @Override
    public void release() {
      step.release();
    }

    @Override
    public void abandon() {
      step.abandon();
    }
  }
}
