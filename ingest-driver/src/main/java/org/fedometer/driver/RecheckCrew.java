package org.fedometer.driver;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

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

  /** Makes the work of one worker. */
  @FunctionalInterface
  interface WorkMaker {
    IngestWork make(int worker, FedoraSession session);
  }

  /**
   * @param tick called every {@link IngestDriver#TICK_NANOS} while they are at work
   */
  RecheckCrew(
      FedoraClient client,
      int workers,
      IngestOptions options,
      LoadEnd end,
      WorkMaker works,
      Runnable tick) {
    this.client = client;
    this.workers = Math.max(1, workers);
    this.options = options;
    this.end = end;
    this.works = works;
    this.tick = tick;
  }

  @Override
  public void work(Recheck.Part part) {
    CountDownLatch atWork = new CountDownLatch(workers);
    for (int i = 0; i < workers; i++) {
      int worker = i;
      OwnThreads.daemon("fedometer-recheck-" + worker, () -> work(worker, part, atWork)).start();
    }
    lookAfter(atWork);
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

  /** Returns when all have ended; after a stop, what is under way is cut when patience is over. */
  private void lookAfter(CountDownLatch atWork) {
    boolean interrupted = false;
    long stoppedNanos = 0;
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
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
