package org.fedometer.driver.request;

import java.io.IOException;
import java.time.Duration;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;

/**
 * Repeats one query or flush. Waits out outages, which do not count, however many; allows a few
 * other failures, with growing waits. Created per query, confined to its thread.
 *
 * <p>For idempotent queries of which only the answer matters. {@link Attempts} sends the requests
 * of the load.
 */
public final class BackOff {

  private final Worker worker;
  private final int maxFailures;
  private int failures;

  /**
   * @param maxFailures number of failures that ends it
   */
  public BackOff(Worker worker, int maxFailures) {
    this.worker = worker;
    this.maxFailures = maxFailures;
  }

  @FunctionalInterface
  public interface Query<T> {
    T ask() throws IOException, RunStop;
  }

  /**
   * Repeats the query until it succeeds. Does not wait for Fedora if the dataset fails.
   *
   * @throws IOException the latest failure, after too many
   * @throws RunStop if the run is over
   */
  public <T> T run(Query<T> query) throws IOException, RunStop {
    while (true) {
      long sentNanos = System.nanoTime();
      try {
        return query.ask();
      } catch (LoginRefusedException e) {
        throw RunStop.loginRefused(e);
      } catch (ContentFailureException e) {
        if (!mayRetryAfterFailure()) {
          throw e;
        }
      } catch (IOException e) {
        if (!mayRetry(Messages.of(e), sentNanos)) {
          throw e;
        }
      }
    }
  }

  /**
   * Waits until another attempt is due.
   *
   * @return false if there were too many failures
   * @throws RunStop if the run is over
   */
  boolean mayRetry(String problem, long sentNanos) throws RunStop {
    return worker.awaitFedora(problem, sentNanos) || mayRetryAfterFailure();
  }

  private boolean mayRetryAfterFailure() throws RunStop {
    failures++;
    if (failures >= maxFailures) {
      return false;
    }
    worker.stop().pause(worker.policy().waitAfter(failures, Duration.ZERO));
    return true;
  }
}
