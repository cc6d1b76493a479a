package org.fedometer.driver.fedora;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fedora's response to one request.
 *
 * @param status HTTP status
 * @param message Fedora's message without markup, at most {@link FedoraMessages#MAX_LENGTH}
 *     characters; empty if none
 * @param plain true if the message came as plain text
 * @param retryAfter requested delay before the next attempt; zero if none
 */
public record FedoraResponse(int status, String message, boolean plain, Duration retryAfter) {

  /** Messages of Akubra and of the legacy storage about an object that is not stored. */
  private static final Pattern NOT_STORED =
      Pattern.compile(
          "not found in low-level storage: ([^\\s,]+)|no path in db registry for \\[([^\\]\\s]+)");

  public FedoraResponse {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(retryAfter, "retryAfter");
  }

  /**
   * Returns whether another server may have responded in Fedora's place: Tomcat while it reloads
   * the webapp, a webapp that shuts down, or a proxy. Fedora's own 404 (3.3 to 3.8.1) is plain text
   * and names the object; pages of the others are HTML, or name nothing.
   *
   * @param pid object of the request, or empty
   */
  public boolean mayBeFromProxy(String pid) {
    if (status != 404) {
      return status == 502 || status == 503 || status == 504;
    }
    boolean namesObject =
        !pid.isEmpty() && message.contains(pid) || pidNotStored(message).isPresent();
    return !(plain && namesObject);
  }

  public static Optional<String> pidNotStored(String text) {
    Matcher matcher = NOT_STORED.matcher(text);
    if (!matcher.find()) {
      return Optional.empty();
    }
    return Optional.of(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
  }

  public String describe() {
    if (!message.isEmpty()) {
      return status + ", " + message;
    }
    return status >= 500
        ? status + " without a message; see Fedora's log"
        : status + " without a message";
  }
}
