package org.fedometer.driver.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Worker;

/**
 * The workers of a load. Each gets the next position, prepares its object, and sends it when due.
 * The conducting thread starts workers; any thread may set their number.
 */
public final class LoadWorkers {

  private final WorkerPool pool;
  private final Schedule schedule;
  private final Numbers numbers;
  private final long leadingObjects;
  private final IngestTally tally;
  private final Function<Worker, Work> works;
  private final List<FedoraSession> loggedIn = new ArrayList<>();

  /** Prepared positions that are no longer to be sent. */
  private final ConcurrentLinkedQueue<NotSent> notSent = new ConcurrentLinkedQueue<>();

  /** Workers of higher numbers end after their current object. */
  private volatile int workerCount;

  /**
   * @param abandon counts it as begun and not sent
   */
  private record NotSent(long position, Runnable abandon) {}

  /**
   * @param leadingObjects number of objects that others wait for; sent unless the load is stopped
   */
  public LoadWorkers(
      WorkerPool pool,
      int workerCount,
      Schedule schedule,
      Numbers numbers,
      long leadingObjects,
      IngestTally tally,
      Function<Worker, Work> works) {
    this.pool = pool;
    this.workerCount = workerCount;
    this.schedule = schedule;
    this.numbers = numbers;
    this.leadingObjects = leadingObjects;
    this.tally = tally;
    this.works = works;
  }

  /** Returns the wanted number; the actual one may differ for a while. */
  public int workerCount() {
    return workerCount;
  }

  /**
   * Sets the wanted number. Surplus workers end after their current object; missing ones start
   * later.
   */
  public void setWorkerCount(int workers) {
    workerCount = workers;
  }

  /** Logs in for all workers, before any starts. */
  public void logIn() throws IOException {
    for (int i = 0; i < workerCount; i++) {
      loggedIn.add(
          pool.logIn()); // one by one: racing first logins break Fedora's login permanently
    }
  }

  /** Returns the session of the first worker, before it starts. */
  public FedoraSession firstSession() {
    return loggedIn.get(0);
  }

  public void startAll() {
    for (int i = 0; i < loggedIn.size(); i++) {
      pool.start(i, loggedIn.get(i), this::load);
    }
  }

  /** Starts missing workers, if there is anything left to do. */
  public void startMissing() {
    if (schedule.exhausted()) {
      return;
    }
    for (int number = 0; number < workerCount; number++) {
      if (!pool.isRunning(number)) {
        pool.start(
            number,
            null,
            worker -> {
              // Waits for the client's other logins.
              worker.circuitBreaker().login(worker.session());
              load(worker);
            });
      }
    }
  }

  private void load(Worker worker) throws RunStop {
    Work work = works.apply(worker);
    for (long position = take(worker); position >= 0; position = take(worker)) {
      long index = numbers.index(position);
      Work.Step step = work.prepare(index);
      if (step == null) {
        notSent.add(new NotSent(position, () -> tally.abandon(index)));
        return;
      }
      IntendedStart intendedStart = awaitIntendedStart(position, step);
      if (intendedStart == null) {
        step.release();
        notSent.add(new NotSent(position, step::abandon));
        return;
      }
      step.perform(intendedStart);
    }
  }

  private long take(Worker worker) throws RunStop {
    return schedule.take(() -> worker.number() < workerCount);
  }

  /** Returns null if the position is no longer to be sent. */
  private IntendedStart awaitIntendedStart(long position, Work.Step step) throws RunStop {
    boolean leads = numbers.index(position) < leadingObjects;
    try {
      return schedule.awaitIntendedStart(position, leads);
    } catch (RunStop e) {
      step.release();
      step.abandon();
      throw e;
    }
  }

  /**
   * Returns unsent positions, after all workers have ended. A position before one that was begun
   * counts as begun.
   */
  public void returnUnsent() {
    notSent.stream()
        .sorted(Comparator.comparingLong(NotSent::position).reversed())
        .filter(last -> !schedule.returnLast(last.position()))
        .forEach(between -> between.abandon().run());
  }
}
