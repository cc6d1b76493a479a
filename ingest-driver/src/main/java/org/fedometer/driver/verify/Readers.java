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

/** Lets a few threads read objects back at once. Called by the thread that conducts a check. */
final class Readers {

  /** What reads from a socket ends when it is cut. */
  private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(10);

  private Readers() {}

  /**
   * Returns when all readers have ended, so that nothing is found any more. Where one fails, the
   * others are interrupted, and the client's requests are cut; one that does not end by that within
   * ten seconds is left behind.
   *
   * @param reader what each thread does; what it throws ends all
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
