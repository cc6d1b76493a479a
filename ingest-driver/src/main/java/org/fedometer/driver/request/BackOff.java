package org.fedometer.driver.request;

import java.io.IOException;
import java.time.Duration;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;

/**
 * How long Fedora is asked one and the same thing: a question, a flush. Times in which it was away
 * are waited out and do not count, however many there are; of other failures there may be a few,
 * with waits between them that grow. Made for each question by the thread that asks, and used by
 * that thread only.
 *
 * <p>For what may be asked as often as one likes, and of which only the answer matters. Requests
 * that are part of the load are sent by {@link Attempts}.
 */
public final class BackOff {

  private final Worker worker;
  private final int maxFailures;
  private int failures;

  /**
   * @param maxFailures with so many it is given up
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
   * Asks until there is an answer. Where the dataset is at fault, Fedora is not waited for.
   *
   * @throws IOException the latest failure, if it is given up
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
   * Returns when it may be asked again, or is to be given up.
   *
   * @return false if it is to be given up
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
