package org.fedometer.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.load.LoadEnd;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.threads.OwnThreads;

/**
 * The workers of a {@link Recheck}: as many as the load had, but what they do is not part of it.
 * Used by the driver's thread.
 */
final class RecheckCrew implements Recheck.Crew {

  private final FedoraClient client;
  private final int workers;
  private final IngestOptions options;
  private final LoadEnd end;
  private final WorkMaker works;
  private final Runnable tick;
  private final Duration lastPatience;

  @FunctionalInterface
  interface WorkMaker {
    IngestWork make(int worker, FedoraSession session);
  }

  /**
   * @param tick called every {@link IngestDriver#TICK_NANOS} while they are at work
   * @param lastPatience after a stop, from when requests are cut until whoever has not ended by
   *     that is interrupted and left behind
   */
  RecheckCrew(
      FedoraClient client,
      int workers,
      IngestOptions options,
      LoadEnd end,
      WorkMaker works,
      Runnable tick,
      Duration lastPatience) {
    this.client = client;
    this.workers = Math.max(1, workers);
    this.options = options;
    this.end = end;
    this.works = works;
    this.tick = tick;
    this.lastPatience = lastPatience;
  }

  @Override
  public void work(Recheck.Part part) {
    CountDownLatch atWork = new CountDownLatch(workers);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      int worker = i;
      threads.add(
          OwnThreads.daemon("fedometer-recheck-" + worker, () -> work(worker, part, atWork)));
    }
    threads.forEach(Thread::start);
    lookAfter(threads, atWork);
  }

  private void work(int worker, Recheck.Part part, CountDownLatch atWork) {
    try (FedoraSession session = client.newSession()) {
      part.run(worker, session);
    } catch (RunStop e) {
      if (!e.requested()) {
        end.giveUp(e);
      }
    } catch (Throwable e) {
      end.giveUp(RunStop.ofDriver(e));
    } finally {
      atWork.countDown();
    }
  }

  @Override
  public IngestWork ingest(int worker, FedoraSession session) {
    return works.make(worker, session);
  }

  /**
   * Returns when all have ended. After a stop, what is under way is cut when patience is over, and
   * nobody is waited for when the last patience is, too.
   */
  private void lookAfter(List<Thread> threads, CountDownLatch atWork) {
    boolean interrupted = false;
    long stoppedNanos = 0;
    boolean cut = false;
    while (true) {
      try {
        if (atWork.await(IngestDriver.TICK_NANOS, TimeUnit.NANOSECONDS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
        end.stop();
      }
      tick.run();
      if (end.stopped()) {
        long now = System.nanoTime();
        stoppedNanos = stoppedNanos == 0 ? now : stoppedNanos;
        if (now - stoppedNanos > options.stopPatience().toNanos()) {
          client.cancelRequests();
          if (cut && now - stoppedNanos > options.stopPatience().plus(lastPatience).toNanos()) {
            threads.forEach(Thread::interrupt);
            break;
          }
          cut = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
