package org.fedometer.driver;

import java.time.Duration;
import java.util.Objects;

/**
 * What Fedora said to one request.
 *
 * @param status HTTP status
 * @param message Fedora's own words without markup, at most {@link FedoraMessages#LONGEST}
 *     characters; empty if it said nothing
 * @param retryAfter how long the answer asks to wait before the next attempt; zero if it does not
 */
public record FedoraAnswer(int status, String message, Duration retryAfter) {

  public FedoraAnswer {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(retryAfter, "retryAfter");
  }

  /** Status and words in one line. */
  String describe() {
    if (!message.isEmpty()) {
      return status + ", " + message;
    }
    return status >= 500
        ? status + " without a message; Fedora says why in its log only"
        : status + " without a message";
  }
}
