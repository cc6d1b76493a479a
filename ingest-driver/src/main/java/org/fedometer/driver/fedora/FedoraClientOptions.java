package org.fedometer.driver.fedora;

import java.time.Duration;
import java.util.Objects;

/**
 * Limits of a {@link FedoraClient}.
 *
 * @param connections most connections at once; an ingest needs one a worker and one to spare
 * @param responseTimeout longest silence of Fedora: while it works on an object that it has
 *     received, and between two packets of an answer. A triplestore that flushes on the request's
 *     thread can be silent for many seconds.
 * @param requestTimeout longest time for one request in all, sending included; it is cut after that
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

  /** What suits an ingest with so many workers: 10 s, 120 s, 15 min. */
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
