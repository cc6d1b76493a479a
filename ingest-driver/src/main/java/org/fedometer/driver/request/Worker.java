package org.fedometer.driver.request;

import java.io.IOException;
import org.fedometer.driver.fedora.FedoraSession;

/**
 * A sender of requests, with the state that its requests share. Confined to its thread.
 *
 * @param number from zero, for the record
 * @param session its own
 * @param circuitBreaker the same for all workers
 */
public record Worker(
    int number,
    FedoraSession session,
    RetryPolicy policy,
    CircuitBreaker circuitBreaker,
    StopSignal stop) {

  /** Waits for Fedora like {@link CircuitBreaker#awaitFedora}. */
  public boolean awaitFedora(String reason, long sinceNanos) throws RunStop {
    return circuitBreaker.awaitFedora(session, reason, sinceNanos);
  }

  /** Runs a query like {@link BackOff#run}, with as many failures as the policy allows attempts. */
  public <T> T query(BackOff.Query<T> query) throws IOException, RunStop {
    return new BackOff(this, policy.maxAttempts()).run(query);
  }
}
