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
 * What the workers of a load do: each takes the next position, makes ready what it stands for, and
 * does it when it is due. Hired by the thread that conducts the load; how many there are to be may
 * be said by any.
 */
public final class LoadWorkers {

  private final WorkerPool pool;
  private final Schedule schedule;
  private final Numbers numbers;
  private final long leadingObjects;
  private final IngestTally tally;
  private final Function<Worker, Work> works;
  private final List<FedoraSession> loggedIn = new ArrayList<>();

  /** What was taken and made ready, but is not to be sent any more. */
  private final ConcurrentLinkedQueue<NotSent> notSent = new ConcurrentLinkedQueue<>();

  /** Workers of higher numbers end after their present object. */
  private volatile int workerCount;

  /**
   * @param abandon counts it as begun and not sent
   */
  private record NotSent(long position, Runnable abandon) {}

  /**
   * @param leadingObjects others wait for these, so that they are sent whatever happens but a stop
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

  /** How many there are to be; more or fewer may be at work for a while. */
  public int workerCount() {
    return workerCount;
  }

  /** Those that are too many end after their present object; missing ones are hired later. */
  public void setWorkerCount(int workers) {
    workerCount = workers;
  }

  /** Logs in for all, before anybody is hired. */
  public void logIn() throws IOException {
    for (int i = 0; i < workerCount; i++) {
      loggedIn.add(pool.logIn()); // one by one: racing first logins break Fedora's login for good
    }
  }

  /** The first worker's, which is not at work yet. */
  public FedoraSession firstSession() {
    return loggedIn.get(0);
  }

  public void startAll() {
    for (int i = 0; i < loggedIn.size(); i++) {
      pool.start(i, loggedIn.get(i), this::load);
    }
  }

  /** Starts those that are wanted and not there, if there is anything left to do. */
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
              // When the client's other logins let it.
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

  /** Null if it is not to be sent any more. */
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

  /** When all have ended: what was not sent was not begun, unless an object after it was. */
  public void returnUnsent() {
    notSent.stream()
        .sorted(Comparator.comparingLong(NotSent::position).reversed())
        .filter(last -> !schedule.returnLast(last.position()))
        .forEach(between -> between.abandon().run());
  }
}
