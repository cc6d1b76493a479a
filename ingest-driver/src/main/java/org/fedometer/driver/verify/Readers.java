package org.fedometer.driver.verify;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.threads.DaemonThreads;

/** Runs a few concurrent threads that read objects back, for the conducting thread. */
final class Readers {

  /** Socket reads end when cancelled. */
  private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(10);

  private Readers() {}

  /**
   * Returns when all readers have ended. If one fails, interrupts the others and cancels the
   * client's requests; abandons any that does not end within ten seconds.
   *
   * @param reader task of each thread; an exception ends all
   * @throws ExecutionException if one has failed
   * @throws InterruptedException if the calling thread was interrupted
   */
  static void run(FedoraClient client, int threads, Callable<Void> reader)
      throws ExecutionException, InterruptedException {
    ExecutorService readers =
        Executors.newCachedThreadPool(DaemonThreads.newFactory("fedometer-verify"));
    try {
      CompletionService<Void> ended = new ExecutorCompletionService<>(readers);
      for (int i = 0; i < threads; i++) {
        ended.submit(reader);
      }
      for (int i = 0; i < threads; i++) {
        ended.take().get();
      }
    } catch (ExecutionException | InterruptedException e) {
      readers.shutdownNow();
      client.cancelRequests();
      readers.awaitTermination(CANCEL_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      throw e;
    } finally {
      readers.shutdownNow();
    }
  }
}
