package org.fedometer.driver.request;

import java.io.IOException;
import org.fedometer.driver.fedora.FedoraSession;

/**
 * One of those that send requests, with what all its requests have in common. Used by its own
 * thread only.
 *
 * @param number from zero, for the record
 * @param session its own
 * @param gate the same for all workers
 */
public record Worker(
    int number, FedoraSession session, RetryPolicy policy, OutageGate gate, StopSignal stop) {

  /** As {@link OutageGate#awaitFedora}. */
  public boolean awaitFedora(String reason, long sinceNanos) throws RunStop {
    return gate.awaitFedora(session, reason, sinceNanos);
  }

  /** As {@link Patience#ask}, with as many failures as the policy allows attempts. */
  public <T> T ask(Patience.Question<T> question) throws IOException, RunStop {
    return new Patience(this, policy.maxAttempts()).ask(question);
  }
}
