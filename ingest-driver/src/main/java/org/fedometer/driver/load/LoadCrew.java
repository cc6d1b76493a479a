package org.fedometer.driver.load;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.request.Due;
import org.fedometer.driver.request.OutageGate;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.threads.OwnThreads;

/**
 * The workers of a load: each takes the next position, makes ready what it stands for, and does it
 * when it is due. Hired by the thread that conducts the load; how many there are to be may be said
 * by any.
 */
public final class LoadCrew implements AutoCloseable {

  private final FedoraClient client;
  private final Schedule schedule;
  private final Numbers numbers;
  private final long leadingObjects;
  private final IngestTally tally;
  private final OutageGate gate;
  private final LoadEnd end;
  private final WorkMaker works;

  /** What was taken and made ready, but is not to be sent any more. */
  private final ConcurrentLinkedQueue<NotSent> notSent = new ConcurrentLinkedQueue<>();

  /** Workers by number; guards itself. */
  private final Map<Integer, Thread> atWork = new TreeMap<>();

  private final List<FedoraSession> sessions = new CopyOnWriteArrayList<>();

  /** Workers of higher numbers end after their present object. */
  private volatile int wanted;

  @FunctionalInterface
  public interface WorkMaker {
    Work make(int worker, FedoraSession session);
  }

  /**
   * @param abandon counts it as begun and not sent
   */
  private record NotSent(long position, Runnable abandon) {}

  /**
   * @param leadingObjects others wait for these, so that they are sent whatever happens but a stop
   */
  public LoadCrew(
      FedoraClient client,
      int wanted,
      Schedule schedule,
      Numbers numbers,
      long leadingObjects,
      IngestTally tally,
      OutageGate gate,
      LoadEnd end,
      WorkMaker works) {
    this.client = client;
    this.wanted = wanted;
    this.schedule = schedule;
    this.numbers = numbers;
    this.leadingObjects = leadingObjects;
    this.tally = tally;
    this.gate = gate;
    this.end = end;
    this.works = works;
  }

  /** How many there are to be; more or fewer may be at work for a while. */
  public int wanted() {
    return wanted;
  }

  /** Those that are too many end after their present object; missing ones are hired later. */
  public void want(int workers) {
    wanted = workers;
  }

  /** Logs in for all, before anybody is hired. */
  public void logIn() throws IOException {
    for (int i = 0; i < wanted; i++) {
      FedoraSession session = client.newSession();
      sessions.add(session);
      session.login(); // one after the other: racing first logins break Fedora's login for good
    }
  }

  /** The first worker's, which is not at work yet. */
  public FedoraSession firstSession() {
    return sessions.get(0);
  }

  public void hireAll() {
    List<FedoraSession> loggedIn = List.copyOf(sessions);
    for (int i = 0; i < loggedIn.size(); i++) {
      hire(i, loggedIn.get(i));
    }
  }

  /** Starts those that are wanted and not there, if there is anything left to do. */
  public void hireMissing() {
    if (schedule.exhausted()) {
      return;
    }
    for (int worker = 0; worker < wanted; worker++) {
      synchronized (atWork) {
        if (atWork.containsKey(worker)) {
          continue;
        }
      }
      hire(worker, null);
    }
  }

  private void hire(int worker, FedoraSession loggedIn) {
    Thread thread = OwnThreads.daemon("fedometer-ingest-" + worker, () -> load(worker, loggedIn));
    synchronized (atWork) {
      atWork.put(worker, thread);
    }
    thread.start();
  }

  /** Whether the thread of any has not ended yet, waiting ones included. */
  public boolean anyAtWork() {
    synchronized (atWork) {
      return !atWork.isEmpty();
    }
  }

  /** For those that do not end by themselves, nor by having their requests cut. */
  public void interrupt() {
    synchronized (atWork) {
      atWork.values().forEach(Thread::interrupt);
    }
  }

  /**
   * @param loggedIn null for a worker that comes later: it logs in by itself, when the client's
   *     other logins let it
   */
  private void load(int worker, FedoraSession loggedIn) {
    FedoraSession session = loggedIn;
    try {
      if (session == null) {
        session = client.newSession();
        sessions.add(session);
        gate.login(session);
      }
      Work work = works.make(worker, session);
      for (long position = take(worker); position >= 0; position = take(worker)) {
        long index = numbers.index(position);
        Work.Step step = work.prepare(index);
        if (step == null) {
          notSent.add(new NotSent(position, () -> tally.abandon(index)));
          return;
        }
        Due due = awaitDue(position, step);
        if (due == null) {
          step.release();
          notSent.add(new NotSent(position, step::abandon));
          return;
        }
        step.perform(due);
      }
    } catch (RunStop e) {
      if (!e.requested()) {
        end.giveUp(e);
      }
    } catch (Throwable e) {
      end.giveUp(RunStop.ofDriver(e));
    } finally {
      if (session != null) {
        session.close();
        sessions.remove(session);
      }
      synchronized (atWork) {
        atWork.remove(worker);
      }
      schedule.wake();
    }
  }

  private long take(int worker) throws RunStop {
    return schedule.take(() -> worker < wanted);
  }

  /** Null if it is not to be sent any more. */
  private Due awaitDue(long position, Work.Step step) throws RunStop {
    boolean leads = numbers.index(position) < leadingObjects;
    try {
      return schedule.awaitDue(position, leads);
    } catch (RunStop e) {
      step.release();
      step.abandon();
      throw e;
    }
  }

  /** When all have ended: what was not sent was not begun, unless an object after it was. */
  public void handBack() {
    notSent.stream()
        .sorted(Comparator.comparingLong(NotSent::position).reversed())
        .filter(last -> !schedule.handBack(last.position()))
        .forEach(between -> between.abandon().run());
  }

  @Override
  public void close() {
    sessions.forEach(FedoraSession::close);
  }
}
