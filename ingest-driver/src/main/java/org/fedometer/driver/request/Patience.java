package org.fedometer.driver.request;

import java.io.IOException;
import java.time.Duration;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Words;

/**
 * How long Fedora is asked one and the same thing: a question, a flush. Times in which it was away
 * are waited out and do not count, however many there are; of other failures there may be a few,
 * with waits between them that grow. Made for each question by the thread that asks, and used by
 * that thread only.
 *
 * <p>For what may be asked as often as one likes, and of which only the answer matters. Requests
 * that are part of the load are sent by {@link Attempts}.
 */
public final class Patience {

  private final Worker worker;
  private final int mostFailures;
  private int failures;

  /**
   * @param mostFailures with so many it is given up
   */
  public Patience(Worker worker, int mostFailures) {
    this.worker = worker;
    this.mostFailures = mostFailures;
  }

  @FunctionalInterface
  public interface Question<T> {
    T ask() throws IOException, RunStop;
  }

  /**
   * Asks until there is an answer. Where the dataset is at fault, Fedora is not waited for.
   *
   * @throws IOException the latest failure, if it is given up
   * @throws RunStop if the run is over
   */
  public <T> T ask(Question<T> question) throws IOException, RunStop {
    while (true) {
      long askedNanos = System.nanoTime();
      try {
        return question.ask();
      } catch (LoginRefusedException e) {
        throw RunStop.loginRefused(e);
      } catch (ContentFailureException e) {
        if (!bearsFailure()) {
          throw e;
        }
      } catch (IOException e) {
        if (!outlasts(Words.of(e), askedNanos)) {
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
  boolean outlasts(String problem, long askedNanos) throws RunStop {
    return worker.awaitFedora(problem, askedNanos) || bearsFailure();
  }

  private boolean bearsFailure() throws RunStop {
    failures++;
    if (failures >= mostFailures) {
      return false;
    }
    worker.stop().pause(worker.policy().waitAfter(failures, Duration.ZERO));
    return true;
  }
}
