package org.fedometer.driver.fedora;

import java.time.Duration;
import java.util.Objects;

/**
 * Limits of a {@link FedoraClient}.
 *
 * @param connections maximum number of connections; an ingest needs one per worker and a spare
 * @param responseTimeout longest silence of Fedora, while it processes an object and between two
 *     packets. A triplestore that flushes on the request's thread can be silent for many seconds.
 * @param requestTimeout maximum duration of a request, including sending; it is then cancelled
 */
public record FedoraClientOptions(
    int connections, Duration connectTimeout, Duration responseTimeout, Duration requestTimeout) {

  public FedoraClientOptions {
    Objects.requireNonNull(connectTimeout, "connectTimeout");
    Objects.requireNonNull(responseTimeout, "responseTimeout");
    Objects.requireNonNull(requestTimeout, "requestTimeout");
    if (connections < 1 || connections > 10_000) {
      throw new IllegalArgumentException(
          "connections must be between 1 and 10000, but is " + connections + ".");
    }
    requirePositive("connectTimeout", connectTimeout);
    requirePositive("responseTimeout", responseTimeout);
    requirePositive("requestTimeout", requestTimeout);
  }

  /** Returns limits for an ingest: connections for the workers, 10 s, 120 s, 15 min. */
  public static FedoraClientOptions forWorkers(int workers) {
    return new FedoraClientOptions(
        workers + 1, Duration.ofSeconds(10), Duration.ofSeconds(120), Duration.ofMinutes(15));
  }

  private static void requirePositive(String name, Duration duration) {
    if (duration.isZero() || duration.isNegative()) {
      throw new IllegalArgumentException(name + " must be above zero, but is " + duration + ".");
    }
  }
}
